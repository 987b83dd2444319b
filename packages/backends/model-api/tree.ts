import { z } from 'zod';
import { type Entry, Line, Place } from './line.ts';

/*
 * What a transcript's file says, as a tree. Pure. Every entry names the one that it follows, and its number is its place in
 * the file, so that a parent always stands before it. A session is the latest entry below the line that began it: going on,
 * trying again from an earlier entry and forking only ever add entries.
 */

const NEWLINE = 10;
/** The first line. */
const Head = z.object({ line: z.literal('tree'), format: z.literal(2), tree: z.string() });
/** The first line of files that were no trees: each line follows the one before it. */
const OldHead = z.object({ line: z.literal('session'), format: z.literal(1), session: z.string() });
const encoder = new TextEncoder();

/** A file as it was read. */
export interface Read {
  readonly tree: string;
  readonly entries: readonly Entry[];
  /** Bytes up to the end of the last whole line; what is behind was never acted on. */
  readonly whole: number;
  /** It is of the format before this one. */
  readonly old: boolean;
}

/** Reads a file; `null` when anything but its end is damaged. */
export function treeIn(bytes: Uint8Array): Read | null {
  const whole = bytes.lastIndexOf(NEWLINE) + 1;
  const values = new TextDecoder()
    .decode(bytes.subarray(0, whole))
    .split('\n')
    .filter(text => text !== '')
    .map(jsonOf);
  const old = OldHead.safeParse(values[0]);
  if (old.success) {
    const placed = values.map((value, id) => entryOf(value, { id, parent: id === 0 ? null : id - 1 }));
    return read(old.data.session, placed, whole, true);
  }
  const head = Head.safeParse(values[0]);
  if (!head.success) return null;
  return read(
    head.data.tree,
    values.slice(1).map(value => entryOf(value, Place.safeParse(value).data)),
    whole,
    false,
  );
}

function read(tree: string, found: readonly (Entry | null)[], whole: number, old: boolean): Read | null {
  const entries = found.filter(entry => entry !== null);
  const sound = entries.every(
    ({ id, parent }, at) => id === at && (parent === null ? at === 0 : parent < at),
  );
  const [root] = entries;
  if (entries.length < found.length || !sound) return null;
  return root?.line === 'session' && root.session === tree ? { tree, entries, whole, old } : null;
}

function entryOf(value: unknown, place: z.infer<typeof Place> | undefined): Entry | null {
  const line = Line.safeParse(value);
  return line.success && place !== undefined ? { ...line.data, ...place } : null;
}

/** The latest entry of each session. */
export function leavesOf(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const sessions: string[] = [];
  const leaves = new Map<string, number>();
  for (const entry of entries) {
    const session = entry.line === 'session' ? entry.session : (sessions[entry.parent ?? 0] ?? '');
    sessions.push(session);
    leaves.set(session, entry.id);
  }
  return leaves;
}

/** An entry and all that it follows, from the root on. */
export function pathTo(entries: readonly Entry[], leaf: number): Entry[] {
  const path: Entry[] = [];
  for (let at: number | null = leaf; at !== null; ) {
    const entry: Entry | undefined = entries[at];
    if (entry === undefined) break;
    path.push(entry);
    at = entry.parent;
  }
  return path.reverse();
}

/** The bytes of a new file. */
export function headed(tree: string, entries: readonly Entry[]): Uint8Array {
  return encoder.encode(`${JSON.stringify({ line: 'tree', format: 2, tree })}\n${written(entries)}`);
}

/** The bytes of entries that are added to a file. */
export function added(entries: readonly Entry[]): Uint8Array {
  return encoder.encode(written(entries));
}

function written(entries: readonly Entry[]): string {
  return entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
