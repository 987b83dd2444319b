/**
 * What was sent and what came through, and the invariants that can be judged from that alone. Each is checked the moment
 * something is seen; the first that does not hold ends the simulation.
 */
import { isDeepStrictEqual } from 'node:util';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { Receipt } from '@hearth/protocol/receipt.ts';
import type { EventPage } from '@hearth/protocol/recovery.ts';
import type { BackendTurn } from '@hearth/engine/backend.ts';
import { z } from 'zod';

/** An invariant of the product that did not hold. */
export class Broken extends Error {
  constructor(invariant: number, what: string) {
    super(`invariant ${invariant}: ${what}`);
    this.name = 'Broken';
  }
}

const Command = z.looseObject({ commandId: z.string() });
const Accepted = z.looseObject({ receipt: Receipt.nullable(), replayed: z.boolean() });
const Refused = z.looseObject({
  code: z.enum(['closed', 'unknown_pause', 'wrong_state', 'invalid_choice', 'command_conflict']),
  view: z.looseObject({ pauses: z.array(z.looseObject({ id: z.string() })) }),
});
const Spent = z.looseObject({
  head: z.string(),
  budget: z.looseObject({ lifetime: z.looseObject({ activeMs: z.number(), iterations: z.number() }) }),
});
type Command = z.infer<typeof Command>;
/** An answer's, as far as every one may have it. */
type Body = { readonly view?: unknown };

/** A command with what became of it, as far as anybody was told. */
export interface Told {
  readonly url: string;
  readonly method: string;
  readonly body: Command;
  receipt: Receipt | null;
}

export class History {
  readonly commands = new Map<string, Told>();
  /** Every event that anybody saw, by its number. */
  readonly events = new Map<number, { readonly cursor: string; readonly event: Event }>();
  /** Turns that were sent to the backend, by their effect and conversation. */
  readonly started = new Map<string, BackendTurn>();
  /** Decisions that fit nothing, whatever state they meet, by their commands. */
  readonly amiss = new Set<string>();
  /** The first invariant that an answer did not keep; it ends the simulation. */
  broken: unknown = null;
  /** How many conversations owed an answer in the end, and how often more rounds were allowed. */
  owing = 0;
  raised = 0;
  /** How many decisions were refused, to see that it happens at all. */
  refusals = 0;
  readonly #work = new Set<string>();
  readonly #frames = new Map<string, Frame>();
  /** By epoch: what it had used at the latest state that anybody was shown. */
  readonly #spent = new Map<
    number,
    { readonly seq: number; readonly activeMs: number; readonly iterations: number }
  >();
  /** How many streams began anew at the boundary, and how many were cut, to see that it happens at all. */
  recoveries = 0;
  cuts = 0;

  sent(url: string, init: RequestInit): void {
    const command = commandOf(init);
    if (command === null || this.commands.has(command.commandId)) return;
    this.commands.set(command.commandId, {
      url,
      method: init.method ?? 'POST',
      body: command,
      receipt: null,
    });
  }

  answered(url: string, init: RequestInit, status: number, text: string): void {
    const command = commandOf(init);
    const ok = status === 200;
    const decides = command !== null && url.endsWith('/decisions');
    if (!ok && !decides) return;
    const body: Body = JSON.parse(text);
    if (command !== null && ok) this.#accepted(command, body);
    if (decides) this.#decided(command, status, body);
    if (!ok) return;
    this.#shown(body);
    if (url.includes('/events')) this.#paged(body as EventPage);
  }

