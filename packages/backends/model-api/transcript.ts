import { dirname, join } from 'node:path/posix';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';
import { Line } from './line.ts';

/*
 * A session's file: JSON lines, only ever appended to, in the directory that the turn gives, so that it leaves with the
 * conversation. What `append` has resolved for is durable, so a restart changes nothing. A torn last line was never
 * acted on and is cut; a file that holds anything else that is no line counts as lost, and is left as it is.
 */

/** Ids come back from outside; one that is no plain word names no file. */
const sessionId = /^[A-Za-z0-9-]{1,64}$/;
const NEWLINE = 10;
const encoder = new TextEncoder();

/** An open transcript. `lines` holds what is durable; `append` rejects with `DiskError`, and the turn must then end. */
export class Transcript {
  readonly session: string;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #lines: Line[];
  #handle: AppendHandle | null = null;

  private constructor(disk: Disk, path: string, session: string, lines: readonly Line[]) {
    this.#disk = disk;
    this.#path = path;
    this.session = session;
    this.#lines = [...lines];
  }

  /**
   * Opens a session's file; `null` when there is none or it is damaged. A session that another node began is taken up
   * where it is, in the directory beside. Rejects with `DiskError`.
   */
  static async open(disk: Disk, directory: string, session: string): Promise<Transcript | null> {
    if (!sessionId.test(session)) return null;
    for (const place of await places(disk, directory)) {
      const path = fileOf(place, session);
      const bytes = await disk.read(path);
      if (bytes !== null) return await Transcript.#read(disk, path, session, bytes);
    }
    return null;
  }

  static async #read(
    disk: Disk,
    path: string,
    session: string,
    bytes: Uint8Array,
  ): Promise<Transcript | null> {
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    const lines = parsed(bytes.subarray(0, whole));
    const [first] = lines ?? [];
    if (lines === null || first?.line !== 'session' || first.session !== session) return null;
    if (whole < bytes.length) await disk.truncate(path, whole);
    return new Transcript(disk, path, session, lines);
  }

  /** Makes a new file that begins with `lines`; a crash leaves all of it or nothing. Rejects with `DiskError`. */
  static async create(
    disk: Disk,
    directory: string,
    session: string,
    lines: readonly Line[],
  ): Promise<Transcript> {
    const path = fileOf(directory, session);
    const head: Line = { line: 'session', format: 1, session };
    await disk.makeDirectory(dirname(path));
    await writeAtomic(disk, path, encoded([head, ...lines]));
    return new Transcript(disk, path, session, [head, ...lines]);
  }

  /** Everything so far, oldest first. */
  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** Appends lines and makes them durable. After a rejection (`DiskError`) the transcript must not be used again. */
  async append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    this.#handle ??= await this.#disk.append(this.#path);
    await this.#handle.write(encoded(lines));
    await this.#handle.sync();
    this.#lines.push(...lines);
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close().catch(() => undefined);
  }
}

/** The node's own directory first, then those of the other nodes. */
async function places(disk: Disk, directory: string): Promise<readonly string[]> {
  const beside = (await disk.list(dirname(directory))).map(name => join(dirname(directory), name));
  return [directory, ...beside.filter(place => place !== directory)];
}

function fileOf(directory: string, session: string): string {
  return join(directory, `model-api-${session}.jsonl`);
}

function encoded(lines: readonly Line[]): Uint8Array {
  return encoder.encode(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
}

/** `null` when one of the lines does not hold. */
function parsed(bytes: Uint8Array): Line[] | null {
  const lines: Line[] = [];
  for (const text of new TextDecoder().decode(bytes).split('\n')) {
    if (text === '') continue;
    const line = Line.safeParse(jsonOf(text));
    if (!line.success) return null;
    lines.push(line.data);
  }
  return lines;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
