import type { BackendEvent } from '@hearth/engine/backend.ts';

/*
 * The events of one turn, between whoever hears a program and whoever drives the turn. The first ending ends it; what comes
 * later is nobody's.
 */

type Ending = Extract<BackendEvent, { type: 'done' | 'parked' | 'stopped' | 'failed' }>;

const ENDINGS: ReadonlySet<BackendEvent['type']> = new Set(['done', 'parked', 'stopped', 'failed']);

function isEnding(event: BackendEvent): event is Ending {
  return ENDINGS.has(event.type);
}

/** The events in order, for one reader; whoever puts one in does not wait. */
export class EventQueue implements AsyncIterable<BackendEvent> {
  /** Resolves with how the turn ended. */
  readonly ended: Promise<Ending>;
  readonly #end: (ending: Ending) => void;
  readonly #events: BackendEvent[] = [];
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

  push(event: BackendEvent): void {
    if (this.#over) return;
    if (isEnding(event)) {
      this.#over = true;
      this.#end(event);
    } else {
      this.#events.push(event);
    }
    this.#wake();
  }

  /** The events up to the ending, which it leaves to whoever has to tidy up before it is told. */
  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#over) return;
      else await new Promise<void>(resolve => (this.#wake = resolve));
    }
  }
}
