/**
 * `events.jsonl`: a conversation's public log. Its first line states the epoch and the boundary before its oldest
 * event; from there to the head no sequence number is missing, or the boundary moves up.
 */
import { z } from 'zod';
import { formatCursor, parseCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { LogDamage } from '@hearth/store/append-log.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Projection } from './projection.ts';

/** The boundary as the first line states it. */
const Header = z.object({
  log: z.literal(1),
  epoch: z.int().positive(),
  after: z.object({ seq: z.int().nonnegative(), check: z.string().regex(/^[0-9a-f]{6}$/) }),
});
type Header = z.infer<typeof Header>;

const Shape = z.looseObject({ v: z.literal(1), seq: z.int().positive(), type: z.string() });
/** Only the envelope is looked at: the line was ours when it was written. */
const Line = z.custom<Event>(value => Shape.safeParse(value).success);

/** The check of an event's cursor: the first six hex digits of SHA-256 of its line. */
export function checkOf(event: Event): string {
  return sha256(JSON.stringify(event)).slice('sha256:'.length, 'sha256:'.length + 6);
}

/** The position of an event. */
export function positionOf(epoch: number, event: Event): Position {
  return { epoch, seq: event.seq, check: checkOf(event) };
}

/** The first line of a log that begins after `boundary`. */
export function headerOf(boundary: Position): Header {
  return { log: 1, epoch: boundary.epoch, after: { seq: boundary.seq, check: boundary.check } };
}

export class EventLog {
  readonly #file: Projection<Event, Header>;
  #boundary: Position;
  #head: Position;

  private constructor(file: Projection<Event, Header>, boundary: Position, head: Position) {
    this.#file = file;
    this.#boundary = boundary;
    this.#head = head;
  }

  /**
   * Opens the log of an epoch whose snapshot was taken at `synced`. A log that is missing, or whose events do not reach
   * the snapshot's, begins anew there; the result says so.
   */
  static async open(
    disk: Disk,
    path: string,
    synced: Position,
    onDamage: (damage: LogDamage) => void,
  ): Promise<{ log: EventLog; lost: boolean }> {
    const { projection, opened } = await Projection.open<Event, Header>(disk, path, {
      line: Line,
      header: Header,
      seqOf: event => event.seq,
      synced: synced.seq,
      onDamage,
    });
    const { header } = opened;
    const last = projection.last ?? header?.after.seq ?? 0;
    if (header !== null && header.epoch === synced.epoch && last >= synced.seq) {
      const boundary = { epoch: synced.epoch, ...header.after };
      const head = boundary.seq > synced.seq ? boundary : synced;
      return { log: new EventLog(projection, boundary, head), lost: false };
    }
    await projection.rewrite(headerOf(synced), null);
    return { log: new EventLog(projection, synced, synced), lost: true };
  }

  /** The retained boundary: the position before the oldest event kept. */
  get boundary(): Position {
    return this.#boundary;
  }

  /** The position of the newest event. */
  get head(): Position {
    return this.#head;
  }

  /** The last sequence number that the file holds, whoever vouches for it. */
  get last(): number {
    return Math.max(this.#file.last ?? 0, this.#boundary.seq);
  }

  /** Appends what the journal has and the file has not. `events` are the journal's, oldest first. */
  async refill(events: readonly Event[]): Promise<void> {
    const from = this.#head.seq;
    const expected = events.filter(event => event.seq > from);
    await this.#file.refill(from, expected);
    this.#advance(expected);
  }

  /** Appends events whose commit is durable. */
  push(events: readonly Event[]): void {
    this.#file.push(events);
    this.#advance(events);
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Holds no file open until the next line. */
  rest(): Promise<void> {
    return this.#file.rest();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Begins anew after `boundary`, which no event may ever have had. */
  async restart(boundary: Position): Promise<void> {
    await this.#file.rewrite(headerOf(boundary), null);
    this.#boundary = boundary;
    this.#head = boundary;
  }

  /** Keeps the last `keep` events. */
  async trim(keep: number): Promise<void> {
    const seq = this.#head.seq - keep;
    if (seq <= this.#boundary.seq) return;
    const [first] = await this.#file.after(seq - 1, 1);
    if (first === undefined || first.seq !== seq) {
      await this.#mend();
      return;
    }
    await this.#moveBoundary(positionOf(this.#head.epoch, first));
  }

  /** Up to `limit` events after the cursor, or after the boundary; or why the cursor cannot be continued. */
  async page(after: string | null, limit: number): Promise<EventPage | Recovery> {
    const from = after === null ? this.#boundary : parseCursor(after);
    const { epoch } = this.#boundary;
    const code =
      from === null
        ? 'cursor_invalid'
        : from.epoch !== epoch
          ? 'epoch_changed'
          : from.seq > this.#head.seq
            ? 'cursor_ahead'
            : from.seq < this.#boundary.seq
              ? 'cursor_expired'
              : null;
    if (from === null || code !== null) return this.#recovery(code ?? 'cursor_invalid');

    // The cursor's own event is read along, so that its check can be compared.
    const own = from.seq > this.#boundary.seq ? 1 : 0;
    const events = await this.#file.after(from.seq - own, limit + own);
    if (events.some((event, index) => event.seq !== from.seq - own + index + 1) || events.length < own) {
      await this.#mend();
      return this.#recovery('cursor_expired');
    }
    const check = events[0] && own === 1 ? checkOf(events[0]) : this.#boundary.check;
    if (check !== from.check) return this.#recovery('epoch_changed');
    const page = events.slice(own).map(event => ({ cursor: formatCursor(positionOf(epoch, event)), event }));
    return {
      events: page,
      next: page.at(-1)?.cursor ?? formatCursor(from),
      head: formatCursor(this.#head),
      retained: formatCursor(this.#boundary),
    };
  }

  #recovery(code: Recovery['code']): Recovery {
    return {
      code,
      resetCursor: formatCursor(this.#boundary),
      stateCursor: formatCursor(this.#head),
      view: null,
    };
  }

  #advance(events: readonly Event[]): void {
    const last = events.at(-1);
    if (last) this.#head = positionOf(this.#head.epoch, last);
  }

  async #moveBoundary(boundary: Position): Promise<void> {
    await this.#file.rewrite(headerOf(boundary), boundary.seq);
    this.#boundary = boundary;
  }

  /** Events are missing inside: the log then begins after the last gap. */
  async #mend(): Promise<void> {
    const events = await this.#file.after(this.#boundary.seq, Number.POSITIVE_INFINITY);
    let next = this.#head.seq;
    let at = events.length - 1;
    while (at >= 0 && events[at]?.seq === next) {
      at -= 1;
      next -= 1;
    }
    if (next <= this.#boundary.seq) return;
    // The event at `next` is the one that cannot be read, so its check is nobody's.
    const boundary = next === this.#head.seq ? this.#head : { ...this.#head, seq: next, check: '000000' };
    await this.#moveBoundary(boundary);
  }
}
