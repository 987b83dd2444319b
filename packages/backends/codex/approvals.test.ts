import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { expect, test } from 'vitest';
import { OwnTools } from '../own-tools/own-tools.ts';
import { Approvals } from './approvals.ts';

const COMMAND = 'item/commandExecution/requestApproval';

function made(verdict: (call: ToolCall) => 'allow' | 'deny' | 'park') {
  const asked: ToolCall[] = [];
  const host: Host = {
    call: () => Promise.resolve({ content: 'done' }),
    permit: call => {
      asked.push(call);
      return Promise.resolve(verdict(call));
    },
  };
  const grant = { name: 'get_issue', description: '', input: {}, mutates: false, origin: 'hearth' } as const;
  const tools = new OwnTools({ tools: [grant], mayAsk: true }, host);
  const approvals = new Approvals({ workspace: '/work', directory: '/turn' }, host, tools);
  const command = (text: string, more: JsonObject = {}) =>
    approvals.answer(COMMAND, {
      itemId: 'i1',
      kind: 'command',
      command: `/bin/bash -c '${text}'`,
      cwd: '/work',
      ...more,
    });
  return { asked, tools, approvals, command };
}

const accepted = { result: { decision: 'accept' } };
const declined = { result: { decision: 'decline' } };

test('a command is asked about as the model wrote it, with where it would run if that is elsewhere', async () => {
  const { asked, command } = made(() => 'allow');
  expect(await command('rm x')).toEqual(accepted);
  await command('rm x', { cwd: '/other', approvalId: 'a2' });
  expect(asked).toEqual([
    { id: 'i1', name: 'shell', args: { command: 'rm x' } },
    { id: 'a2', name: 'shell', args: { command: 'rm x', cwd: '/other' } },
  ]);
});

test('what is written to a command that works is no command', async () => {
  const { asked, command } = made(() => 'deny');
  expect(await command('x', { kind: 'writeStdin', command: 'rm x' })).toEqual(declined);
  expect(asked).toEqual([{ id: 'i1', name: 'shell', args: { writeStdin: 'rm x' } }]);
});

test.each([{ networkApprovalContext: { host: 'h' } }, { additionalPermissions: { network: true } }])(
  'nothing is allowed beyond the sandbox: %j',
  async more => {
    const { asked, command } = made(() => 'allow');
    expect(await command('curl h', more)).toEqual(declined);
    expect(asked).toEqual([]);
  },
);

test('a change of files is asked about with what it changes (B14)', async () => {
  const { asked, approvals } = made(() => 'allow');
  const change = { path: 'a.txt', kind: { type: 'update' }, diff: '-a\n+b' };
  approvals.changes('i2', [change]);
  const method = 'item/fileChange/requestApproval';
  expect(await approvals.answer(method, { itemId: 'i2' })).toEqual(accepted);
  expect(asked).toEqual([{ id: 'i2', name: 'apply_patch', args: { changes: [change] } }]);
  expect(await approvals.answer(method, { itemId: 'i2', grantRoot: '/' })).toEqual(declined);
});

test('calls of one step that wait are each asked about once, and others are judged for themselves (B14)', async () => {
  const { approvals, command, tools } = made(({ args }) => (args['command'] === 'ls' ? 'allow' : 'park'));
  expect(await command('a')).toEqual(declined);
  expect(await command('b', { itemId: 'i2' })).toEqual(declined);
  expect(await command('a', { itemId: 'i3' })).toEqual(declined);
  expect(await command('ls')).toEqual(accepted);
  expect(approvals.permits.map(({ id }) => id)).toEqual(['i1', 'i2']);
  // Hearth's tools wait for the answer.
  expect(await tools.call({ id: 'c', name: 'get_issue', args: {} })).toMatchObject({ failed: true });
});

test('behind a question nothing is asked about any more', async () => {
  const { asked, command, tools } = made(() => 'allow');
  tools.ask({ text: 'Which?', options: [], allowFreeText: true });
  expect(await command('ls')).toEqual(declined);
  expect(asked).toEqual([]);
});
