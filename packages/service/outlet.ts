import type { ServerResponse } from 'node:http';
import type { Clock } from '@hearth/store/clock.ts';

/*
 * Where the bytes of one consumer's stream go. On a connection they are written to it at once: the way over the body of a
 * response takes several turns of the event loop, in which whatever else is due comes before the consumer.
 */

/** How long a consumer that takes nothing is waited for, in milliseconds. */
export const PATIENCE_MS = 30_000;

/** What an outlet tells. */
export interface OutletEnds {
  /** The consumer has taken something. */
  taken(): void;
  /** The consumer left. */
  left(): void;
}

/** Takes bytes in order. After `end`, which the bytes before it still precede, nothing is taken any more. */
export interface Outlet {
  write(bytes: Uint8Array): void;
  /** Bytes that the consumer has not taken yet. */
  readonly waiting: number;
  end(): void;
  /** What answers the request. */
  readonly response: Response;
}

/** A header of a response whose answer is on its way already, on the connection itself. It is never sent. */
export const ANSWERED = 'x-answered';

/**
 * The answer on a connection. As long as the connection takes no more, bytes wait here and go out bit by bit. After `end` they
 * wait only for a consumer that goes on taking them.
 */
export class ConnectionOutlet implements Outlet {
  readonly response = new Response(null, { headers: { [ANSWERED]: 'true' } });
  readonly #outgoing: ServerResponse;
  readonly #clock: Clock;
  #queue: Uint8Array[] = [];
  #queued = 0;
  #full = false;
  #ended = false;

  constructor(
    outgoing: ServerResponse,
    clock: Clock,
    headers: Readonly<Record<string, string>>,
    ends: OutletEnds,
  ) {
    this.#outgoing = outgoing;
    this.#clock = clock;
    outgoing.writeHead(200, headers);
    outgoing.on('drain', () => {
      this.#drain();
      ends.taken();
    });
    outgoing.once('close', () => {
      this.#queue = [];
      this.#queued = 0;
      ends.left();
    });
    // That the connection broke is told by its close.
    outgoing.on('error', () => undefined);
    // Whoever left before this is told of by nothing any more.
    if (outgoing.destroyed) queueMicrotask(() => ends.left());
  }

  get waiting(): number {
    return this.#queued + this.#outgoing.writableLength;
  }

  write(bytes: Uint8Array): void {
    if (!this.#full) {
      this.#put(bytes);
      return;
    }
    this.#queue.push(bytes);
    this.#queued += bytes.length;
  }

  end(): void {
    this.#ended = true;
    if (this.#queue.length === 0) this.#outgoing.end();
    this.#wait();
  }

  /** Nobody counts the stream any more, so nothing else would give back what waits for somebody who reads none of it. */
  #wait(): void {
    const { waiting } = this;
    if (waiting === 0 || this.#outgoing.destroyed) return;
    this.#clock.after(PATIENCE_MS, () => {
      if (this.waiting < waiting) this.#wait();
      else this.#outgoing.destroy();
    });
  }

  /** A chunk goes out as one write, since its parts are corked, and now: whoever corks it decides when. */
  #put(bytes: Uint8Array): void {
    const { socket } = this.#outgoing;
    socket?.cork();
    this.#full = !this.#outgoing.write(bytes);
    socket?.uncork();
  }

  #drain(): void {
    this.#full = false;
    let taken = 0;
    for (const bytes of this.#queue) {
      if (this.#full) break;
      taken += 1;
      this.#queued -= bytes.length;
      this.#put(bytes);
    }
    this.#queue = this.#queue.slice(taken);
    if (this.#ended && this.#queue.length === 0) this.#outgoing.end();
  }
}

/** The body of a response, for whoever asks without a connection. */
export class BodyOutlet implements Outlet {
  readonly response: Response;
  readonly #limit: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  /** `limit`: bytes that are at most to wait. */
  constructor(limit: number, headers: Readonly<Record<string, string>>, ends: OutletEnds) {
    this.#limit = limit;
    const body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller;
        },
        pull: () => ends.taken(),
        cancel: () => {
          this.#controller = null;
          ends.left();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: limit }),
    );
    this.response = new Response(body, { headers });
  }

  get waiting(): number {
    return this.#limit - (this.#controller?.desiredSize ?? this.#limit);
  }

  write(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
  }

  end(): void {
    this.#controller?.close();
    this.#controller = null;
  }
}
