import type { Bus } from '@hearth/conversations/ports.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';

/** A bus that shows every frame to somebody more, who can keep none of them from anybody. */
export class ObservedBus implements Bus {
  readonly #bus: Bus;
  readonly #on: (c: ConversationId, frame: Frame) => void;

  constructor(bus: Bus, on: (c: ConversationId, frame: Frame) => void) {
    this.#bus = bus;
    this.#on = on;
  }

  publish(c: ConversationId, frame: Frame): void {
    this.#bus.publish(c, frame);
    try {
      this.#on(c, frame);
    } catch {
      // What is counted or told about a conversation never disturbs it.
    }
  }

  subscribe(c: ConversationId, on: (frame: Frame) => void): () => void {
    return this.#bus.subscribe(c, on);
  }
}
