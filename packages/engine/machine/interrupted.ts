import type { EffectId } from '@hearth/protocol/ids.ts';
import type { Pause, RecoveryPause } from '@hearth/protocol/pause.ts';
import type { EntryOf } from '../entry.ts';
import type { Again, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { hold } from './recovery.ts';
import { cancelQueued } from './turn.ts';

/** Whether a plain message means "again" at this pause. */
export function isInterrupted(pause: Pause): pause is RecoveryPause {
  return pause.kind === 'recovery' && pause.cause === 'interrupted';
}

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
  }
}

function cancelAsks(draft: Draft, token: Token, entry: EntryOf<'interrupted'>): void {
  const { stage } = token;
  if (stage.is !== 'parked') return;
  for (const ask of stage.asks) draft.closePause(ask.pause, 'cancelled', entry.by);
  const answers = stage.asks.map(({ text, call, options, result }) => ({
    ask: text,
    options,
    result: result ?? ('cancelled' as const),
    ...(call === undefined ? {} : { call }),
  }));
  const { effect, attempt, session } = stage;
  const resume = { session, answers, interrupted: { effect, toolsStarted: [] } };
  holdInterrupted(draft, token, { attempt: attempt + 1, resume, joined: [], unseen: [] }, effect);
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
