import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import { didIn, judgeMessage } from '../accept.ts';
import { compute } from '../compute.ts';
import type { EntryBody } from '../entry.ts';
import { apply, judge, ready } from '../machine.ts';
import { initialState, type State } from '../state.ts';
import { chatPlan } from '../testing/sample-plan.ts';

const at = '2026-01-01T00:00:00.000Z';
const digest = `sha256:${'0'.repeat(64)}` as const;
const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;
const plan = chatPlan();
let commands = 0;
const commandId = (): string => `command-${String(++commands).padStart(12, '0')}`;
const enter = (state: State, ...entries: EntryBody[]): State =>
  entries.reduce((folded, entry) => apply(plan, folded, { at, ...entry }), state);

function send(state: State, text: string) {
  const sent = { text, delivery: 'queue', workspace: null, by: ada } as const;
  const judged = judgeMessage(plan, state, { ...sent, commandId: commandId(), planDigest: digest, at });
  if ('refused' in judged) throw new Error(judged.refused.code);
  const after = enter(state, judged.entry);
  return { state: after, did: didIn(judged.did, after) };
}

function answer(state: State, cause: string, option: string): State {
  const pause = state.machine.pauses.find(open => open.kind === 'recovery' && open.cause === cause);
  const act = { do: 'answer', option } as const;
  const judged = judge(plan, state, { commandId: commandId(), pause: pause!.id, act, actor: ada });
  if ('refused' in judged) throw new Error(judged.refused.code);
  return enter(state, judged.entry);
}

/** Works out the compute nodes that are ready, as the run does. */
function worked(state: State): State {
  const effect = ready(plan, state).find(found => found.kind === 'compute');
  const node = plan.nodes[effect?.node ?? ''];
  const { run } = state.machine;
  if (effect === undefined || node?.kind !== 'compute' || run === null) return state;
  const { id, branch, kind, attempt } = effect;
  const outcome = compute(plan, run, node, effect.input, state.ledgers);
  return worked(
    enter(
      state,
      { is: 'intended', effect: { id, branch, node: effect.node, kind, attempt, backend: null } },
      { is: 'ended', effect: id, outcome, spend: NO_SPEND },
    ),
  );
}

/** A turn that was at work when the service died, in a conversation that has lost a part of its journal. */
function struck(): State {
  const begun = worked(send(initialState(), 'begin').state);
  const [effect] = ready(plan, begun);
  const { id, branch, node, kind, attempt } = effect!;
  return enter(
    begun,
    { is: 'intended', effect: { id, branch, node, kind, attempt, backend: null } },
    { is: 'damaged', detail: 'A part of the journal was lost.' },
    { is: 'restarted', effects: [id] },
  );
}

describe('a message after a part of the journal was lost', () => {
  it('waits in the queue, and takes up no interrupted turn before a person has seen the loss', () => {
    const { state, did } = send(struck(), 'go on');
    expect(did.as).toBe('queued');
    expect(state.inbox.map(queued => queued.text)).toEqual(['go on']);
    expect(state.machine.turn).toMatchObject({ id: 't1', status: 'waiting' });
    expect(state.machine.pauses).toMatchObject([{ cause: 'damaged' }, { cause: 'interrupted' }]);
  });

  it('means "again" as ever once the loss was seen', () => {
    const { state, did } = send(answer(struck(), 'damaged', 'go_on'), 'go on');
    expect(did.as).toBe('started');
    expect(ready(plan, state)).toMatchObject([{ attempt: 2, joined: [{ text: 'go on' }] }]);
  });

  it('starts nothing when the turn was taken up before the loss was seen, and everything after', () => {
    const taken = answer(struck(), 'interrupted', 'again');
    expect(ready(plan, taken)).toEqual([]);
    expect(ready(plan, answer(taken, 'damaged', 'go_on'))).toHaveLength(1);
  });
});
