import type { Actor } from '@hearth/protocol/actor.ts';
import type { Instant, PauseId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';

/** A pause that closed, as far as a late decision is told of it. */
export interface Settled {
  readonly pause: PauseId;
  readonly how: 'answered' | 'acted' | 'cancelled' | 'superseded';
  readonly by: Actor;
  readonly at: Instant;
  readonly action?: string;
  readonly option?: string;
  /** What a person read on the action or option, its beginning. */
  readonly label?: string;
}

/** What the judge sees of a conversation, and all that it sees. */
export interface Docket {
  /** Open pauses, oldest first. */
  readonly open: readonly Pause[];
  /** The latest closed ones; older ones are known to have existed by their number alone. */
  readonly closed: readonly Settled[];
  /** The number of the last pause ever opened here. */
  readonly lastPause: number;
  /** Actions of the shown card that stop its case; they pass while it is redrafted and whatever version they name. */
  readonly stops: (pause: Pause, action: string) => boolean;
  /** Actions that ask for another version. */
  readonly revises: (pause: Pause, action: string) => boolean;
  /** Whether the text of the shown version is no longer what it was, where it is stored. */
  readonly altered: (pause: Pause) => boolean;
  /** Whether somebody reads what is typed at a card. */
  readonly reads: (pause: Pause) => boolean;
}
