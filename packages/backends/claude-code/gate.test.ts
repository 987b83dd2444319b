import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant } from '@hearth/engine/tool.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { OwnTools } from '../own-tools/own-tools.ts';
import { Gate } from './gate.ts';
import { ControlRequest } from './wire.ts';

const GRANT: ToolGrant = {
  name: 'list_issues',
  description: '',
  input: {},
  mutates: false,
  origin: 'hearth',
};

let told: string[];
let permits: Record<string, 'allow' | 'deny' | 'park'>;
let gate: Gate;
let tools: OwnTools;

beforeEach(() => {
  told = [];
  permits = {};
  const host: Host = {
    call: call => Promise.resolve({ content: { did: call.id } }),
    permit: call => {
      told.push(`permit ${call.id}`);
      return Promise.resolve(permits[call.id] ?? 'allow');
    },
  };
  tools = new OwnTools({ tools: [GRANT], mayAsk: true }, host, { stops: true });
  gate = new Gate(tools, ['Bash', 'Read', 'AskUserQuestion', 'ExitPlanMode'], host, {
    enters: ({ args }) => Promise.resolve(args['file_path'] === '/home/p/.hearth/token'),
    starts: call => {
      told.push(`starts ${call.id}`);
      return Promise.resolve();
    },
    denied: call => void told.push(`denied ${call.id}`),
    works: () => undefined,
  });
});

const before = async (id: string, name: string, args: ToolCall['args'] = {}) =>
  await gate.answer(
    ControlRequest.parse({
      subtype: 'hook_callback',
      callback_id: 'gate',
      tool_use_id: id,
      input: { hook_event_name: 'PreToolUse', tool_name: name, tool_input: args },
    }),
  );
const behind = async () =>
  await gate.answer(
    ControlRequest.parse({
      subtype: 'hook_callback',
      callback_id: 'gate',
      tool_use_id: 'x',
      input: { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {} },
    }),
  );
const asked = async (id: string, name: string, input: ToolCall['args'], more: object = {}) =>
  await gate.answer(
    ControlRequest.parse({ subtype: 'can_use_tool', tool_name: name, input, tool_use_id: id, ...more }),
  );

const DENIED = { hookSpecificOutput: { permissionDecision: 'deny' } };

describe('a call of a tool of its own', () => {
  test('passes the host, and starts once its start is written down', async () => {
    expect(await before('c1', 'Bash', { command: 'ls' })).toEqual({});
    expect(told).toEqual(['permit c1', 'starts c1']);
    expect(await asked('c1', 'Bash', { command: 'ls' })).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    });
  });
  test('is allowed with the arguments that were allowed, and with no others (B14)', async () => {
    await before('c1', 'Bash', { command: 'ls' });
    expect(await asked('c1', 'Bash', { command: 'rm -rf .' })).toMatchObject({ behavior: 'deny' });
    expect(await asked('c2', 'Bash', { command: 'ls' })).toMatchObject({ behavior: 'deny' });
  });
  test('outside of the workspace is not done', async () => {
    const args = { file_path: '/etc/passwd' };
    await before('c1', 'Read', args);
    expect(await asked('c1', 'Read', args, { decision_reason_type: 'workingDir' })).toMatchObject({
      behavior: 'deny',
    });
  });
  test("in Hearth's own home is not done, and nobody is asked for leave", async () => {
    expect(await before('c1', 'Read', { file_path: '/home/p/.hearth/token' })).toMatchObject(DENIED);
    expect(told).toEqual(['denied c1']);
  });
  test('that the node does not name never reaches the host', async () => {
    expect(await before('c1', 'Write')).toMatchObject(DENIED);
    expect(told).toEqual(['denied c1']);
  });
  test('that waits for leave parks, and its siblings need their own (B14)', async () => {
    permits = { c1: 'park', c2: 'park', c3: 'deny' };
    expect(await before('c1', 'Bash', { command: 'a' })).toMatchObject({ continue: false, ...DENIED });
    expect(await before('c2', 'Bash', { command: 'b' })).toMatchObject({ continue: false, ...DENIED });
    expect(await before('c3', 'Bash', { command: 'c' })).toMatchObject(DENIED);
    expect(gate.parks).toBe(true);
    expect(gate.permits.map(call => [call.id, call.args])).toEqual([
      ['c1', { command: 'a' }],
      ['c2', { command: 'b' }],
    ]);
    expect(told).not.toContain('starts c1');
  });
});

describe('a question', () => {
  test("of the program's own becomes one of Hearth's, and the turn stops behind it", async () => {
    expect(await behind()).toEqual({});
    const questions = [
      {
        question: 'Which?',
        header: 'h',
        multiSelect: false,
        options: [{ label: 'A', description: 'the first' }],
      },
      { question: 'What else?', multiSelect: true, options: [{ label: 'B' }] },
    ];
    expect(await before('c1', 'AskUserQuestion', { questions })).toMatchObject({
      continue: false,
      ...DENIED,
    });
    expect(tools.asks).toEqual([
      {
        call: 'c1-1',
        text: 'Which?',
        options: [{ id: 'A', label: 'A', detail: 'the first' }],
        allowFreeText: false,
      },
      { call: 'c1-2', text: 'What else?', options: [{ id: 'B', label: 'B' }], allowFreeText: true },
    ]);
    expect(await behind()).toMatchObject({ continue: false });
  });
  test('about a plan is for the person too', async () => {
    await before('c1', 'ExitPlanMode', { plan: '1. Paint.' });
    expect(tools.asks).toMatchObject([
      { text: 'May I carry out this plan?\n\n1. Paint.', options: [{ id: 'approve' }, {}] },
    ]);
  });
  test('that cannot be read is none, and is said to be', async () => {
    expect(await before('c1', 'AskUserQuestion', { questions: [] })).toMatchObject(DENIED);
    expect(gate.parks).toBe(false);
  });
});

test("tools of Hearth's are served under the program's own ids of calls", async () => {
  expect(await before('c1', 'mcp__hearth__list_issues')).toEqual({});
  const message = {
    jsonrpc: '2.0',
    id: 4,
    method: 'tools/call',
    params: { name: 'list_issues', arguments: {}, _meta: { 'claudecode/toolUseId': 'toolu_1' } },
  };
  const served = await gate.answer(
    ControlRequest.parse({ subtype: 'mcp_message', server_name: 'hearth', message }),
  );
  expect(served).toEqual({
    mcp_response: {
      jsonrpc: '2.0',
      id: 4,
      result: { content: [{ type: 'text', text: '{"did":"toolu_1"}' }], isError: false },
    },
  });
  expect(
    await gate.answer(ControlRequest.parse({ subtype: 'mcp_message', server_name: 'other', message })),
  ).toMatchObject({ mcp_response: { error: { code: -32601 } } });
  expect(await asked('c1', 'mcp__hearth__list_issues', {})).toMatchObject({ behavior: 'allow' });
});
