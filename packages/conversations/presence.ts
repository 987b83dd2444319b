/**
 * Presence: whether a conversation rests, works, or waits for its person, and whom that is news to.
 *
 * - A change is told once; whatever happens in between without changing it is not told.
 * - A person is called once for a pause, however often it comes up again, also after a restart: what was called for is
 *   part of what is noted.
 */
import { ConversationId, Instant, PauseId } from '@hearth/protocol/ids.ts';
import type { Presence, WaitedFor } from '@hearth/protocol/presence.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { z } from 'zod';

/** The longest text of what is waited for, in characters. */
const TEXT = 512;

/**
 * A line of `presence.jsonl`. It holds no words of anybody, since it outlives the conversation; `gone` is the last line of
 * one that was removed.
 */
export const PresenceLine = z.object({
  v: z.literal(1),
  at: Instant,
  conversation: ConversationId,
  is: z.enum(['idle', 'working', 'waiting_user', 'gone']),
  pause: PauseId.exactOptional(),
  kind: z.string().exactOptional(),
  /** The number of the latest pause that a person was called for; 0 for none. */
  called: z.int().nonnegative(),
});
export type PresenceLine = z.infer<typeof PresenceLine>;

/**
 * A line as it is written. A start reads one for each conversation, and need not hold those against the schema that are
 * exactly so; any other is.
 */
const WRITTEN =
  /^\{"v":1,"at":"[\d:.TZ-]{24}","conversation":"c_[0-9a-hjkmnp-tv-z]{26}","is":"(?:idle|working|waiting_user|gone)"(?:,"pause":"p[1-9]\d{0,14}")?(?:,"kind":"[a-z]+")?,"called":(?:0|[1-9]\d{0,14})(?:,"kind":"[a-z]+")?\}$/;

/** The line that a text is; `null` when it is none. */
export function presenceLineIn(text: string): PresenceLine | null {
  try {
    const line: unknown = JSON.parse(text);
    if (isWritten(line, text)) return line;
    return PresenceLine.safeParse(line).data ?? null;
  } catch {
    return null;
  }
}

function isWritten(_line: unknown, text: string): _line is PresenceLine {
  return WRITTEN.test(text);
}

/** What was noted last of a conversation. */
export type Noted = Pick<PresenceLine, 'is' | 'pause' | 'called'>;

/** How a conversation is now, and what of that has to be noted or called out. */
export interface Observed {
  readonly presence: Presence;
  readonly noted: Noted;
  /** It is not as it was noted last. */
  readonly changed: boolean;
  /** What a person has to be called for now. */
  readonly call: WaitedFor | null;
}

/** How a conversation is. */
export function presenceOf({ state, pauses }: Pick<ConversationView, 'state' | 'pauses'>): Presence {
  const first = pauses.find(pause => pause.kind !== 'chat');
  if (first !== undefined) {
    const text = Array.from(headOf(first.text)).slice(0, TEXT).join('');
    return { is: 'waiting_user', what: { pause: first.id, kind: first.kind, text } };
  }
  return { is: state === 'working' ? 'working' : 'idle' };
}

/** Compares how it is with what was noted last; `null`: nothing was. */
export function observe(before: Noted | null, view: Pick<ConversationView, 'state' | 'pauses'>): Observed {
  const presence = presenceOf(view);
  const called = before?.called ?? 0;
  const what = presence.is === 'waiting_user' ? presence.what : null;
  // Pauses are numbered in the order in which they open, for as long as the conversation exists.
  const number = what === null ? 0 : Number(what.pause.slice(1));
  const noted: Noted = {
    is: presence.is,
    ...(what === null ? {} : { pause: what.pause }),
    called: Math.max(called, number),
  };
  const changed = before?.is !== noted.is || before.pause !== noted.pause;
  return { presence, noted, changed, call: number > called ? what : null };
}
