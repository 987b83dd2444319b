import { describe, expect, test } from 'vitest';
import { toolCall } from './tool-names.ts';
import { PermissionRequest } from './wire.ts';

const call = (told: object) =>
  toolCall(PermissionRequest.parse({ options: [], toolCall: { toolCallId: 'c1', ...told } }).toolCall);

describe('a call of an agent', () => {
  test.each([
    [{ kind: 'execute', title: '`rm x`', rawInput: { command: 'rm x' } }, 'bash', { command: 'rm x' }],
    [{ kind: 'read', title: 'Read a', rawInput: { path: 'a' } }, 'read_file', { path: 'a' }],
    [
      { kind: 'other', title: 'mcp__theirs__deploy', rawInput: { to: 'x' } },
      'mcp__theirs__deploy',
      { to: 'x' },
    ],
    // Agents on Claude Code say what the tool is called.
    [
      { kind: 'edit', _meta: { claudeCode: { toolName: 'Write' } }, rawInput: { file_path: 'a' } },
      'Write',
      { file_path: 'a' },
    ],
    // Of an agent that gives no arguments everything that it shows is part of the call, so that leave is for that alone.
    [{ kind: 'execute', title: 'rm x' }, 'bash', { title: 'rm x' }],
    [{ kind: 'toString', title: 'Do it; now' }, 'toString', { title: 'Do it; now' }],
    [
      { kind: 'edit', title: 'Edit a', content: [{ type: 'diff', path: 'a', newText: 'b' }], rawInput: {} },
      'edit_file',
      { title: 'Edit a', content: [{ type: 'diff', path: 'a', newText: 'b' }] },
    ],
    [{}, 'tool', { title: '' }],
  ])('%j is of %s', (told, name, args) => {
    expect(call(told)).toEqual({ id: 'c1', name, args });
  });
});
