import { BoardError } from '@hearth/board/board-error.ts';
import type { Boards } from '@hearth/board/boards.ts';
import {
  type Action,
  concerns,
  type DispatchFacts,
  nextDue,
  type Placed,
  placeOf,
  plan,
  type Standing,
} from '@hearth/board/dispatch.ts';
import { isClosed } from '@hearth/board/transitions.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { Bots } from '@hearth/engine/bot.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { DispatchStatus } from '@hearth/protocol/dispatch.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { misfitOf } from './dispatch-fit.ts';
import { DispatchSteps } from './dispatch-steps.ts';
import { standingIn } from './dispatch-standing.ts';
import { statusOf } from './dispatch-status.ts';
import { errorFacts, type Log } from './log.ts';
import { type DispatchSettings, readSettings, Settings, writeDispatch } from './settings.ts';

/*
 * Sets bots to work on tickets that are `ready`. One pass after another asks `plan` what to do and does it, one step at a
 * time, until there is nothing to do. Guarantees: new work begins only while the settings say so, which are read for every
 * pass; what is under way is followed to its end either way; nothing that it knows is only in its memory, so it may be
 * stopped anywhere (docs/adr/0050).
 */

/** How often boards and settings are read for what somebody changed in the files, in milliseconds. */
const EVERY_MS = 10_000;
/** Changes of conversations within this many milliseconds are one. */
const GATHER_MS = 50;
/** How long to wait after a step that failed, a full disk for one. */
const PAUSE_MS = 5000;
/** Rounds of one pass; a fault that would go on for ever ends here, and is logged. */
const ROUNDS = 1000;

/** What it works on. It has no settings of its own: they are read from the home for each pass. */
export interface DispatcherOptions {
  readonly disk: Disk;
  readonly home: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly boards: Boards;
  readonly bots: Bots;
  readonly conversations: Conversations;
}

