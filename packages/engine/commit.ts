import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { Entry } from './entry.ts';
import type { State } from './state.ts';

/**
 * One line of a conversation's journal, the only truth. `n` is consecutive over the life of the epoch, `fence` the
 * number of the lease under which it was written, `sum` the check of the line, added by the journal.
 */
export interface Commit {
  readonly n: number;
  readonly fence: number;
  readonly at: string;
  readonly entries: readonly Entry[];
  readonly events: readonly Event[];
  readonly receipt?: Receipt;
  readonly words: readonly TranscriptLine[];
}

/** The state at quiescence, written whole. `generation` names the journal that follows it. */
export interface Snapshot extends State {
  readonly format: 1;
  readonly epoch: number;
  readonly generation: number;
  /** The last commit that the state contains. */
  readonly commit: number;
  /** The last event's sequence number. */
  readonly seq: number;
  /** What a recovery hands to a surface, ready made. */
  readonly view: ConversationView;
}
