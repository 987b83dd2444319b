import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Frame, HomeFrame } from '@hearth/protocol/frame.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
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
/** How long the backlog waits for a consumer that takes nothing, in milliseconds. */
const PATIENCE_MS = 30_000;
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

  /** `from` is where the consumer stands, for a cut that comes before the first event. Throws `too_many_streams`. */
  async serve(attach: Attach, from: Cursor): Promise<Response> {
    if (this.#open.size >= this.#limit) {
      throw new ProblemError(
        'too_many_streams',
        `${this.#limit} streams are open already: close a surface and try again.`,
      );
    }
    const consumer = new Consumer(this.#clock, this.#bufferLimit, from, one => this.#left(one));
    this.#open.add(consumer);
    if (this.#cancelHeartbeat === null) this.#beat();
    // The backlog flows while it is read; whoever waited for all of it here would have it pile up.
    void attach(consumer.send, consumer.ready).then(consumer.source, consumer.end);
    return new Response(consumer.body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
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

class Consumer {
  readonly body: ReadableStream<Uint8Array>;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #onEnd: (consumer: Consumer) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Frames of this moment, which go out as one chunk at its end. */
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #resumeFrom: Cursor;
  #detach: (() => void) | null = null;
  /** Ends the wait for a consumer to take something. */
  #wake: (() => void) | null = null;

  constructor(clock: Clock, limit: number, from: Cursor, onEnd: (consumer: Consumer) => void) {
    this.#clock = clock;
    this.#limit = limit;
    this.#resumeFrom = from;
    this.#onEnd = onEnd;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller;
          // The first bytes carry the headers to the consumer at once.
          controller.enqueue(encoder.encode(': attached\n\n'));
        },
        pull: () => this.#pulled(),
        cancel: () => this.end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: limit }),
    );
  }

  /** Takes over what ends the source, once the backlog is through; a consumer that ended meanwhile ends it at once. */
  readonly source = (detach: () => void): void => {
    if (this.#controller === null) detach();
    else this.#detach = detach;
  };

  /** Resolves when half of the bound is free again, or the consumer has ended; `null` when it is free now. */
  readonly ready = (): Promise<void> | null => {
    if (this.#controller === null || this.#room >= this.#limit / 2) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(PATIENCE_MS, () => this.cut('consumer_too_slow'));
    this.#wake = () => {
      cancel();
      this.#wake = null;
      resolve();
    };
    return promise;
  };

  readonly send = (frame: Frame | HomeFrame): void => {
    if (this.#controller === null) return;
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
    const controller = this.#controller;
    if (controller === null) return;
    this.#controller = null;
    this.#wake?.();
    this.#detach?.();
    this.#onEnd(this);
    try {
      this.#flush(controller);
      controller.close();
    } catch {
      // The consumer cancelled it first.
    }
  };

  #last(cut: Cut | Extract<HomeFrame, { frame: 'cut' }>): void {
    if (this.#controller === null) return;
    this.#gather(written({ ...cut, resumeFrom: this.#resumeFrom }));
    this.end();
  }

  /** Bytes that may still be taken in. */
  get #room(): number {
    return (this.#controller?.desiredSize ?? 0) - this.#gatheredBytes;
  }

  #pulled(): void {
    if (this.#room >= this.#limit / 2) this.#wake?.();
  }

  #gather(bytes: Uint8Array): void {
    if (this.#gathered.push(bytes) === 1) process.nextTick(() => this.#flush(this.#controller));
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes >= this.#limit * TOGETHER) this.#flush(this.#controller);
  }

  #flush(controller: ReadableStreamDefaultController<Uint8Array> | null): void {
    const [first, ...others] = this.#gathered;
    if (first === undefined) return;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    controller?.enqueue(others.length === 0 ? first : Buffer.concat([first, ...others]));
  }
}

const encoder = new TextEncoder();

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
