/**
 * A listener's way through the log: the backlog after its cursor, as fast as it can take it, then what happens, each
 * event once and in order. When the cursor cannot be continued it is told so with one `recover` frame, and goes on from
 * the boundary. A `cut` frame is the last one.
 */
import { type Cursor, CURSOR_ZERO, parseCursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { laneErrorFrom } from './lane-error.ts';

/** What is read from. `page` must hold every event that was published before it was asked. */
export interface FrameSource {
  page(after: Cursor | null, limit: number): Promise<EventPage | Recovery>;
  subscribe(on: (frame: Frame) => void): () => void;
}

/** Who listens. */
export interface Listener {
  readonly on: (frame: Frame) => void;
  /** Resolves when more of the backlog can be taken; `null` when that is now. */
  readonly ready?: () => Promise<void> | null;
}

/** Events that are read at a time. */
const PAGE = 200;

/** One listener at one conversation. It holds no more than a page of the log at a time. */
export class Attachment {
  readonly #source: FrameSource;
  readonly #listener: Listener;
  #off: () => void = () => undefined;
  #ended = false;
  #at: Cursor | null;
  #sent = 0;
  /** The newest event that is known to have happened. */
  #newest = 0;
  /** Whether the log is being read; nothing of what happens is kept meanwhile, since the log has it. */
  #behind = true;

  private constructor(source: FrameSource, after: Cursor | null, listener: Listener) {
    this.#source = source;
    this.#listener = listener;
    this.#at = after;
  }

  /** Resolves when the backlog has been sent; the result ends it. */
  static async begin(source: FrameSource, after: Cursor | null, listener: Listener): Promise<() => void> {
    const attachment = new Attachment(source, after, listener);
    // Before the first page is read, so that nothing falls between the two.
    attachment.#off = source.subscribe(frame => attachment.#arrived(frame));
    try {
      await attachment.#catchUp();
    } catch (thrown) {
      attachment.#end();
      throw thrown;
    }
    return () => attachment.#end();
  }

  #arrived(frame: Frame): void {
    switch (frame.frame) {
      case 'event':
        this.#happened(frame);
        return;
      case 'draft':
        // What is still being written belongs after the events before it.
        if (!this.#behind) this.#pass(frame);
        return;
      case 'cut':
        this.#cut(frame);
        return;
      default:
        this.#pass(frame);
    }
  }

  #happened(frame: Extract<Frame, { frame: 'event' }>): void {
    const { seq } = frame.event;
    this.#newest = Math.max(this.#newest, seq);
    if (this.#behind || seq <= this.#sent) return;
    if (seq === this.#sent + 1) {
      this.#at = frame.cursor;
      this.#sent = seq;
      this.#pass(frame);
      return;
    }
    // The bus is best effort; the log is not.
    this.#behind = true;
    this.#catchUp().catch((thrown: unknown) => {
      const { code, message } = laneErrorFrom(thrown);
      const resumeFrom = this.#at ?? CURSOR_ZERO;
      this.#cut({ frame: 'cut', code: 'not_saved', resumeFrom, problem: { code, detail: message } });
    });
  }

  async #catchUp(): Promise<void> {
    while (!this.#ended) {
      const page = await this.#source.page(this.#at, PAGE);
      if ('code' in page) {
        this.#moveTo(page.resetCursor);
        this.#pass({ frame: 'recover', recovery: page });
        if (page.code === 'unknown_conversation') return;
        continue;
      }
      for (const { cursor, event } of page.events) {
        const wait = this.#listener.ready?.() ?? null;
        if (wait !== null) await wait;
        this.#moveTo(cursor);
        this.#pass({ frame: 'event', cursor, event });
      }
      this.#moveTo(page.next);
      const through = page.events.length === 0 || page.next === page.head;
      if (through && this.#newest <= this.#sent) break;
    }
    this.#behind = false;
  }

  #pass(frame: Frame): void {
    if (!this.#ended) this.#listener.on(frame);
  }

  #cut(frame: Extract<Frame, { frame: 'cut' }>): void {
    this.#pass({ ...frame, resumeFrom: this.#at ?? frame.resumeFrom });
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.#off();
  }

  #moveTo(cursor: Cursor): void {
    this.#at = cursor;
    this.#sent = parseCursor(cursor)?.seq ?? 0;
  }
}
