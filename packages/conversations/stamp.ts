/**
 * Makes a commit of what is to happen: pure. Events get their place in the log, words the place of their commit's last
 * event; the state that results is the fold of the commit's entries, whoever computes it.
 */
import { didIn, type WillDo } from '@hearth/engine/accept.ts';
import type { Plan } from '@hearth/engine/bot.ts';
import type { Commit } from '@hearth/engine/commit.ts';
import type { Entry, EntryBody } from '@hearth/engine/entry.ts';
import { textOf } from '@hearth/engine/long-text.ts';
import { step } from '@hearth/engine/machine.ts';
import type { State } from '@hearth/engine/state.ts';
import type { Words } from '@hearth/engine/step.ts';
import { formatCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { Event, EventBody } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import { positionOf } from './event-log.ts';

/** A receipt before its commit has a place in the log. */
export interface Unplaced extends Omit<Receipt, 'at' | 'did'> {
  readonly did: WillDo;
}

/** What is to be committed, before it has a place. */
export interface Proposal {
  readonly entries: readonly EntryBody[];
  /** Further entries that follow from the state after those before, again and again until there are none. */
  readonly follow?: (state: State) => readonly EntryBody[];
  readonly events: readonly EventBody[];
  /** What the transcript tells besides what follows from the entries. */
  readonly words?: readonly Words[];
  /** The receipt, which gets the cursor of the commit. */
  readonly receipt: Unplaced | null;
}

/** Where the commit will stand. */
export interface Place {
  readonly n: number;
  readonly fence: number;
  readonly at: string;
  readonly head: Position;
}

/** A commit and what follows from it. */
export interface Stamped {
  readonly commit: Commit;
  readonly state: State;
  readonly head: Position;
  readonly frames: readonly Frame[];
  /** Texts to be kept as blobs before the commit. */
  readonly blobs: readonly string[];
  /** Versions of artifacts to be kept before the commit. */
  readonly versions: readonly ArtifactVersion[];
}

/** `planFor` gives the plan for each entry; an entry for which there is none cannot be proposed. */
export function stamped(
  state: State,
  proposal: Proposal,
  place: Place,
  planFor: (state: State, entry: EntryBody) => Plan,
): Stamped {
  const entries: Entry[] = [];
  const bodies: EventBody[] = [];
  const words: Words[] = [];
  const blobs: string[] = [];
  const versions: ArtifactVersion[] = [];
  let next = state;
  /** What the entries that were proposed lead to, before anything follows. */
  let led: State | null = null;
  const { follow = () => [] } = proposal;
  for (let more = proposal.entries; more.length > 0; more = follow(next)) {
    for (const body of more) {
      const entry: Entry = { at: place.at, ...body };
      const made = step(planFor(next, body), next, entry);
      next = made.state;
      entries.push(entry);
      bodies.push(...made.events);
      words.push(...made.words);
      blobs.push(...made.blobs);
      versions.push(...made.versions);
    }
    led ??= next;
  }
  words.push(...(proposal.words ?? []));
  bodies.push(...proposal.events.map(event => told(event, next, blobs)));

  const events = bodies.map((body, index) => eventOf(body, place.head.seq + index + 1, place.at));
  const { epoch } = place.head;
  const positions = events.map(event => positionOf(epoch, event));
  const head = positions.at(-1) ?? place.head;
  const frames = events.map<Frame>((event, index) => ({
    frame: 'event',
    cursor: formatCursor(positions[index] ?? head),
    event,
  }));
  const { n, fence, at } = place;
  const commit: Commit = {
    n,
    fence,
    at,
    entries,
    events,
    words: words.map(line => lineOf(line, head.seq, at)),
    ...(proposal.receipt === null ? {} : { receipt: placed(proposal.receipt, led ?? state, head) }),
  };
  return { commit, state: next, head, frames, blobs, versions };
}

function placed(receipt: Unplaced, after: State, head: Position): Receipt {
  return { ...receipt, did: didIn(receipt.did, after), at: formatCursor(head) };
}

/** What the run tells by itself gets the run and turn that it belongs to; long words become a blob. */
function told(event: EventBody, { machine }: State, blobs: string[]): EventBody {
  const { run, turn } = machine;
  const about = {
    ...(run?.status === 'active' ? { run: run.id } : {}),
    ...(turn === null ? {} : { turn: turn.id }),
  };
  if (event.type !== 'narration' || typeof event.text !== 'string') return { ...about, ...event };
  const text = textOf(event.text);
  if (typeof text !== 'string') blobs.push(event.text);
  return { ...about, ...event, text };
}

/** A run or a turn event names its run; the machine always says which. */
function eventOf(body: EventBody, seq: number, at: string): Event {
  const { type, ...rest } = body;
  return { v: 1, seq, at, type, ...rest } as Event;
}

function lineOf(words: Words, seq: number, at: string): TranscriptLine {
  return { ...words, seq, at };
}