/** The dispatcher of one home. `close` waits for the step that is under way. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #holder: string;
  readonly #steps: DispatchSteps;
  /** The tickets that it has to do with, by place. */
  readonly #tickets = new Map<string, Placed>();
  /** The tickets that are closed, by place. */
  readonly #doneOnes = new Set<string>();
  /** Why the bots of tickets cannot work on them; asked anew whenever the boards are read. */
  readonly #unfit = new Map<string, string>();
  #settings: DispatchSettings = Settings.parse({}).dispatch;
  #problems: readonly string[] = [];
  /** The boards have to be read anew. */
  #stale = true;
  #passing: Promise<void> | null = null;
  #again = false;
  #closed = false;
  #cancel: (() => void) | null = null;
  #gathering: (() => void) | null = null;
  #unwatch: readonly (() => void)[] = [];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#holder = options.ids.session();
    this.#steps = new DispatchSteps({ ...options, holder: this.#holder });
  }

  /** Begins. Nobody waits for the first pass. */
  start(): void {
    const { boards, conversations } = this.#options;
    this.#unwatch = [
      boards.watch(change => this.#changed(change)),
      conversations.watch(frame => {
        if (frame.frame === 'changed' || frame.frame === 'removed') this.#moved(frame.conversation);
      }),
    ];
    void this.#soon();
  }

  /** Turns it on or off, durably. Rejects as `writeDispatch`. */
  async turn(on: boolean): Promise<void> {
    await writeDispatch(this.#options.disk, this.#options.home, on);
    await this.passed(true);
  }

  /** How every ticket stands that it has to do with. */
  async status(): Promise<DispatchStatus> {
    await this.passed(true);
    return statusOf(await this.#facts(), this.#problems);
  }

  /** Resolves when a pass that began after the call has ended; `anew`: it reads the boards. */
  async passed(anew = false): Promise<void> {
    if (anew) this.#stale = true;
    await this.#passing;
    if (!this.#closed) await this.#soon();
  }

  /** Begins nothing more, and leaves its claims to whoever starts next. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#gathering?.();
    for (const end of this.#unwatch) end();
    await this.#passing;
    for (const { workspace, ticket } of this.#tickets.values()) {
      const { claim, dispatch } = ticket;
      if (claim?.holder !== this.#holder || dispatch === undefined) continue;
      await this.#steps.leave({ workspace, ticket, claim, dispatch }).catch(() => undefined);
    }
  }

  #changed(placed: Placed): void {
    this.#keep(placed);
    this.#unfit.delete(placeOf(placed));
    void this.#soon();
  }

  #moved(c: ConversationId): void {
    const followed = [...this.#tickets.values()].some(
      ({ ticket }) => ticket.claim !== undefined && ticket.dispatch?.conversation === c,
    );
    if (!followed) return;
    this.#gathering ??= this.#options.clock.after(GATHER_MS, () => {
      this.#gathering = null;
      void this.#soon();
    });
  }

  #keep(placed: Placed): void {
    const place = placeOf(placed);
    this.#doneOnes[isClosed(placed.ticket.state) ? 'add' : 'delete'](place);
    if (concerns(placed.ticket)) this.#tickets.set(place, placed);
    else this.#tickets.delete(place);
  }

  /** A pass, or another one after the one that is under way. */
  #soon(): Promise<void> {
    if (this.#passing !== null) {
      this.#again = true;
      return this.#passing;
    }
    this.#again = false;
    this.#passing = this.#pass()
      .catch((error: unknown) => {
        this.#options.log.write('dispatch_failed', errorFacts(error));
        return false;
      })
      .then(well => {
        this.#passing = null;
        if (this.#closed) return undefined;
        if (this.#again && well) return this.#soon();
        return this.#sleep(well);
      });
    return this.#passing;
  }

  /** Until something is due by itself, or may have changed unseen. */
  async #sleep(well: boolean): Promise<void> {
    const { clock } = this.#options;
    this.#cancel?.();
    const due = well
      ? (nextDue(await this.#facts(false)) ?? Number.POSITIVE_INFINITY)
      : clock.now() + PAUSE_MS;
    if (this.#closed) return;
    const wait = Math.max(10, Math.min(EVERY_MS, due - clock.now()));
    this.#cancel = clock.after(wait, () => {
      // While it is off and follows nothing, only the settings can change that.
      this.#stale = this.#settings.on || [...this.#tickets.values()].some(({ ticket }) => ticket.claim);
      void this.#soon();
    });
  }

  /** Resolves to whether every step could be taken. */
  async #pass(): Promise<boolean> {
    await this.#readSettings();
    if (this.#stale) await this.#readBoards();
    for (let round = 0; round < ROUNDS; round += 1) {
      const actions = plan(await this.#facts());
      let taken = 0;
      for (const action of actions) {
        if (this.#closed) return true;
        if (action.do === 'claim' && !(await this.#fit(action))) {
          // Another ticket takes the place.
          taken += 1;
          continue;
        }
        if (!(await this.#take(action))) return false;
        taken += 1;
      }
      if (taken === 0) return true;
    }
    this.#options.log.write('dispatch_failed', { error: 'endless' });
    return false;
  }

  async #take(action: Action): Promise<boolean> {
    const { log, clock } = this.#options;
    const { attempts, leaseSeconds } = this.#settings;
    const at = clock.now();
    try {
      await this.#steps.take(action, { attempts, leaseMs: leaseSeconds * 1000 });
    } catch (thrown) {
      await this.#readTicket(action);
      if (thrown instanceof BoardError && thrown.code === 'claim_lost') return true;
      log.write('dispatch_failed', { step: action.do, ticket: action.ticket.id, ...errorFacts(thrown) });
      return false;
    }
    await this.#readTicket(action);
    if (action.do !== 'renew') {
      const conversation = action.ticket.dispatch?.conversation ?? null;
      log.write('dispatch', {
        step: action.do,
        ticket: action.ticket.id,
        conversation,
        ms: clock.now() - at,
      });
    }
    return true;
  }

  /** Whether the ticket's bot can be loaded and takes the ticket's args; if not, it is not claimed and the reason is kept. */
  async #fit(placed: Placed): Promise<boolean> {
    const why = await misfitOf(this.#options.bots, placed.ticket);
    if (why !== null) this.#unfit.set(placeOf(placed), why);
    return why === null;
  }

  /** `looked`: how the conversations stand is looked up too. */
  async #facts(looked = true): Promise<DispatchFacts> {
    const { clock, conversations } = this.#options;
    const { on, concurrency, attempts, leaseSeconds } = this.#settings;
    const tickets = [...this.#tickets.values()];
    const standings = new Map<ConversationId, Standing>();
    for (const { ticket } of looked ? tickets : []) {
      const c = ticket.claim?.holder === this.#holder ? ticket.dispatch?.conversation : null;
      if (c != null) standings.set(c, await standingIn(conversations, c));
    }
    const known = { tickets, closed: this.#doneOnes, standings, unfit: this.#unfit };
    const limits = { on, concurrency, attempts, leaseMs: leaseSeconds * 1000 };
    return { now: clock.now(), holder: this.#holder, ...limits, ...known };
  }

  /** What cannot be read leaves the settings as they were, and is told by the status. */
  async #readSettings(): Promise<void> {
    const { disk, home } = this.#options;
    try {
      const { dispatch } = await readSettings(disk, home);
      if (dispatch.on && !this.#settings.on) this.#stale = true;
      this.#settings = dispatch;
      this.#problems = [];
    } catch (thrown) {
      this.#problems = [thrown instanceof Error ? thrown.message : String(thrown)];
    }
  }

  async #readBoards(): Promise<void> {
    const { boards } = this.#options;
    this.#stale = false;
    this.#unfit.clear();
    const found: Placed[] = [];
    for (const path of await boards.workspaces()) {
      try {
        const { tickets, damaged } = await (await boards.open(path)).list();
        found.push(...tickets.map(ticket => ({ workspace: path, ticket })));
        this.#problems = [...this.#problems, ...damaged.map(one => `${one.file} is damaged: ${one.why}.`)];
      } catch (thrown) {
        if (!(thrown instanceof BoardError)) throw thrown;
        // A project that is gone has nothing to be worked on.
        if (thrown.code !== 'unknown_workspace') this.#problems = [...this.#problems, thrown.message];
      }
    }
    this.#tickets.clear();
    this.#doneOnes.clear();
    for (const placed of found) this.#keep(placed);
  }

  async #readTicket({ workspace, ticket }: Placed): Promise<void> {
    const read = this.#options.boards.open(workspace).then(board => board.get(ticket.id));
    const found = await read.catch(() => null);
    if (found !== null) this.#keep({ workspace, ticket: found });
    else this.#tickets.delete(placeOf({ workspace, ticket }));
  }
}
