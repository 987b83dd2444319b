import { expect, it } from 'vitest';
import { backendTurn } from './backend-turn.ts';
import type { Effect } from './machine.ts';
import { isModelNode } from './runnable.ts';
import { initialState } from './state.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { sampleRun } from './testing/sample-run.ts';

const effect: Effect = {
  id: 'e1',
  kind: 'agent',
  branch: null,
  node: 'bot',
  attempt: 1,
  input: { message: 'hello' },
  resume: null,
  joined: [],
};
const run = sampleRun();

function turnOf(maxTokens: number | null) {
  const plan = chatPlan({ agent: { maxTokens } });
  const node = plan.nodes['bot'];
  if (!isModelNode(node)) throw new Error('no agent');
  return backendTurn({
    plan,
    run,
    ledgers: initialState().ledgers,
    turn: null,
    node,
    effect,
    session: { mode: 'fresh' },
    tools: [],
    model: { model: 'auto', provider: null, effort: null },
    directory: '/backend/bot',
    workspace: '/project',
    task: null,
    permission: { mode: 'off', allow: [], ask: [], deny: [] },
    calibration: '',
    files: [],
    secretPaths: new Map(),
  });
}

it('a backend is told how long an answer may be where the node says so, and else nothing', () => {
  expect(turnOf(77)).toMatchObject({ maxTokens: 77, prompt: { user: 'hello' } });
  expect(turnOf(null)).not.toHaveProperty('maxTokens');
});
