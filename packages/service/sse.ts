import type { ServerResponse } from 'node:http';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Frame, HomeFrame } from '@hearth/protocol/frame.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { BodyOutlet, ConnectionOutlet, type Outlet, PATIENCE_MS } from './outlet.ts';
import { ProblemError } from './problem.ts';

/*
 * Server-sent events, one consumer each. Guarantees: frames go out in the order in which they came; an event's `id:`
 * is its cursor, so a consumer that comes back with `Last-Event-ID` continues where it stopped; what waits for a slow
 * consumer is bounded, and beyond the bound it is told where to resume and cut off; the backlog waits for a consumer that
 * reads it, and only so long; a consumer that left costs nothing.
 */

/** Bytes that may wait for one consumer. */
export const BUFFER_LIMIT = 4 * 1024 * 1024;
/** Frames of one moment go out together, as long as they take no more than this part of the bound. */
const TOGETHER = 1 / 64;
const HEARTBEAT_MS = 15_000;
/** Streams of all consumers together. */
const STREAM_LIMIT = 256;

/**
 * Starts a source of frames; the result ends it. What the source has in stock already it hands over when `ready` says
 * so: `null` means now.
 */
export type Attach = (
  on: (frame: Frame | HomeFrame) => void,
  ready: () => Promise<void> | null,
) => Promise<() => void>;

/** All open streams of the service, so that a stop can end them. */
export class Streams {
  readonly #clock: Clock;
  readonly #open = new Set<Consumer>();
  readonly #limit: number;
  readonly #bufferLimit: number;
  #cancelHeartbeat: (() => void) | null = null;
  /** Consumers with frames of this moment. */
  #gathered: Consumer[] = [];

