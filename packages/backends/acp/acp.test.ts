import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant } from '@hearth/engine/tool.ts';
import { describe, expect, test } from 'vitest';
import { OwnTools } from '../own-tools/own-tools.ts';
import type { ClosedHome } from '../agent-programs/closed-home.ts';
import { commandOf } from './command.ts';
import { acpFailure } from './failure.ts';
import { agentEnvironment, placeOf } from './known-agents.ts';
import { Permissions } from './permissions.ts';

/* What can be said of an agent without one: its command, its place, its errors, its wishes. The rest is tests/agents. */

test.each([
  ['gemini --experimental-acp', ['gemini', '--experimental-acp']],
  ['  opencode   acp ', ['opencode', 'acp']],
  ['["/a path/agent", "acp"]', ['/a path/agent', 'acp']],
  ['', null],
  [undefined, null],
  ['[]', null],
  ['[1]', ['[1]']],
])('the command %j is %j', (text, words) => {
  expect(commandOf(text)).toEqual(words);
});

describe('the place of an agent', () => {
  test('a known one keeps its sessions with the conversation, and its login where it was', () => {
    const place = placeOf(['/bin/node', '/x/claude-code-acp/dist/index.js'], { HOME: '/home/p' }, '/turn');
    expect(place).toMatchObject({ moved: true, takesSystem: true, leave: 0 });
    expect(place.env).toMatchObject({
      CLAUDE_CONFIG_DIR: '/turn/claude',
      CLAUDE_SECURESTORAGE_CONFIG_DIR: '/home/p/.claude',
    });
  });

  test('of an unknown one it is told that they stay behind', () => {
    expect(placeOf(['/usr/bin/gemini'], {}, '/turn')).toMatchObject({ moved: false, env: {} });
    // A name that only looks like a known one is none.
    expect(placeOf(['/usr/bin/not-claude-code-acp-at-all'], {}, '/turn').moved).toBe(false);
  });

  test("it has the person's environment, without what is Hearth's own", () => {
    expect(
      agentEnvironment({ GEMINI_API_KEY: 'k', HEARTH_ACP: 'gemini', PATH: '/bin', NONE: undefined }),
    ).toEqual({
      GEMINI_API_KEY: 'k',
      PATH: '/bin',
    });
  });
});

test.each([
  [{ code: -32_000, message: 'Authentication required', data: null }, 'auth'],
  [
    { code: -32_603, message: 'Internal error', data: { details: 'API Error: 529 overloaded' } },
    'overloaded',
  ],
  [{ code: -32_603, message: 'Internal error', data: { details: 'API Error: 401 no' } }, 'auth'],
  [{ code: -32_603, message: 'Internal error', data: 'API Error: 400 prompt is too long' }, 'context_length'],
  [{ code: -32_603, message: 'Internal error', data: { details: 'Connection error.' } }, 'network'],
  [{ code: -32_603, message: 'Internal error', data: null }, 'protocol'],
  [{ code: -32_603, message: 'Internal error: Invalid API key · Fix external API key', data: null }, 'auth'],
  [
    { code: -32_603, message: 'Internal error: API Error: Request rejected (429) · fake', data: null },
    'quota',
  ],
  [
    { code: -32_603, message: 'Prompt is too long · the request is ~210000 tokens', data: null },
    'context_length',
  ],
  [{ code: -32_603, message: "There's an issue with the selected model (x).", data: null }, 'missing'],
] as const)('the error %j is %s', (error, code) => {
  expect(acpFailure(error, 'The agent', 0).code).toBe(code);
});

describe('leave', () => {
  const grant: ToolGrant = {
    name: 'list_issues',
    description: 'Lists.',
    input: { type: 'object' },
    mutates: false,
    origin: 'hearth',
  };
  const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'once', name: 'Once', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];

  function made(verdict: 'allow' | 'deny' | 'park', closed: ClosedHome | null = null) {
    const asked: ToolCall[] = [];
    const host: Host = {
      call: () => Promise.resolve({ content: null }),
      permit: call => {
        asked.push(call);
        return Promise.resolve(verdict);
      },
    };
    const permissions = new Permissions(host, new OwnTools({ tools: [grant], mayAsk: false }, host), closed);
    const ask = (title: string, more: object = {}) =>
      permissions.answer({
        options,
        toolCall: { toolCallId: 'c1', title, rawInput: { command: 'ls' } },
        ...more,
      });
    return { asked, permissions, ask };
  }

  const chosen = (optionId: string) => ({ result: { outcome: { outcome: 'selected', optionId } } });

  test("a call of Hearth's own is let through, once; the host judges it when it comes", async () => {
    const { asked, ask } = made('deny');
    expect(await ask('mcp__hearth__list_issues')).toEqual(chosen('once'));
    expect(asked).toEqual([]);
  });

  test.each(['Run mcp__hearth__list_issues', 'mcp__hearth__list_issues; rm -rf .', 'list_issues'])(
    '%j is none of them',
    async title => {
      const { asked, ask } = made('deny');
      expect(await ask(title)).toEqual(chosen('no'));
      expect(asked).toMatchObject([{ id: 'c1', args: { command: 'ls' } }]);
    },
  );

  test('is given once, however the agent would like to have it', async () => {
    expect(await made('allow').ask('Bash')).toEqual(chosen('once'));
  });

  test('waits for the person, and nothing else is allowed meanwhile', async () => {
    const { permissions, ask } = made('park');
    expect(await ask('Bash')).toEqual(chosen('no'));
    expect(permissions.permits).toEqual([{ id: 'c1', name: 'Bash', args: { command: 'ls' } }]);
    expect(await ask('Bash')).toEqual(chosen('no'));
    expect(permissions.permits).toHaveLength(1);
  });

  test.each([
    ['an argument', { rawInput: { file_path: '/p/.hearth/token' } }],
    ['a place of several', { rawInput: { edits: [{ path: 'a' }, { path: '.hearth/x/../token' }] } }],
    ['where the agent says it is', { rawInput: {}, locations: [{ path: '/p/.hearth' }] }],
  ])("for what is in Hearth's own home is not given, and nobody is asked: %s", async (_, call) => {
    const closed = { home: '/p/.hearth', workspace: '/p', own: '/p/.hearth/c/node', within: true };
    const { asked, permissions } = made('allow', closed);
    const request = (more: object) =>
      permissions.answer({ options, toolCall: { toolCallId: 'c1', title: 'Read', kind: 'read', ...more } });
    expect(await request(call)).toEqual(chosen('no'));
    expect(asked).toEqual([]);
    expect(await request({ rawInput: { file_path: '/p/readme' }, locations: [] })).toEqual(chosen('once'));
  });

  test('is not taken where there is no way to say no, or the wish cannot be read', async () => {
    const cancelled = { result: { outcome: { outcome: 'cancelled' } } };
    expect(await made('deny').ask('Bash', { options: options.slice(0, 2) })).toEqual(cancelled);
    expect(await made('allow').permissions.answer({})).toEqual(cancelled);
  });
});
