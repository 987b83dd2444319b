import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Recovery } from '@hearth/protocol/recovery.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Page } from './answers.ts';
import { Calls } from './calls.ts';
import type { ClientOptions } from './client-options.ts';
import type { PlacedEvent, StreamFrame } from './frame.ts';
import { HearthProblem, unreadable } from './problem.ts';
import type { Read, Reader, Readers } from './readers.ts';
import { trusted } from './readers.ts';
import type { FollowOptions } from './stream.ts';
import { follow } from './stream.ts';

/*
 * The client for programs that are not a part of this one, in a page or in Node: every call and the stream with its
 * recovery, with the types of the protocol and without its validator. The service is taken at its word; only what tells
 * one kind of answer from another is looked at, so that a newer service's events and frames keep their place as
 * `unsupported` here too.
 */

export { HearthProblem };

/** A table over a union, so that the compiler misses whatever is missing here. */
const EVENTS: Readonly<Record<Event['type'], true>> = {
  conversation: true,
  message: true,
  'message.moved': true,
  narration: true,
  run: true,
  turn: true,
  node: true,
  tool: true,
  'pause.opened': true,
  'pause.changed': true,
  'pause.closed': true,
  artifact: true,
  budget: true,
  session: true,
  rule: true,
  context: true,
  ticket: true,
  notice: true,
};
const FRAMES: Readonly<Record<Frame['frame'], true>> = {
  event: true,
  draft: true,
  presence: true,
  heartbeat: true,
  recover: true,
  cut: true,
};

function placed(row: { readonly cursor: Cursor; readonly event: Event }): PlacedEvent {
  if (Object.hasOwn(EVENTS, row.event.type)) return row;
  const { seq, at, type } = row.event;
  const event: UnsupportedEvent = { v: 1, seq, at, type: 'unsupported', name: type };
  return { cursor: row.cursor, event };
}

const page: Reader<Page> = {
  safeParse: value => {
    const read: Read<Page & { readonly events: readonly { cursor: Cursor; event: Event }[] }> =
      trusted.safeParse(value);
    return read.success
      ? { success: true, data: { ...read.data, events: read.data.events.map(placed) } }
      : { success: false };
  },
};

/** Text as JSON that is taken for what the caller expects. */
function json<T>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function frame(data: string): StreamFrame | null {
  const read = json<Frame>(data);
  if (typeof read?.frame !== 'string') return null;
  if (read.frame === 'event') return { frame: 'event', ...placed(read) };
  return Object.hasOwn(FRAMES, read.frame) ? read : { frame: 'unsupported', name: read['frame'] };
}

/** What is looked at of an answer that is none of success. */
type Refused = Partial<Recovery & { readonly detail: string }> | null | undefined;

function problem(what: string, status: number, body: unknown): HearthProblem {
  const { code, detail, view = null } = (body as Refused) ?? {};
  if (typeof code !== 'string' || typeof detail !== 'string') return unreadable(what, status);
  return new HearthProblem({ code, status, detail, view });
}

function recovery(status: number, body: unknown): Recovery | undefined {
  return status === 409 && typeof (body as Refused)?.resetCursor === 'string'
    ? (body as Recovery)
    : undefined;
}

const trusting: Readers = {
  artifact: trusted,
  audit: trusted,
  blob: trusted,
  botCheck: trusted,
  bots: trusted,
  conversationList: trusted,
  dispatch: trusted,
  history: trusted,
  importReport: trusted,
  loginCode: trusted,
  models: trusted,
  modelTrial: trusted,
  page,
  reply: trusted,
  retention: trusted,
  run: trusted,
  runs: trusted,
  session: trusted,
  status: trusted,
  ticket: trusted,
  ticketList: trusted,
  trace: trusted,
  trash: trusted,
  view: trusted,
  frame,
  problem,
  recovery,
};

/** What a client needs; where nothing else is given, ids are random UUIDs and it is a `script` of a `caller`. */
export type LeanOptions = Pick<ClientOptions, 'address'> & Partial<Omit<ClientOptions, 'address'>>;

/** All calls of one service, and its streams. */
export class LeanClient extends Calls {
  constructor(options: LeanOptions) {
    const defaults = { surface: 'script', name: 'script', kind: 'caller' } as const;
    super({ ...defaults, newCommandId: () => crypto.randomUUID(), ...options }, trusting);
  }

  /**
   * Follows a conversation until the signal is aborted, over any number of connections; see `follow`. A `recover` frame
   * says that events are missing, and carries the state to go on from.
   */
  follow(c: ConversationId, options: Omit<FollowOptions, 'clock'>): Promise<void> {
    return follow(this, c, { ...options, clock: this.timers });
  }
}