  #paged({ events, next }: EventPage): void {
    let last: number | null = null;
    for (const { cursor, event } of events) {
      if (last !== null && event.seq !== last + 1)
        throw new Broken(2, `a page jumps from ${last} to ${event.seq}`);
      last = event.seq;
      this.#seen(cursor, event);
    }
    if (events.length > 0 && events.at(-1)?.cursor !== next)
      throw new Broken(2, 'a page does not end where it says');
  }

  /** A connection after `after`; what it receives must be without a gap and without repetition. */
  connected(after: string | null): { received(text: string): void } {
    let last = after === null ? null : (parseCursor(after)?.seq ?? null);
    let over = false;
    const take = (frame: Frame): void => {
      if (over) throw new Broken(2, `something came after the stream was cut: ${frame.frame}`);
      if (frame.frame === 'recover') {
        this.recoveries += 1;
        last = parseCursor(frame.recovery.resetCursor)?.seq ?? null;
      }
      if (frame.frame === 'cut') {
        this.cuts += 1;
        over = true;
        const resume = parseCursor(frame.resumeFrom)?.seq ?? null;
        if (last !== null && resume !== last)
          throw new Broken(2, `a stream at ${last} is to resume at ${resume}`);
      }
      if (frame.frame !== 'event') return;
      const { seq } = frame.event;
      if (last !== null && seq !== last + 1) throw new Broken(2, `a stream jumps from ${last} to ${seq}`);
      last = seq;
      this.#seen(frame.cursor, frame.event);
    };
    return {
      received: text => {
        for (const found of text.matchAll(/^data: (.*)$/gm)) take(this.#frame(found[1] ?? ''));
      },
    };
  }

  /** Two surfaces are sent the same frames, letter for letter, which are then the same object here. */
  #frame(text: string): Frame {
    const known = this.#frames.get(text);
    if (known !== undefined) return known;
    const frame: Frame = JSON.parse(text);
    this.#frames.set(text, frame);
    return frame;
  }

  /** A turn reached the backend. An effect is sent once, and no work again by itself, whatever happens to the service. */
  began(turn: BackendTurn): void {
    const effect = `${turn.effect} of ${conversationOf(turn)}`;
    if (this.started.has(effect)) throw new Broken(6, `effect ${effect} was started twice`);
    this.started.set(effect, turn);
    // Only a person makes another attempt of it, or gives the answers with which it goes on.
    const work = `${turn.prompt.user}, attempt ${turn.attempt} with ${turn.answers.length} answers`;
    if (this.#work.has(work)) throw new Broken(6, `"${work}" was sent again without a person`);
    this.#work.add(work);
  }

  /** The commands of one kind, by the end of their route. */
  of(route: string): Told[] {
    return [...this.commands.values()].filter(({ url }) => url.endsWith(route));
  }

  /** A decision binds the pause that it names, or is refused with the state as it is. */
  #decided(command: Command, status: number, body: Body): void {
    const pause = command['pause'];
    if (status === 200) {
      const bound = this.commands.get(command.commandId)?.receipt?.did.pause;
      if (bound !== pause) throw new Broken(5, `a decision on ${String(pause)} decided ${String(bound)}`);
      if (this.amiss.has(command.commandId))
        throw new Broken(5, `${command.commandId} fits nothing and was accepted`);
      return;
    }
    if (status !== 409) return;
    const refused = Refused.safeParse(body);
    if (!refused.success) throw new Broken(5, `${command.commandId} was refused without the state`);
    this.refusals += 1;
    const { code, view } = refused.data;
    const isOpen = view.pauses.some(({ id }) => id === pause);
    if (isOpen === (code === 'closed' || code === 'unknown_pause'))
      throw new Broken(5, `${String(pause)} was refused as ${code} beside a state that says otherwise`);
  }

  #accepted(command: Command, body: Body): void {
    const { receipt } = Accepted.parse(body);
    const told = this.commands.get(command.commandId);
    if (told === undefined || receipt === null)
      throw new Broken(3, `${command.commandId} was accepted without a receipt`);
    if (told.receipt !== null && !isDeepStrictEqual(told.receipt, receipt))
      throw new Broken(3, `${command.commandId} has two receipts`);
    told.receipt = receipt;
  }

  /** What an epoch has used only rises, whatever is restarted or resumed. */
  #shown(body: Body): void {
    const found = Spent.safeParse(body.view ?? body).data;
    const at = found === undefined ? null : parseCursor(found.head);
    if (found === undefined || at === null) return;
    const { activeMs, iterations } = found.budget.lifetime;
    const before = this.#spent.get(at.epoch);
    if (before !== undefined && at.seq < before.seq) return;
    if (before !== undefined && (activeMs < before.activeMs || iterations < before.iterations))
      throw new Broken(11, `epoch ${at.epoch} had used more at ${before.seq} than at ${at.seq}`);
    this.#spent.set(at.epoch, { seq: at.seq, activeMs, iterations });
  }

  #seen(cursor: string, event: Event): void {
    const known = this.events.get(event.seq);
    if (known === undefined) {
      this.events.set(event.seq, { cursor, event });
      return;
    }
    if (known.cursor === cursor && known.event === event) return;
    if (known.cursor !== cursor || !isDeepStrictEqual(known.event, event))
      throw new Broken(1, `the number ${event.seq} was given out as ${known.cursor} and as ${cursor}`);
  }
}

/** The conversation whose turn it is, by the directory that its backend was given. */
export function conversationOf({ directory }: BackendTurn): string {
  return /\/conversations\/([^/]+)\//.exec(directory)?.[1] ?? '';
}

function commandOf(init: RequestInit): Command | null {
  if (typeof init.body !== 'string') return null;
  return Command.safeParse(JSON.parse(init.body)).data ?? null;
}
