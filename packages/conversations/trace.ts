/**
 * The trace of each run, `traces/<run>.jsonl`: the commits of the journal as they were, kept beyond the snapshot that
 * replaces them, for looking at a run and for recording it (docs/adr/0045).
 *
 * - It is advice: it is not synced, nothing waits for it for longer than its write, and no failure of it fails a command.
 *   What a crash of the process cuts off is still in the journal, and written with the next snapshot.
 * - A file is bounded: at `TRACE_LIMIT` bytes its older half goes, and its first line counts the commits that went. Of a
 *   conversation's runs the latest `TRACES_KEPT` are kept.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Commit } from '@hearth/engine/commit.ts';
import { RunId } from '@hearth/protocol/ids.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { CommitLine } from './commit-line.ts';
import { lightLine } from './light-line.ts';
import type { RunTrace, TraceLine } from './ports.ts';

/** Bytes of one run's trace at which its older half goes. */
export const TRACE_LIMIT = 2 * 1024 * 1024;
/** How many runs of an epoch keep their trace. */
export const TRACES_KEPT = 16;
/** Of a commit of more characters only how it went is kept. */
const LINE_LIMIT = 256 * 1024;

const Header = z.object({ format: z.literal(1), run: RunId, dropped: z.int().nonnegative() });
type Header = z.infer<typeof Header>;

const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The traces of one epoch. `push` returns at once; `keep` writes what the next snapshot drops from the journal, and
 * never rejects.
 */
export class Traces {
  readonly #disk: Disk;
  readonly #root: string;
  /** Commits since the snapshot, which the journal holds too. */
  #since: Commit[];
  /** The run to which a commit without events belongs. */
  #run: RunId | null;
  /** Sizes of the files that were appended to. */
  readonly #sizes = new Map<RunId, number>();

  /** `commits` are those that the journal holds, `run` the one that the snapshot before them was in. */
  constructor(disk: Disk, root: string, run: RunId | null, commits: readonly Commit[]) {
    this.#disk = disk;
    this.#root = root;
    this.#run = run;
    this.#since = [...commits];
  }

  push(commit: Commit): void {
    this.#since.push(commit);
  }

  /** Writes what the journal is about to lose. Never rejects. */
  async keep(): Promise<void> {
    const kept = this.#since.length;
    const groups = this.#groups();
    try {
      for (const { run, commits } of groups) await this.#append(run, commits);
    } catch {
      // The conversation goes on without this part of its trace; the gap shows in the commits' numbers.
    }
    this.#run = groups.at(-1)?.run ?? this.#run;
    this.#since = this.#since.slice(kept);
  }

  /** The runs of which there is a trace, oldest first. */
  async runs(): Promise<readonly RunId[]> {
    // Looked at first: what a snapshot writes meanwhile is then known twice and not missed.
    const open = this.#groups().map(group => group.run);
    const kept = await this.#names();
    return [...new Set([...kept, ...open])].sort(byNumber);
  }

  /** A run's trace; `null` when there is none. */
  async read(run: RunId): Promise<RunTrace | null> {
    const open = this.#groups().filter(group => group.run === run);
    const file = await this.#file(run);
    if (file === null && open.length === 0) return null;
    const last = file?.lines.at(-1)?.n ?? 0;
    const more = open
      .flatMap(group => group.commits)
      .filter(commit => commit.n > last)
      .map(traceLine);
    return { dropped: file?.dropped ?? 0, lines: [...(file?.lines ?? []), ...more] };
  }

