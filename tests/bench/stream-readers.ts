import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { machineTime } from '../crash/journal-syncs.ts';

/* Many streams of one source, read by the plainest reader that there is, since both sides share the machine. */

/** Bytes at the end of a chunk that may be the beginning of what is looked for. */
const OVERLAP = 64;

/** When a message was posted, and when the first and the last of the streams had it, on the clock of `machineTime`. */
export interface Seen {
  readonly posted: number;
  readonly first: number;
  readonly last: number;
}

/** The streams that are attached to one source. */
export class StreamReaders {
  readonly #streams: readonly IncomingMessage[];
  readonly #endsWith: string | null;
  /** Told of each stream that has what is awaited, the first one first. */
  #onSeen: () => void = () => undefined;
  #onEnded: () => void = () => undefined;
  #awaited = '';

  private constructor(streams: readonly IncomingMessage[], endsWith: string | null) {
    this.#streams = streams;
    this.#endsWith = endsWith;
    for (const [nth, stream] of streams.entries()) this.#read(stream, nth === 0);
  }

  /**
   * Attaches so many streams. `endsWith`: what they tell when all that a message set going is over; `null` when a message
   * sets nothing going.
   */
  static async attach(
    count: number,
    url: string,
    headers: Readonly<Record<string, string>>,
    endsWith: string | null,
  ): Promise<StreamReaders> {
    const opened = async (): Promise<IncomingMessage> => {
      const [answer] = await once(get(url, { headers, agent: false }), 'response');
      return answer;
    };
    return new StreamReaders(await Promise.all(Array.from({ length: count }, opened)), endsWith);
  }

  /** Posts a message, which the streams tell by `id`; resolves when all of them have and what it set going is over. */
  async message(id: string, post: () => Promise<unknown>): Promise<Seen> {
    const times: number[] = [];
    const everywhere = new Promise<void>(resolve => {
      this.#onSeen = () => {
        if (times.push(machineTime()) === this.#streams.length) resolve();
      };
    });
    const ended = new Promise<void>(resolve => {
      this.#onEnded = resolve;
      if (this.#endsWith === null) resolve();
    });
    this.#awaited = id;
    const posted = machineTime();
    await Promise.all([post(), everywhere, ended]);
    return { posted, first: times[0] ?? 0, last: times.at(-1) ?? 0 };
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #read(stream: IncomingMessage, tellsEnds: boolean): void {
    let before: Uint8Array = new Uint8Array();
    let had = '';
    stream.on('data', (chunk: Buffer) => {
      const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk]);
      before = bytes.subarray(-OVERLAP);
      if (had !== this.#awaited && bytes.includes(this.#awaited)) {
        had = this.#awaited;
        this.#onSeen();
      }
      if (!tellsEnds || this.#endsWith === null || !bytes.includes(this.#endsWith)) return;
      before = new Uint8Array();
      this.#onEnded();
    });
    stream.on('error', () => undefined);
  }
}
