import type { EffectId } from '@hearth/protocol/ids.ts';
import type { EntryOf } from '../entry.ts';
import type { Again, Token } from '../state.ts';
import { againOfReady } from './again.ts';
import { cancelledAsks } from './asks.ts';
import type { Draft } from './draft.ts';
import { endsOn } from './ends.ts';
import { hold } from './recovery.ts';
import { cancelQueued } from './turn.ts';

/**
 * A person interrupted a turn. A queued one is taken back. A running one is marked, and waits in a recovery when its
 * backend has stopped. One that waits for a person has what it asked cancelled, never answered. The turn itself stays:
 * it can be taken up again, by a plain message too, or given up by "stop".
 */
export function interrupted(draft: Draft, entry: EntryOf<'interrupted'>): void {
  const queued = draft.state.inbox.find(message => message.turn === entry.turn);
  if (queued !== undefined) cancelQueued(draft, queued);
  const { run } = draft;
  if (draft.machine.turn?.id !== entry.turn || run === null) return;
  for (const token of run.tokens) {
    if (token.stage.is === 'running') token.stage.interrupted = true;
    else if (token.stage.is === 'parked') cancelAsks(draft, token, entry);
    else if (token.stage.is === 'held') cancelInput(draft, token, entry);
    else if (token.stage.is === 'ready' && !startsAtOnce(draft, token)) stopReady(draft, token);
  }
}

/** Whether the effect of the token is about to start, so that the interrupt is heard by that. */
function startsAtOnce(draft: Draft, { branch, node, stage }: Token): boolean {
  if (stage.is !== 'ready' || branch !== null || stage.retryAt !== undefined) return false;
  // What is worked out starts nothing that could hear it: a long loop of that is stopped between two steps.
  return draft.plan.nodes[node]?.kind !== 'compute';
}

/** What has not begun does not begin: a branch's next step, or what failed and would be tried again. */
function stopReady(draft: Draft, token: Token): void {
  if (token.stage.is !== 'ready') return;
  const { retryAt } = token.stage;
  if (endsOn(draft, token, 'interrupted')) return;
  const what = retryAt === undefined ? `before "${token.node}" began` : 'while it waited to try again';
  const detail = `${draft.plan.title} was interrupted ${what}.`;
  const kind = draft.plan.nodes[token.node]?.kind;
  // A message has nothing to join at a program, nor at what is worked out.
  const cause = kind === 'tool' ? 'uncertain' : kind === 'compute' ? 'paused' : 'interrupted';
  hold(draft, token, { cause, code: 'interrupted', detail }, againOfReady(token.stage));
}

function cancelAsks(draft: Draft, token: Token, entry: EntryOf<'interrupted'>): void {
  const { stage } = token;
  if (stage.is !== 'parked') return;
  const { effect } = stage;
  const again = cancelledAsks(draft, stage, entry.by);
  if (!endsOn(draft, token, 'interrupted')) holdInterrupted(draft, token, again, effect);
}

/** Only what asks for data is cancelled; a recovery waits for its own decision. */
function cancelInput(draft: Draft, token: Token, entry: EntryOf<'interrupted'>): void {
  const { stage } = token;
  const pause = draft.machine.pauses.find(open => stage.is === 'held' && open.id === stage.pause);
  if (pause?.kind !== 'input') return;
  draft.closePause(pause.id, 'cancelled', entry.by);
  holdInterrupted(draft, token, null);
}

function holdInterrupted(draft: Draft, token: Token, again: Again | null, effect?: EffectId): void {
  const detail = `${draft.plan.title} was interrupted while it waited for an answer.`;
  const trouble = { cause: 'interrupted', code: 'interrupted', detail } as const;
  hold(draft, token, effect === undefined ? trouble : { ...trouble, effect }, again);
}
