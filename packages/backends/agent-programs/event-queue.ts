import type { BackendEvent } from '@hearth/engine/backend.ts';

/*
 * The events of one turn, between whoever hears a program and whoever drives the turn. The first ending ends it; what comes
 * later is nobody's.
 */

/** One of the events that end a turn. */
export type Ending = Extract<BackendEvent, { type: 'done' | 'parked' | 'stopped' | 'failed' }>;

const ENDINGS: ReadonlySet<BackendEvent['type']> = new Set(['done', 'parked', 'stopped', 'failed']);

function isEnding(event: BackendEvent): event is Ending {
  return ENDINGS.has(event.type);
}

/** The events in order, for one reader; whoever puts one in does not wait. */
export class EventQueue implements AsyncIterable<BackendEvent> {
  /** Resolves with how the turn ended. */
  readonly ended: Promise<Ending>;
  readonly #end: (ending: Ending) => void;
  readonly #events: { readonly event: BackendEvent; readonly taken: () => void }[] = [];
  #wake: () => void = () => undefined;
  #over = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** Whether the turn has its ending. */
  get over(): boolean {
    return this.#over;
  }

  /** Resolves when whoever drives the turn has taken the event in, which is when they ask for the next, or never will. */
  push(event: BackendEvent): Promise<void> {
    if (this.#over) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isEnding(event)) {
      this.#over = true;
      this.#end(event);
      resolve();
    } else {
      this.#events.push({ event, taken: resolve });
    }
    this.#wake();
    return promise;
  }

  /** The events up to the ending, which it leaves to whoever has to tidy up before it is told. */
  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    try {
      for (;;) {
        const next = this.#events[0];
        if (next !== undefined) {
          yield next.event;
          this.#events.shift();
          next.taken();
        } else if (this.#over) return;
        else await new Promise<void>(resolve => (this.#wake = resolve));
      }
    } finally {
      for (const { taken } of this.#events.splice(0)) taken();
    }
  }
}
