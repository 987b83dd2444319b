import type { Pause, RecoveryPause } from '@hearth/protocol/pause.ts';
import type { EntryOf } from '../entry.ts';
import type { Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { hold } from './recovery.ts';
import { cancelQueued, endTurn } from './turn.ts';

/** Whether a plain message means "again" at this pause. */
export function isInterrupted(pause: Pause): pause is RecoveryPause {
  return pause.kind === 'recovery' && pause.cause === 'interrupted';
}

/**
 * A person interrupted a turn. A queued one is taken back. A running one is marked, and ends when its backend has
 * stopped. One that waits has its questions cancelled, never answered, and can be taken up again.
 */
export function interrupted(draft: Draft, entry: EntryOf<'interrupted'>): void {
  const queued = draft.state.inbox.find(message => message.turn === entry.turn);
  if (queued !== undefined) cancelQueued(draft, queued);
  const { run } = draft;
  if (draft.machine.turn?.id !== entry.turn || run === null) return;
  for (const token of run.tokens) {
    const { stage } = token;
    if (stage.is === 'running') stage.interrupted = true;
    else if (stage.is === 'parked') cancelAsks(draft, token, entry);
  }
  // What still runs ends the turn when it has stopped.
  if (!run.tokens.some(token => token.stage.is === 'running')) endTurn(draft, 'cancelled', 'interrupted');
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
  const detail = `${draft.plan.title} was interrupted while it waited for an answer.`;
  hold(
    draft,
    token,
    { cause: 'interrupted', code: 'interrupted', detail, effect: stage.effect },
    {
      attempt: stage.attempt + 1,
      resume: {
        session: stage.session,
        answers,
        interrupted: { effect: stage.effect, toolsStarted: [], unseen: [] },
      },
      unseen: [],
    },
  );
}
