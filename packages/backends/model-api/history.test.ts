import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BROKEN_OFF, messagesOf, NOTHING_SAID } from './history.ts';
import type { Line } from './line.ts';

const call = (id: string, only?: Record<string, { signature: string }>) =>
  ({ is: 'call', call: id, name: 'glob', args: {}, ...(only === undefined ? {} : { only }) }) as const;
const step = (by: string, ...parts: Extract<Line, { line: 'step' }>['parts']): Line => ({
  line: 'step',
  by,
  model: 'm',
  parts,
});
const only = { anthropic: { signature: 's' } };

describe('messages of a request', () => {
  test('results follow their calls, whatever came between', () => {
    const lines: Line[] = [
      { line: 'words', text: 'hello' },
      step('a', { is: 'text', text: 'I look.' }, call('c1'), call('c2')),
      { line: 'result', call: 'c2', name: 'glob', content: { files: [] }, failed: false },
      { line: 'words', text: 'quickly', message: 'm2' },
      { line: 'result', call: 'c1', name: 'glob', content: 'no', failed: true },
      { line: 'end', effect: 'e1', how: 'done' },
    ];
    expect(messagesOf(lines, 'a', 'm')).toMatchObject([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'text' }, { toolCallId: 'c1' }, { toolCallId: 'c2' }] },
      {
        role: 'tool',
        content: [
          { toolCallId: 'c1', output: { type: 'error-text', value: 'no' } },
          { toolCallId: 'c2', output: { type: 'text', value: '{"files":[]}' } },
        ],
      },
      { role: 'user', content: 'quickly' },
    ]);
  });

  test('a call without a result says that it was broken off', () => {
    expect(messagesOf([step('a', call('c1'))], 'a', 'm')[1]).toMatchObject({
      content: [{ output: { type: 'error-text', value: BROKEN_OFF } }],
    });
  });

  test('what one provider alone understands goes to that one alone', () => {
    const lines = [
      step('a', { is: 'reasoning', text: 'hm', only }, { is: 'text', text: 'hi', only }, call('c1', only)),
    ];
    expect(JSON.stringify(messagesOf(lines, 'a', 'm')).match(/signature/g)).toHaveLength(3);
    expect(messagesOf(lines, 'b', 'm')[0]).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'glob', input: {} },
      ],
    });
    expect(messagesOf([step('a', { is: 'reasoning', text: 'hm' })], 'a', 'm')).toEqual([]);
    // Another model of the same provider gets everything but the reasoning.
    expect(messagesOf(lines, 'a', 'other')[0]).toMatchObject({
      content: [{ type: 'text' }, { type: 'tool-call' }],
    });
  });

  const part = fc.oneof(
    fc.record({ is: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
    fc.record({ is: fc.constant('reasoning' as const), text: fc.string() }),
    fc.uuid().map(id => call(id)),
  );
  const line: fc.Arbitrary<Line> = fc.oneof(
    fc.record({ line: fc.constant('words' as const), text: fc.string() }),
    fc.record({ line: fc.constant('reply' as const), text: fc.string() }),
    fc.array(part, { maxLength: 4 }).chain(parts => fc.constantFrom('a', 'b').map(by => step(by, ...parts))),
  );
  test('B22: whatever was written, none is empty and every call has its result next', () => {
    fc.assert(
      fc.property(fc.array(line), lines => {
        const messages = messagesOf(lines, 'a', 'm');
        for (const [at, message] of messages.entries()) {
          expect(message.content.length).toBeGreaterThan(0);
          if (typeof message.content === 'string') expect(message.content.trim()).not.toBe('');
          if (message.role !== 'assistant' || typeof message.content === 'string') continue;
          const ids = message.content.flatMap(one => (one.type === 'tool-call' ? [one.toolCallId] : []));
          const next = messages[at + 1];
          const answered = next?.role === 'tool' ? next.content : [];
          if (ids.length > 0) {
            expect(answered.flatMap(one => (one.type === 'tool-result' ? [one.toolCallId] : []))).toEqual(
              ids,
            );
          }
        }
      }),
    );
  });
  test('empty words are said to be', () => {
    expect(messagesOf([{ line: 'words', text: ' \n' }], 'a', 'm')).toEqual([
      { role: 'user', content: NOTHING_SAID },
    ]);
  });
});