  /** Commits in order, by the run that they belong to; those before the first run belong to none. */
  #groups(): { run: RunId; commits: Commit[] }[] {
    const groups: { run: RunId; commits: Commit[] }[] = [];
    let run = this.#run;
    for (const commit of this.#since) {
      run = commit.events.findLast(event => event.run !== undefined)?.run ?? run;
      if (run === null) continue;
      const group = groups.at(-1);
      if (group?.run === run) group.commits.push(commit);
      else groups.push({ run, commits: [commit] });
    }
    return groups;
  }

  async #append(run: RunId, commits: readonly Commit[]): Promise<void> {
    const path = this.#path(run);
    let size = this.#sizes.get(run);
    if (size === undefined) {
      size = (await this.#disk.stat(path))?.bytes ?? 0;
      if (size === 0) await this.#begin();
    }
    const head = size === 0 ? `${JSON.stringify({ format: 1, run, dropped: 0 } satisfies Header)}\n` : '';
    // The line feed in front parts it from what a crash may have torn.
    const bytes = encoder.encode(`${head}\n${commits.map(commit => `${lineOf(commit)}\n`).join('')}`);
    const handle = await this.#disk.append(path);
    try {
      await handle.write(bytes);
    } finally {
      await handle.close();
    }
    this.#sizes.set(run, size + bytes.length);
    if (size + bytes.length > TRACE_LIMIT) await this.#halve(run);
  }

  /** Makes room for another run's trace. */
  async #begin(): Promise<void> {
    await this.#disk.makeDirectory(this.#root);
    const names = await this.#names();
    for (const old of names.slice(0, Math.max(0, names.length - TRACES_KEPT + 1))) {
      await this.#disk.remove(this.#path(old));
      this.#sizes.delete(old);
    }
  }

  /** Keeps the later half as the bytes it is, and counts the commits that go. */
  async #halve(run: RunId): Promise<void> {
    const bytes = await this.#disk.read(this.#path(run));
    if (bytes === null) return;
    const cut = bytes.indexOf(NEWLINE, bytes.length - TRACE_LIMIT / 2);
    const half = cut === -1 ? bytes.length : cut + 1;
    const [first = '', ...going] = decoder.decode(bytes.subarray(0, half)).split('\n');
    const before = parsed(Header, first)?.dropped ?? 0;
    let last = 0;
    let dropped = before;
    for (const text of going) {
      const n = numberOf(text);
      if (n <= last) continue;
      last = n;
      dropped += 1;
    }
    const header = encoder.encode(`${JSON.stringify({ format: 1, run, dropped } satisfies Header)}\n`);
    const whole = Buffer.concat([header, bytes.subarray(half)]);
    await writeAtomic(this.#disk, this.#path(run), whole);
    this.#sizes.set(run, whole.length);
  }

  /** What the file holds: what cannot be read is passed over, and what is there twice is taken once. */
  async #file(run: RunId): Promise<{ dropped: number; lines: TraceLine[] } | null> {
    const bytes = await this.#disk.read(this.#path(run));
    if (bytes === null) return null;
    const [first = '', ...rest] = decoder.decode(bytes).split('\n');
    const header = parsed(Header, first);
    const lines: TraceLine[] = [];
    for (const text of rest) {
      const line = text === '' ? null : parsed(Line, text);
      if (line !== null && line.n > (lines.at(-1)?.n ?? 0)) lines.push(line);
    }
    return { dropped: header?.dropped ?? 0, lines };
  }

  async #names(): Promise<RunId[]> {
    const names = await this.#disk.list(this.#root);
    return names
      .flatMap(name => {
        const run = RunId.safeParse(name.replace(/\.jsonl$/, ''));
        return run.success && name.endsWith('.jsonl') ? [run.data] : [];
      })
      .sort(byNumber);
  }

  #path(run: RunId): string {
    return join(this.#root, `${run}.jsonl`);
  }
}

const Line = z.custom<TraceLine>(
  value => CommitLine.safeParse({ words: [], fence: 0, ...record(value) }).success,
);

function record(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function traceLine({ n, at, entries, events }: Commit): TraceLine {
  return { n, at, entries, events };
}

/** The commit's number, which a line begins with; 0 for what is no line. */
function numberOf(text: string): number {
  return Number(/^\{"n":(\d{1,15}),/.exec(text)?.[1] ?? 0);
}

function lineOf(commit: Commit): string {
  const text = JSON.stringify(traceLine(commit));
  if (text.length <= LINE_LIMIT) return text;
  return JSON.stringify(lightLine(traceLine(commit), text.length, LINE_LIMIT));
}

function byNumber(a: RunId, b: RunId): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}
