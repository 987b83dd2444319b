/** What the epochs of a conversation begin with: the first one when it is created, a later one at each reset. Pure. */
import { type Counters, initialState, type State } from '@hearth/engine/state.ts';
import { formatCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { Event, EventBody } from '@hearth/protocol/event.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import { positionOf } from './event-log.ts';
import type { ConversationRecord, StagedEpoch, StoredSnapshot } from './ports.ts';
import { stamped } from './stamp.ts';
import type { Beginning } from './staging.ts';
import { viewOf } from './view.ts';

/** The epoch of a conversation that was just created. */
export function createdEpoch(record: ConversationRecord): Beginning {
  const { epoch, createdAt } = record;
  const created: Event = { v: 1, seq: 1, at: createdAt, ...about(record, 'created') };
  const boundary = { epoch, seq: 0, check: '000000' };
  const head = positionOf(epoch, created);
  const snapshot = snapshotOf(record, initialState(), { boundary, head, at: createdAt });
  return { snapshot, boundary, events: [created], commits: [] };
}

/** An epoch in which nothing has happened yet, for a conversation that has lost its state. The numbers go on. */
export function freshEpoch(
  record: ConversationRecord,
  counters: Counters,
  boundary: Position,
  at: string,
): Beginning {
  const snapshot = snapshotOf(record, initialState(counters), { boundary, head: boundary, at });
  return { snapshot, boundary, events: [], commits: [] };
}

/** Where a conversation stands when it is reset, and who resets it. */
export interface Resetting {
  readonly record: ConversationRecord;
  readonly state: State;
  readonly head: Position;
  readonly fence: number;
  readonly at: string;
  readonly receipt: Omit<Receipt, 'at'>;
}

/** What a reset writes: the new epoch, and the record that makes it the current one (docs/adr/0029). */
export interface Reset {
  /** Names the new epoch. */
  readonly record: ConversationRecord;
  readonly epoch: StagedEpoch;
}

/**
 * The epoch after a reset: nothing of the earlier one but the record, the numbers, which go on, and what a person allowed for good. Its first commit
 * tells of the reset and carries its receipt, so that the reset and its receipt are durable together.
 */
export function resetEpoch({ record: before, state, head, fence, at, receipt }: Resetting): Reset {
  const record = { ...before, epoch: before.epoch + 1 };
  const boundary = { ...head, epoch: record.epoch };
  // What a person allowed for good is the conversation's, not the epoch's.
  const fresh = { ...initialState(state.counters), rules: [...state.rules] };
  const proposal = {
    entries: [],
    events: [about(record, 'reset')],
    words: [{ is: 'mark', turn: null, mark: 'reset', text: 'began anew' }],
    receipt,
  } as const;
  const { commit } = stamped(fresh, proposal, { n: 1, fence, at, head: boundary }, () => {
    throw new Error('A reset has no entries.');
  });
  const snapshot = snapshotOf(record, fresh, { boundary, head: boundary, at });
  return { record, epoch: { snapshot, commit } };
}

function about(
  { title, bot, scope }: ConversationRecord,
  change: 'created' | 'reset',
): Extract<EventBody, { type: 'conversation' }> {
  return { type: 'conversation', change, title, bot, scope };
}

function snapshotOf(
  record: ConversationRecord,
  state: State,
  { boundary, head, at }: { readonly boundary: Position; readonly head: Position; readonly at: string },
): StoredSnapshot {
  const place = { revision: 0, retained: formatCursor(boundary), head: formatCursor(head) };
  return {
    ...state,
    format: 1,
    epoch: record.epoch,
    generation: 1,
    commit: 0,
    seq: head.seq,
    view: viewOf(record, state, null, place),
    updatedAt: at,
  };
}