  constructor(clock: Clock, limits: { readonly streams?: number; readonly buffer?: number } = {}) {
    this.#clock = clock;
    this.#limit = limits.streams ?? STREAM_LIMIT;
    this.#bufferLimit = limits.buffer ?? BUFFER_LIMIT;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Ends every stream because the service stops, and says so. */
  end(): void {
    for (const consumer of this.#open) consumer.cut('stopping');
  }

  /** Ends every stream without a word, so that whoever may still listen comes back. */
  drop(): void {
    for (const consumer of this.#open) consumer.end();
  }

  /**
   * `from` is where the consumer stands, for a cut that comes before the first event; `outgoing` the answer on its
   * connection, which is then written to at once. Throws `too_many_streams`.
   */
  async serve(attach: Attach, from: Cursor, outgoing: ServerResponse | null = null): Promise<Response> {
    if (this.#open.size >= this.#limit) {
      throw new ProblemError(
        'too_many_streams',
        `${this.#limit} streams are open already: close a surface and try again.`,
      );
    }
    const consumer = new Consumer({
      clock: this.#clock,
      limit: this.#bufferLimit,
      from,
      outgoing,
      onFrame: one => this.#gather(one),
      onEnd: one => this.#left(one),
    });
    this.#open.add(consumer);
    if (this.#cancelHeartbeat === null) this.#beat();
    // The backlog flows while it is read; whoever waited for all of it here would have it pile up.
    void attach(consumer.send, consumer.ready).then(consumer.source, consumer.end);
    return consumer.response;
  }

  /** What came in this moment goes out at its end, to everybody in one go. */
  #gather(consumer: Consumer): void {
    if (this.#gathered.push(consumer) > 1) return;
    queueMicrotask(() => {
      const gathered = this.#gathered;
      this.#gathered = [];
      for (const one of gathered) one.flush();
    });
  }

  #left(consumer: Consumer): void {
    this.#open.delete(consumer);
    if (this.#open.size > 0) return;
    this.#cancelHeartbeat?.();
    this.#cancelHeartbeat = null;
  }

  /** One beat for everybody. */
  #beat(): void {
    this.#cancelHeartbeat = this.#clock.after(HEARTBEAT_MS, () => {
      this.#beat();
      const beat = { frame: 'heartbeat', at: instant(this.#clock) } as const;
      for (const consumer of this.#open) consumer.send(beat);
    });
  }
}

type Cut = Extract<Frame, { frame: 'cut' }>;

/** What a consumer is made of. */
interface ConsumerParts {
  readonly clock: Clock;
  readonly limit: number;
  readonly from: Cursor;
  readonly outgoing: ServerResponse | null;
  /** Frames of this moment are there, and are to be flushed at its end. */
  onFrame(consumer: Consumer): void;
  onEnd(consumer: Consumer): void;
}

class Consumer {
  readonly response: Response;
  readonly #parts: ConsumerParts;
  readonly #limit: number;
  /** `null` once the stream has ended. */
  #outlet: Outlet | null;
  /** Frames of this moment, which go out as one chunk at its end. */
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #resumeFrom: Cursor;
  #detach: (() => void) | null = null;
  /** Ends the wait for a consumer to take something. */
  #wake: (() => void) | null = null;

  constructor(parts: ConsumerParts) {
    const { limit, from, outgoing } = parts;
    this.#parts = parts;
    this.#limit = limit;
    this.#resumeFrom = from;
    const ends = { taken: () => this.#taken(), left: () => this.end() };
    const outlet =
      outgoing === null
        ? new BodyOutlet(limit, HEADERS, ends)
        : new ConnectionOutlet(outgoing, parts.clock, HEADERS, ends);
    this.#outlet = outlet;
    this.response = outlet.response;
    // The first bytes carry the headers to the consumer at once.
    outlet.write(ATTACHED);
  }

  /** Takes over what ends the source, once the backlog is through; a consumer that ended meanwhile ends it at once. */
  readonly source = (detach: () => void): void => {
    if (this.#outlet === null) detach();
    else this.#detach = detach;
  };

  /** Resolves when half of the bound is free again, or the consumer has ended; `null` when it is free now. */
  readonly ready = (): Promise<void> | null => {
    if (this.#outlet === null || this.#room >= this.#limit / 2) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.clock.after(PATIENCE_MS, () => this.cut('consumer_too_slow'));
    this.#wake = () => {
      cancel();
      this.#wake = null;
      resolve();
    };
    return promise;
  };

  readonly send = (frame: Frame | HomeFrame): void => {
    if (this.#outlet === null) return;
    if (frame.frame === 'cut') {
      this.#last(frame);
      return;
    }
    const room = this.#room;
    // A draft is repeated whole by the next one, so a slow consumer loses nothing with it.
    if (frame.frame === 'draft' && room < this.#limit / 2) return;
    const bytes = written(frame);
    // A frame larger than the whole bound still passes when nothing waits before it, or no consumer could pass it.
    if (bytes.length > room && room < this.#limit - 64) {
      this.cut('consumer_too_slow');
      return;
    }
    this.#gather(bytes);
    if (frame.frame === 'event') this.#resumeFrom = frame.cursor;
    if (frame.frame === 'recover') this.#resumeFrom = frame.recovery.resetCursor;
  };

  /** Says why the stream ends and where to resume, then ends it. */
  cut(code: Cut['code']): void {
    this.#last({ frame: 'cut', code, resumeFrom: this.#resumeFrom });
  }

  readonly end = (): void => {
    const outlet = this.#outlet;
    if (outlet === null) return;
    this.flush();
    this.#outlet = null;
    this.#wake?.();
    this.#detach?.();
    this.#parts.onEnd(this);
    outlet.end();
  };

  /** Sends what was gathered. */
  flush(): void {
    if (this.#gathered.length === 0) return;
    const chunk = together(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#outlet?.write(chunk);
  }

  #last(cut: Cut | Extract<HomeFrame, { frame: 'cut' }>): void {
    if (this.#outlet === null) return;
    this.#gather(written({ ...cut, resumeFrom: this.#resumeFrom }));
    this.end();
  }

  /** Bytes that may still be taken in. */
  get #room(): number {
    return this.#limit - (this.#outlet?.waiting ?? this.#limit) - this.#gatheredBytes;
  }

  #taken(): void {
    if (this.#room >= this.#limit / 2) this.#wake?.();
  }

  #gather(bytes: Uint8Array): void {
    if (this.#gathered.push(bytes) === 1) this.#parts.onFrame(this);
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes >= this.#limit * TOGETHER) this.flush();
  }
}

const encoder = new TextEncoder();
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};
const ATTACHED = encoder.encode(': attached\n\n');

/** A frame never changes, and everybody who listens is sent the same one: it is written once. */
const known = new WeakMap<Frame | HomeFrame, Uint8Array>();

function written(frame: Frame | HomeFrame): Uint8Array {
  const before = known.get(frame);
  if (before !== undefined) return before;
  const id = frame.frame === 'event' ? `id: ${frame.cursor}\n` : '';
  const bytes = encoder.encode(`${id}data: ${JSON.stringify(frame)}\n\n`);
  known.set(frame, bytes);
  return bytes;
}

let last: { readonly parts: readonly Uint8Array[]; readonly chunk: Uint8Array } | null = null;

/** Everybody who listens gets the same frames in one moment: they are put together once. */
function together(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  if (last?.parts.length !== parts.length || !parts.every((part, nth) => part === last?.parts[nth]))
    last = { parts, chunk: Buffer.concat(parts) };
  return last.chunk;
}
