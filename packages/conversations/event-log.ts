/**
 * `events.jsonl`: a conversation's public log. Its first line states the epoch and the boundary before its oldest
 * event; from there to the head no sequence number is missing, or the boundary moves up.
 */
import { z } from 'zod';
import { formatCursor, parseCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { LogDamage } from '@hearth/store/log-search.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Projection, type Stray } from './projection.ts';

/**
 * Why a log began anew: `journal`, its journal is damaged; `ahead`, it told of more than the journal holds; `log`, it
 * was lost itself.
 */
const Why = z.enum(['journal', 'ahead', 'log']);

/** The boundary as the first line states it. */
export const LogHeader = z.object({
  log: z.literal(1),
  epoch: z.int().positive(),
  after: z.object({ seq: z.int().nonnegative(), check: z.string().regex(/^[0-9a-f]{6}$/) }),
  /** The log began anew: numbers above `from` and up to the boundary belong to a history that is not this one. */
  anew: z.object({ from: z.int().nonnegative(), why: Why.exactOptional() }).exactOptional(),
});
type Header = z.infer<typeof LogHeader>;

/** That a log began anew, from where on, and why; without `why` that was told long ago. */
export type Anew = NonNullable<Header['anew']>;

const Shape = z.looseObject({ v: z.literal(1), seq: z.int().positive(), type: z.string() });
/** Only the envelope is looked at: the line was ours when it was written. */
export const EventLine = z.custom<Event>(value => Shape.safeParse(value).success);

/** An event never changes, and its check is asked for when it is made and again when its commit is durable. */
const checks = new WeakMap<Event, string>();

/** The check of an event's cursor: the first six hex digits of SHA-256 of its line. */
export function checkOf(event: Event): string {
  const known = checks.get(event);
  if (known !== undefined) return known;
  const check = sha256(JSON.stringify(event)).slice('sha256:'.length, 'sha256:'.length + 6);
  checks.set(event, check);
  return check;
}

/** The position of an event. */
export function positionOf(epoch: number, event: Event): Position {
  return { epoch, seq: event.seq, check: checkOf(event) };
}

/** The first line of a log that begins after `boundary`. */
export function headerOf(boundary: Position, anew?: Anew): Header {
  const { epoch, seq, check } = boundary;
  return { log: 1, epoch, after: { seq, check }, ...(anew === undefined ? {} : { anew }) };
}

/**
 * The open log of one epoch. Positions are those of its events; `page` answers a cursor that it cannot continue with
 * a recovery.
 */
export class EventLog {
  readonly #file: Projection<Event, Header>;
  #boundary: Position;
  /** The events up to the boundary are still in the file. */
  #long = false;
  #head: Position;
  #anew: Anew | undefined;

  private constructor(
    file: Projection<Event, Header>,
    boundary: Position,
    head: Position,
    anew: Anew | undefined,
  ) {
    this.#file = file;
    this.#boundary = boundary;
    this.#head = head;
    this.#anew = anew;
  }

  /**
   * Opens the log of an epoch whose snapshot was taken at `synced`. It is lost when it is missing or its events do not
   * reach the snapshot's; whoever opened it then begins it anew.
   */
  static async open(
    disk: Disk,
    path: string,
    synced: Position,
    onDamage: (damage: LogDamage) => void,
  ): Promise<{ log: EventLog; lost: boolean }> {
    const { projection, opened } = await Projection.open<Event, Header>(disk, path, {
      line: EventLine,
      header: LogHeader,
      seqOf: event => event.seq,
      synced: synced.seq,
      onDamage,
    });
    const { header } = opened;
    const last = projection.last ?? header?.after.seq ?? 0;
    if (header !== null && header.epoch === synced.epoch && last >= synced.seq) {
      const boundary = { epoch: synced.epoch, ...header.after };
      const head = boundary.seq > synced.seq ? boundary : synced;
      return { log: new EventLog(projection, boundary, head, header.anew), lost: false };
    }
    return { log: new EventLog(projection, synced, synced, undefined), lost: true };
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

  /** Why the log began anew, while no event after that has told of it; `null` otherwise. */
  get untold(): z.infer<typeof Why> | null {
    return this.#head.seq === this.#boundary.seq ? (this.#anew?.why ?? null) : null;
  }

  /** Up to where this history is the one that was told, if it was ever begun anew. */
  get agreed(): number | null {
    return this.#anew?.from ?? null;
  }

  /** What the file holds after its head and the journal does not. `events` are the journal's, oldest first. */
  stray(events: readonly Event[]): Promise<Stray<Event> | null> {
    return this.#file.stray(this.#head.seq, this.#missing(events));
  }

  /** Makes `events`, the journal's, oldest first, be what the file holds after its head. */
  async refill(events: readonly Event[]): Promise<void> {
    const from = this.#head.seq;
    const expected = this.#missing(events);
    this.#advance(expected);
    await this.#file.refill(from, expected);
  }

  /** Every event above `seq` that is kept, oldest first. */
  after(seq: number): Promise<Event[]> {
    return this.#file.after(Math.max(seq, this.#boundary.seq), Number.POSITIVE_INFINITY);
  }

  /** Appends events whose commit is durable. */
  push(events: readonly Event[]): void {
    this.#file.push(events);
    this.#advance(events);
  }

  /** Makes everything durable, and takes out of the file what was trimmed, if the disk takes that. */
  async sync(): Promise<void> {
    if (this.#long) await this.#shorten().catch(() => undefined);
    await this.#file.sync();
  }

  /** Holds no file open until the next line. */
  rest(): Promise<void> {
    return this.#file.rest();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /**
   * Begins anew after `boundary`: the head, or a position that no event may ever have had. It holds in memory at once,
   * also when the file cannot be written, with which this rejects. `before` puts what the file loses somewhere else.
   */
  async restart(boundary: Position, anew: Anew, before?: () => Promise<void>): Promise<void> {
    this.#boundary = boundary;
    this.#long = false;
    this.#head = boundary;
    this.#anew = anew;
    await before?.();
    await this.#file.rewrite(headerOf(boundary, anew), null);
  }

  /**
   * Keeps the last `keep` events. The others are shown no more; they leave the file with the next `sync`,
   * and a crash before it brings them back.
   */
  async trim(keep: number): Promise<void> {
    const seq = this.#head.seq - keep;
    if (seq <= this.#boundary.seq) return;
    const [first] = await this.#file.after(seq - 1, 1);
    if (first?.seq === seq) this.#moveBoundary(positionOf(this.#head.epoch, first));
    else await this.#mend();
  }

  /** Up to `limit` events after the cursor, or after the boundary; or why the cursor cannot be continued. */
  async page(after: string | null, limit: number): Promise<EventPage | Recovery> {
    const boundary = this.#boundary;
    const from = after === null ? boundary : parseCursor(after);
    const { epoch } = boundary;
    const code =
      from === null
        ? 'cursor_invalid'
        : from.epoch !== epoch
          ? 'epoch_changed'
          : from.seq > this.#head.seq
            ? 'cursor_ahead'
            : from.seq < this.#boundary.seq
              ? this.#gone(from.seq)
              : null;
    if (from === null || code !== null) return this.#recovery(code ?? 'cursor_invalid');

    // The cursor's own event is read along, so that its check can be compared.
    const own = from.seq > this.#boundary.seq ? 1 : 0;
    const events = await this.#file.after(from.seq - own, limit + own);
    // It was trimmed meanwhile: what was read may begin at either boundary.
    if (this.#boundary !== boundary) return this.page(after, limit);
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

  /** Of a position before the boundary: its history was given up, or it has only been trimmed. */
  #gone(seq: number): Recovery['code'] {
    return this.#anew !== undefined && seq > this.#anew.from ? 'epoch_changed' : 'cursor_expired';
  }

  #missing(events: readonly Event[]): readonly Event[] {
    return events.filter(event => event.seq > this.#head.seq);
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

  #moveBoundary(boundary: Position): void {
    this.#boundary = boundary;
    this.#anew = this.#anew && { from: this.#anew.from };
    this.#long = true;
  }

  async #shorten(): Promise<void> {
    const boundary = this.#boundary;
    await this.#file.rewrite(headerOf(boundary, this.#anew), boundary.seq);
    if (boundary === this.#boundary) this.#long = false;
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
    this.#moveBoundary(boundary);
    await this.#shorten();
  }
}
