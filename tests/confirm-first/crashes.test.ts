import type { BackendTurn } from '@hearth/engine/backend.ts';
import { session } from '@hearth/conversations/testing/sample-home.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { expect, test } from 'vitest';
import { scenario, type World } from '../scenarios/harness.ts';
import { confirmFirst, usual } from './stage.ts';

/* A whole session, run again with a crash between every two commits: see `tests/scenarios/harness.ts`. */

const STEPS: readonly (readonly [string, Act])[] = [
  ['interpretation@1', { do: 'act', action: 'revise', feedback: 'for nine people' }],
  ['interpretation@2', { do: 'act', action: 'confirm' }],
  ['approach@1', { do: 'act', action: 'change_request', feedback: 'for executives' }],
  ['interpretation@3', { do: 'act', action: 'confirm' }],
  ['approach@2', { do: 'act', action: 'confirm_standard' }],
];

function decide(pause: Pause): Act | null {
  if (pause.kind !== 'card' || pause.status === 'drafting') return null;
  const shown = `${pause.shown.artifact}@${pause.shown.version}`;
  return STEPS.find(([version]) => version === shown)?.[1] ?? null;
}

/** Gives what each node gives for what it is asked, however often it is asked. */
function world(): World {
  return {
    log: [],
    async *script(turn: BackendTurn) {
      yield session;
      yield { type: 'done', output: usual(turn), text: '' };
    },
  };
}

test('#72 a crash between any two commits loses nothing, and nothing is done twice unless a person says so', async () => {
  const ending = await scenario({
    source: confirmFirst(),
    world,
    says: ['Compare three routers'],
    answers: decide,
  });
  expect(ending.open).toEqual(['chat at home']);
  expect(ending.asked.map(line => line.split(':')[0])).toEqual([
    'draft_interpretation',
    'revise_interpretation',
    'draft_approach',
    'revise_interpretation',
    'draft_approach',
    'execute',
  ]);
  expect(ending.replies.at(-1)).toContain('The result');
});
