import type { BackendEvent } from '@hearth/engine/backend.ts';
import { expect, test } from 'vitest';
import { Reader } from './reader.ts';
import { Line } from './wire.ts';

function read(reader: Reader, ...lines: readonly object[]): BackendEvent[] {
  return lines.flatMap(line => [...reader.read(Line.parse(line))]);
}

const streamed = (event: object) => ({ type: 'stream_event', event, parent_tool_use_id: null });
const start = streamed({ type: 'message_start', message: {} });
const block = (content_block: object) => streamed({ type: 'content_block_start', index: 0, content_block });
const delta = (more: object) => streamed({ type: 'content_block_delta', index: 0, delta: more });
const said = (...content: readonly object[]) => ({
  type: 'assistant',
  message: { id: 'msg_1', model: 'claude', content },
  parent_tool_use_id: null,
});

test('text is drawn while it grows, and so is the reply inside an answer of a form', () => {
  const reader = new Reader('reply');
  const events = read(
    reader,
    start,
    block({ type: 'text', text: '' }),
    delta({ type: 'text_delta', text: 'I lo' }),
    delta({ type: 'text_delta', text: 'ok 🐎' }),
    block({ type: 'tool_use', name: 'StructuredOutput', id: 'c', input: {} }),
    delta({ type: 'input_json_delta', partial_json: '{"reply": "It is' }),
    delta({ type: 'input_json_delta', partial_json: ' done.", "close": fal' }),
    start,
    delta({ type: 'text_delta', text: 'New' }),
  );
  expect(events.map(event => event.type === 'draft' && event.text)).toEqual([
    'I lo',
    'I look 🐎',
    'It is',
    'It is done.',
    'New',
  ]);
  expect(reader.spoke).toBe(true);
});

test('words before a tool are narration; words of which nothing follows are kept for the end', () => {
  const reader = new Reader(null);
  const call = { type: 'tool_use', id: 'c1', name: 'mcp__hearth__list_issues', input: {} };
  expect(read(reader, said({ type: 'text', text: ' I look. ' }), said(call))).toEqual([
    { type: 'narration', text: 'I look.' },
  ]);
  expect(read(reader, said({ type: 'text', text: 'One.' }), said({ type: 'text', text: 'Two.' }))).toEqual(
    [],
  );
  expect(reader.beside()).toBe('One.\nTwo.');
  expect(reader.beside()).toBe('');
});

test('its own tools are told from their start to their end', () => {
  const reader = new Reader(null);
  expect(reader.started('c1', 'Bash', { command: 'npm  test', description: 'x' })).toEqual({
    type: 'tool',
    call: 'c1',
    name: 'Bash',
    change: 'started',
    title: 'Bash npm test',
    mutates: true,
  });
  const result = (more: object) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...more }] },
    parent_tool_use_id: null,
  });
  expect(read(reader, result({ content: [{ type: 'text', text: 'it broke' }], is_error: true }))).toEqual([
    { type: 'tool', call: 'c1', name: 'Bash', change: 'failed', detail: 'it broke', mutates: true },
  ]);
  // A result that is told twice, or of a tool of Hearth's, is no event.
  expect(read(reader, result({ content: 'again' }))).toEqual([]);
});

test('what subagents and the program itself say stays out of it', () => {
  const reader = new Reader(null);
  expect(
    read(
      reader,
      { ...said({ type: 'text', text: 'inner' }), parent_tool_use_id: 'c9' },
      {
        ...said({ type: 'text', text: 'API Error' }),
        message: { model: '<synthetic>', content: 'API Error' },
      },
    ),
  ).toEqual([]);
  expect(reader.beside()).toBe('');
  expect(reader.spoke).toBe(false);
});

test('an answer that is asked for again is counted, and what came in its place is narration', () => {
  const reader = new Reader('reply');
  const enforced = {
    type: 'user',
    isSynthetic: true,
    message: { content: [{ type: 'text', text: '[structured-output-enforce] You MUST call' }] },
  };
  expect(read(reader, said({ type: 'text', text: 'Hello.' }), enforced)).toEqual([
    { type: 'narration', text: 'Hello.' },
  ]);
  expect(reader.repairs).toBe(1);
});

test('what was used is told with its price, or without one where it is not known', () => {
  const reader = new Reader(null);
  read(reader, streamed({ type: 'message_delta', usage: { input_tokens: 90, output_tokens: 10 } }));
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    usage: { input_tokens: 190, output_tokens: 10, cache_read_input_tokens: 50 },
    modelUsage: { claude: { contextWindow: 200_000 } },
    model_usage_since_last_result: { claude: { costUSD: 0.25 }, small: { costUSD: 0.5 } },
  };
  const used = (more: object): BackendEvent[] => {
    const line = Line.parse({ ...result, ...more });
    return line.type === 'result' ? [...reader.used(line)] : [];
  };
  expect(used({})).toEqual([
    {
      type: 'usage',
      spend: { activeMs: 0, tokens: 250, costUsd: 0.75, iterations: 0, unpriced: 0 },
      cumulative: false,
    },
    { type: 'context', used: 100, window: 200_000 },
  ]);
  expect(used({ model_usage_since_last_result: {} })[0]).toMatchObject({
    spend: { costUsd: null, unpriced: 1 },
  });
});

test('lines of kinds that nobody knows are none', () => {
  expect(Line.safeParse({ type: 'rate_limit_event', x: 1 }).success).toBe(false);
  expect(Line.safeParse({ type: 'result' }).success).toBe(false);
});
