/**
 * A listener's way through the log: the backlog after its cursor, then what happens, each event once and in order. When
 * the cursor cannot be continued it is told so with one `recover` frame, and goes on from the boundary.
 */
import { type Cursor, parseCursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';

/** What is read from. `page` must hold every event that was published before it was asked. */
export interface FrameSource {
  page(after: Cursor | null, limit: number): Promise<EventPage | Recovery>;
  subscribe(on: (frame: Frame) => void): () => void;
}

/** Events that are read at a time. */
const PAGE = 200;

export class Attachment {
  readonly #source: FrameSource;
  readonly #on: (frame: Frame) => void;
  #off: () => void = () => undefined;
  #at: Cursor | null;
  #sent = 0;
  /** Frames that arrived while the log was read; `null` when nothing is between the bus and the listener. */
  #held: Frame[] | null = [];

  private constructor(source: FrameSource, after: Cursor | null, on: (frame: Frame) => void) {
    this.#source = source;
    this.#on = on;
    this.#at = after;
  }

  /** Resolves when the backlog has been sent; the result ends it. */
  static async begin(
    source: FrameSource,
    after: Cursor | null,
    on: (frame: Frame) => void,
  ): Promise<() => void> {
    const attachment = new Attachment(source, after, on);
    // Before the first page is read, so that nothing falls between the two.
    attachment.#off = source.subscribe(frame => attachment.#arrived(frame));
    try {
      await attachment.#catchUp();
    } catch (thrown) {
      attachment.#off();
      throw thrown;
    }
    return () => attachment.#off();
  }

  #arrived(frame: Frame): void {
    if (this.#held) this.#held.push(frame);
    else this.#pass(frame);
  }

  #pass(frame: Frame): void {
    if (frame.frame !== 'event') {
      this.#on(frame);
      return;
    }
    const { seq } = frame.event;
    if (seq <= this.#sent) return;
    if (seq > this.#sent + 1) {
      // The bus is best effort; the log is not.
      this.#held = [frame];
      this.#catchUp().catch(() => this.#off());
      return;
    }
    this.#moveTo(frame.cursor);
    this.#on(frame);
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const page = await this.#source.page(this.#at, PAGE);
      if ('code' in page) {
        this.#moveTo(page.resetCursor);
        this.#on({ frame: 'recover', recovery: page });
        if (page.code === 'unknown_conversation') return;
        continue;
      }
      for (const { cursor, event } of page.events) {
        this.#moveTo(cursor);
        this.#on({ frame: 'event', cursor, event });
      }
      this.#moveTo(page.next);
      if (page.events.length === 0 || page.next === page.head) break;
    }
    const held = this.#held ?? [];
    this.#held = null;
    for (const frame of held) this.#arrived(frame);
  }

  #moveTo(cursor: Cursor): void {
    this.#at = cursor;
    this.#sent = parseCursor(cursor)?.seq ?? 0;
  }
}
