/** A bus inside one process: frames reach every subscriber at once, in the order in which they were published. */
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Bus } from './ports.ts';

type Listener = (frame: Frame) => void;

/** The bus of a home. A subscriber that throws is dropped, and the others hear the frame all the same. */
export class MemoryBus implements Bus {
  readonly #listeners = new Map<ConversationId, Set<Listener>>();

  publish(c: ConversationId, frame: Frame): void {
    for (const on of this.#listeners.get(c) ?? []) {
      try {
        on(frame);
      } catch {
        // One consumer that fails must not keep the frame from the others, nor the conversation from going on.
        this.#drop(c, on);
      }
    }
  }

  subscribe(c: ConversationId, on: Listener): () => void {
    // Every subscription is its own, even of the same function.
    const own: Listener = frame => on(frame);
    const listeners = this.#listeners.get(c) ?? new Set();
    this.#listeners.set(c, listeners.add(own));
    return () => this.#drop(c, own);
  }

  #drop(c: ConversationId, on: Listener): void {
    const listeners = this.#listeners.get(c);
    listeners?.delete(on);
    if (listeners?.size === 0) this.#listeners.delete(c);
  }
}
