import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { drafted, reading, result, REVIEW_SOURCE } from '@hearth/engine/testing/review-plan.ts';
import { expect, it } from 'vitest';
import { scenario } from './harness.ts';
import { agents } from './parts.ts';

/* Reviews through the real store, with a crash between every two commits: nothing is confirmed or done that was not shown. */

/** Acts at cards in order, each at the version for which it is meant: `task@1`. */
const acts =
  (given: Readonly<Record<string, Act>>) =>
  (pause: Pause, open: readonly Pause[]): Act | null => {
    // What a crash left beside the card comes first: words are not said twice.
    if (open.some(({ kind }) => kind === 'recovery')) return null;
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

it('B11: a confirmation that was recorded is acted on once, wherever the crash was, and nothing is asked twice', async () => {
  const { log, open, state } = await scenario({
    source: REVIEW_SOURCE,
    world: agents(({ node }) => (node === 'execute' ? result('It is done.') : drafted(`DO ${node}`))),
    says: ['please'],
    answers: acts({ 'task@1': act('confirm'), 'plan@1': act('standard') }),
  });
  expect(log).toEqual(['draft_task', 'draft_plan', 'execute']);
  expect(open).toEqual(['chat at home']);
  expect(state.counters.pause).toBe(4);
});

it('typed words are read beside the card and act on the version that they were said of, over crashes', async () => {
  const { state, log } = await scenario({
    source: REVIEW_SOURCE,
    world: agents(({ node, prompt }) => {
      if (node !== 'read_words') return drafted(`DO ${node}`);
      return prompt.user.includes('Message:\nfor two')
        ? reading({ task: 'for two' })
        : reading({ agrees: true });
    }),
    says: ['please'],
    answers: acts({
      'task@1': { do: 'say', text: 'for two' },
      'task@2': { do: 'say', text: 'yes, that is it' },
      'plan@1': act('stop'),
    }),
  });
  expect(log.filter(node => node === 'read_words')).toHaveLength(2);
  expect(log).not.toContain('execute');
  expect(state.machine.run?.documents).toMatchObject({
    task: { current: { version: 2 }, status: 'closed' },
    plan: { current: { version: 1 }, status: 'closed' },
  });
});

it('a redraft that fails is withdrawn, and the version before is confirmed anew before anything is done', async () => {
  const { log, open } = await scenario({
    source: REVIEW_SOURCE,
    world: agents(({ node, prompt }) => {
      if (node === 'execute') return result('It is done.');
      return prompt.user.includes('Change: for two') ? { fails: 'auth' } : drafted(`DO ${node}`);
    }),
    says: ['please'],
    answers: pause => {
      if (pause.kind === 'recovery') return { do: 'answer', option: 'withdraw' };
      if (pause.kind !== 'card' || pause.status === 'drafting') return null;
      const { artifact, version } = pause.shown;
      if (artifact === 'task') return act('confirm');
      return version === 1 ? act('change', 'for two') : act('standard');
    },
  });
  expect(log.filter(node => node === 'draft_plan')).toHaveLength(2);
  expect(log.filter(node => node === 'execute')).toHaveLength(1);
  expect(open).toEqual(['chat at home']);
});
