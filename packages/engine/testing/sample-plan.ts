import type { AgentNode } from '@hearth/language/plan/node.ts';
import type { Limits, PlanEdge } from '@hearth/language/plan.ts';
import type { Template } from '@hearth/language/refs/template.ts';
import type { Plan } from '../runnable.ts';

/* A chat-loop plan, written out, for the tests of the layers that run plans. */

const ref = (path: string): Template => [{ path: path.split('.'), raw: false }];

const edge = (
  from: string,
  to: string,
  mapped: Record<string, string>,
  more: Partial<PlanEdge> = {},
): PlanEdge => ({
  from,
  to,
  when: null,
  loop: null,
  with: Object.entries(mapped).map(([key, path]) => ({ key, value: ref(path) })),
  ...more,
});

const node = { input: null, output: null, await: null } as const;

/** seed → bot → gate → done, or chat → bot over `talk(cap)`. */
export function chatPlan(
  options: {
    cap?: number;
    burst?: Limits;
    lifetime?: Limits;
    agent?: Partial<AgentNode>;
    keepsSession?: boolean;
  } = {},
): Plan {
  const session =
    options.keepsSession === false
      ? {}
      : { _session_id: 'outputs.bot._session_id', _session_fingerprint: 'outputs.bot._session_fingerprint' };
  return {
    format: 1,
    name: 'sample',
    title: 'Sample',
    entry: 'seed',
    vars: [{ name: 'initial_message', type: 'string', default: '' }],
    schemas: {
      turn: {
        name: 'turn',
        fields: [
          { name: 'reply', type: 'string' },
          { name: 'close', type: 'bool' },
          { name: 'quick_replies', type: 'json' },
        ],
      },
      said: { name: 'said', fields: [{ name: 'message', type: 'string' }] },
    },
    prompts: { words: ref('input.reply'), heard: ref('input.message') },
    nodes: {
      seed: {
        ...node,
        kind: 'compute',
        name: 'seed',
        fields: [{ name: 'message', expr: { is: 'path', path: ['vars', 'initial_message'] } }],
      },
      bot: {
        ...node,
        kind: 'agent',
        name: 'bot',
        output: 'turn',
        model: null,
        backend: null,
        provider: null,
        system: null,
        user: 'heard',
        publish: null,
        session: 'inherit_if_available',
        interaction: 'human',
        tools: ['look', 'change'],
        capabilities: [],
        toolMaxSteps: null,
        maxTokens: null,
        effort: null,
        readonly: false,
        inbox: 'on',
        ...options.agent,
      },
      gate: {
        ...node,
        kind: 'compute',
        name: 'gate',
        fields: ['reply', 'close', 'quick_replies'].map(name => ({
          name,
          expr: { is: 'path', path: ['input', name] } as const,
        })),
      },
      chat: {
        ...node,
        kind: 'human',
        name: 'chat',
        output: 'said',
        pause: 'chat',
        field: 'message',
        instructions: 'words',
        interaction: 'human',
        publish: null,
      },
      done: { ...node, kind: 'done', name: 'done' },
      fail: { ...node, kind: 'fail', name: 'fail' },
    },
    edges: [
      edge('seed', 'bot', { message: 'outputs.seed.message' }),
      edge('bot', 'gate', {
        reply: 'outputs.bot.reply',
        close: 'outputs.bot.close',
        quick_replies: 'outputs.bot.quick_replies',
      }),
      edge('gate', 'done', {}, { when: { is: 'field', field: 'close', negated: false } }),
      edge('gate', 'chat', { reply: 'outputs.gate.reply', quick_replies: 'outputs.gate.quick_replies' }),
      edge('chat', 'bot', { message: 'outputs.chat.message', ...session }, { loop: 'talk' }),
    ],
    loops: {
      talk: { name: 'talk', cap: options.cap ?? 1000, body: ['bot', 'chat', 'gate'], entries: ['bot'] },
    },
    budget: { burst: options.burst ?? {}, lifetime: options.lifetime ?? {}, maxParallelBranches: null },
    seedVar: 'initial_message',
    defaultBackend: null,
    worktree: 'none',
    keeps: ['bot', 'chat', 'gate', 'seed'],
  };
}
