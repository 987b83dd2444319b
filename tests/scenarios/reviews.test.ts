import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { drafted, result, REVIEW_SOURCE } from '@hearth/engine/testing/review-plan.ts';
import { expect, it } from 'vitest';
import { scenario } from './harness.ts';
import { agents } from './parts.ts';

/* Reviews through the real store, with a crash between every two commits: nothing is confirmed or done that was not shown. */

/** Acts at cards in order, each at the version for which it is meant: `task@1`. */
const acts =
  (given: Readonly<Record<string, Act>>) =>
  (pause: Pause): Act | null => {
    if (pause.kind === 'input') return { do: 'answer', fields: { data: '42' } };
    if (pause.kind !== 'card' || pause.status === 'drafting') return null;
    return given[`${pause.shown.artifact}@${pause.shown.version}`] ?? null;
  };

const act = (action: string, feedback?: string): Act =>
  feedback === undefined ? { do: 'act', action } : { do: 'act', action, feedback };

const world = agents(({ node, prompt }) => {
  if (node === 'execute')
    return prompt.user.includes('data: 42') ? result('It is done.') : result('How many?', 'request_input');
  return drafted(`DO what ${node} says`);
});

it('a task is revised, a plan sent back and both confirmed before anything is done', async () => {
  const { replies, open, log, state } = await scenario({
    source: REVIEW_SOURCE,
    world,
    says: ['please'],
    answers: acts({
      'task@1': act('revise', 'for two'),
      'task@2': act('confirm'),
      'plan@1': act('change', 'for three'),
      'task@3': act('confirm'),
      'plan@2': act('pseudo'),
    }),
  });
  expect(replies).toEqual(['It is done.']);
  expect(open).toEqual(['chat at home']);
  expect(log.filter(line => line.startsWith('execute'))).toHaveLength(2);
  expect(state.machine.run?.documents).toMatchObject({
    task: { current: { version: 3 }, status: 'confirmed' },
    plan: { current: { version: 2 }, status: 'confirmed', from: [{ artifact: 'task', version: 3 }] },
  });
});
