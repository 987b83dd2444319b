import type { BackendEvent } from '@hearth/engine/backend.ts';

/*
 * The events of a turn on their way to the engine, in order. Whoever puts one in can wait until the engine has taken it in,
 * which is when it asks for the next: a tool must not start before its start is written down.
 */

/** The events of one turn, for one reader. */
export class Outbox {
  readonly #waiting: { readonly event: BackendEvent; readonly taken: () => void }[] = [];
  #wake: () => void = () => undefined;
  #closed = false;

  /** Resolves when the event has been taken in, or will never be. */
  put(event: BackendEvent): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ event, taken: resolve });
    this.#wake();
    return promise;
  }

  /** No more events come. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *events(): AsyncGenerator<BackendEvent> {
    try {
      for (;;) {
        const next = this.#waiting[0];
        if (next !== undefined) {
          yield next.event;
          this.#waiting.shift();
          next.taken();
        } else if (this.#closed) return;
        else await new Promise<void>(resolve => (this.#wake = resolve));
      }
    } finally {
      this.#closed = true;
      for (const { taken } of this.#waiting.splice(0)) taken();
    }
  }
}
