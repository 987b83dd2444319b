import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { MessageId, TurnId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { blocks, owes } from '@hearth/protocol/pause.ts';
import { headOf, type Text } from '@hearth/protocol/text.ts';
import { cancelledWords } from './facts.ts';
import type { Now } from './now.ts';

/*
 * Where a turn stands, judged from the state and from what the log tells of turns. Pure.
 */

/** How a turn ended. */
interface End {
  readonly change: 'completed' | 'failed' | 'cancelled' | 'absorbed';
  readonly into: TurnId | null;
  readonly code: string | null;
  readonly summary: string | null;
}

/** What the log tells of turns: their ends, and what the bot said and proposed in them. */
export class TurnLog {
  readonly #ends = new Map<TurnId, End>();
  readonly #replies = new Map<TurnId, Text[]>();
  readonly #proposed = new Map<TurnId, readonly string[]>();
  readonly #turnOf = new Map<MessageId, TurnId>();

  take(event: Event | UnsupportedEvent): void {
    if (event.type === 'turn') {
      this.#turnOf.set(event.message, event.turn);
      const { change, into = null, code = null, summary = null } = event;
      if (change === 'completed' || change === 'failed' || change === 'cancelled' || change === 'absorbed') {
        this.#ends.set(event.turn, { change, into, code, summary });
      }
    }
    if (event.type === 'pause.opened' && event.pause.kind === 'chat' && event.pause.turn !== null) {
      this.#proposed.set(event.pause.turn, event.pause.quickReplies);
    }
    if (event.type === 'message' && event.by.kind === 'bot' && event.turn !== undefined) {
      this.#replies.set(event.turn, [...(this.#replies.get(event.turn) ?? []), event.text]);
    }
  }

  /** The turn in which the words of `turn` are answered: itself, or the one that absorbed it. */
  following(turn: TurnId): TurnId {
    const end = this.#ends.get(turn);
    return end?.change === 'absorbed' && end.into !== null && end.into !== turn
      ? this.following(end.into)
      : turn;
  }

  end(turn: TurnId): End | null {
    return this.#ends.get(turn) ?? null;
  }

  replies(turn: TurnId): readonly Text[] {
    return this.#replies.get(turn) ?? [];
  }

  /** What the bot proposed to say next when the turn ended; `null` when the log does not tell. */
  proposed(turn: TurnId): readonly string[] | null {
    return this.#proposed.get(turn) ?? null;
  }
}

/** How a turn stands for whoever waits for it. `waiting`: a person has to do something first. */
export type Verdict =
  | { readonly is: 'settled' }
  | { readonly is: 'waiting' }
  | { readonly is: 'failed'; readonly code: string; readonly message: string };

const WAITING: Verdict = { is: 'waiting' };
const SETTLED: Verdict = { is: 'settled' };

function ended(end: End): Verdict {
  if (end.change === 'completed') return SETTLED;
  if (end.change === 'cancelled')
    return { is: 'failed', code: 'cancelled', message: cancelledWords(end.code) };
  return { is: 'failed', code: end.code ?? 'turn_failed', message: end.summary ?? 'The turn failed.' };
}

/** A draft that could not be made is a failure like any other: whoever waits is told why, and by the exit code too. */
function broken(pause: Pause, turn: TurnId): boolean {
  const fails = pause.kind === 'recovery' && (pause.cause === 'failed' || pause.cause === 'draft_failed');
  return fails && pause.turn === turn;
}

/**
 * Where the turn stands that answers `turn` (whose message may still be queued); `null` while it goes on by itself.
 * `turn` is `null` for whoever asks about the conversation as such.
 */
export function judge(
  log: TurnLog,
  now: Now,
  turn: TurnId | null,
  message: MessageId | null,
): Verdict | null {
  const target = turn === null ? null : log.following(turn);
  const end = target === null ? null : log.end(target);
  if (end !== null) return ended(end);
  const owed = now.pauses.filter(blocks);
  const failed = target === null ? undefined : owed.find(pause => broken(pause, target));
  if (failed?.kind === 'recovery') {
    return {
      is: 'failed',
      code: failed.code,
      message: failed.detail === '' ? headOf(failed.text) : failed.detail,
    };
  }
  // Where a part of the journal was lost nothing starts, whatever the turn was about to do.
  const halted = owed.some(pause => pause.kind === 'recovery' && pause.cause === 'damaged');
  const stands = halted || now.turn === null || now.turn.status === 'waiting';
  if (owed.length > 0) return stands ? WAITING : null;
  // A turn may wait for answers to questions that hold nothing else up.
  if (now.turn !== null) return now.turn.status === 'waiting' && now.pauses.some(owes) ? WAITING : null;
  // Nothing runs and nothing is owed: what is still queued is about to start, and a turn without an end in the log
  // ended before the log's boundary.
  const queued = turn === null ? now.queue.length > 0 : now.queue.some(row => row.message === message);
  return queued ? null : SETTLED;
}
