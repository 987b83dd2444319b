/**
 * Which bot drives a conversation, and the run that does the work.
 *
 * - A run goes on under the plan that it began with until the bot changed, nothing runs, and every place where it stands
 *   is still there; then it is replanned. Where a place is not, a person is asked whether to begin anew.
 * - A bot that cannot be loaded leaves the conversation with the plan that it last ran.
 */
import { type Bot, BotError, type Bots } from '@hearth/engine/bot.ts';
import type { EntryBody } from '@hearth/engine/entry.ts';
import { PLAN_CHANGED } from '@hearth/engine/machine/outgrown.ts';
import { replanFits } from '@hearth/engine/machine/replanned.ts';
import { quiescent } from '@hearth/engine/quiescent.ts';
import { type ChooseBackend, Run } from '@hearth/engine/run.ts';
import type { Surroundings } from '@hearth/engine/surroundings.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import { WorkPlace } from '@hearth/engine/work-place.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { LaneError } from './lane-error.ts';
import type { Writer } from './writer.ts';

/** What running a conversation needs besides its truth. */
export interface DriverOptions {
  readonly bots: Bots;
  readonly choose: ChooseBackend;
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  /** Where a turn works when no surface ever named a workspace. */
  readonly fallbackWorkspace: string;
  readonly surroundings?: Surroundings;
}

/** The runs of one opening. What fails in loading a bot is kept and told, and never thrown by `load`. */
export class Driver {
  readonly #options: DriverOptions;
  readonly #writer: Writer;
  /** Bots that were loaded or put together from a stored plan, by their plan. */
  readonly #known = new Map<Digest, Bot>();
  /** The bot as it is now; `null` when it cannot be loaded. */
  #bot: Bot | null = null;
  #problem: BotError | null = null;
  #run: { readonly plan: Digest; readonly run: Run } | null = null;
  readonly #workPlace: WorkPlace;
  /** Plans whose keeping was told. */
  readonly #told = new Set<string>();

  constructor(options: DriverOptions, writer: Writer) {
    this.#options = options;
    this.#writer = writer;
    const worktrees = options.surroundings?.worktrees ?? null;
    this.#workPlace = new WorkPlace({ drive: writer, conversation: writer.record.id, worktrees });
  }

  /** The plan for a run that a message would start; rejects with `LaneError` when there is none. */
  get bot(): Bot {
    const last = this.#writer.state.machine.run?.plan;
    const bot = this.#bot ?? (last === undefined ? null : this.#known.get(last));
    if (bot) return bot;
    const code = this.#problem?.code ?? 'unknown_bot';
    const why = this.#problem?.message ?? `The bot "${this.#writer.record.bot}" cannot be loaded.`;
    throw new LaneError(code, why);
  }

  /** The bot as it was last loaded; `null` when it cannot be. */
  get loaded(): Bot | null {
    return this.#bot;
  }

  /** Loads the bot as it is on disk now and keeps its plan. A bot that cannot be loaded is told and no failure. */
  async load(): Promise<void> {
    const { record, state, shelf } = this.#writer;
    const last = state.machine.run?.plan;
    if (last !== undefined && !this.#known.has(last)) {
      const { plan, sources } = await shelf.fetch(last);
      this.#known.set(last, { name: record.bot, title: plan.title, plan, digest: last, sources, tools: [] });
    }
    try {
      const bot = await this.#options.bots.load(record.bot);
      await shelf.keep(bot);
      this.#bot = bot;
      this.#problem = null;
      this.#known.set(bot.digest, bot);
    } catch (thrown) {
      if (!(thrown instanceof BotError)) throw thrown;
      this.#bot = null;
      this.#problem = thrown;
      this.#tell(thrown.code, notice(thrown.code, 'error', thrown.message));
    }
  }

  /**
   * Brings the run under the bot's present plan if that can be done now; where the run has no place in it, a person is
   * asked. What waits for the changed bot, since its run was left for it, begins.
   */
  replan(): void {
    const { state, shelf } = this.#writer;
    const { run } = state.machine;
    const bot = this.#bot;
    if (bot === null || run === null || !quiescent(state)) return;
    if (run.status === 'ended') {
      if (run.code === PLAN_CHANGED && state.inbox.length > 0)
        this.#commit({ is: 'replanned', plan: bot.digest });
      return;
    }
    if (run.plan === bot.digest || run.kept === bot.digest || run.offered === bot.digest) return;
    const from = shelf.at(run.plan);
    const fits = from !== null && replanFits(from, bot.plan, state);
    this.#commit({ is: fits ? 'replanned' : 'outgrown', plan: bot.digest });
  }

  /** Starts, offers and interrupts what a commit made due. */
  kick(): void {
    const { run } = this.#writer.state.machine;
    if (run === null || this.#writer.failure) return;
    const { plan } = run;
    if (this.#run?.plan !== plan) {
      // Nothing runs under the earlier plan any more, or it could not have been replaced.
      void this.#run?.run.close();
      this.#run = { plan, run: this.#begin(plan) };
    }
    this.#run.run.kick();
  }

  /** Resolves when nothing runs and nothing is ready. */
  async settled(): Promise<void> {
    await this.#run?.run.settled();
    await this.#workPlace.rested();
  }

  /** Stops what runs, without an outcome. */
  async close(): Promise<void> {
    await this.#run?.run.close();
    await this.#workPlace.rested();
    this.#run = null;
  }

  #begin(plan: Digest): Run {
    const { choose, tools, clock, fallbackWorkspace, surroundings } = this.#options;
    const bot = this.#known.get(plan);
    if (bot === undefined)
      throw new LaneError('failed', `The plan ${plan} of the run is missing; restart Hearth.`);
    return new Run({
      drive: this.#writer,
      bot,
      choose: wanted => {
        const { bot: name, model = null } = this.#writer.record;
        return choose({ ...wanted, whose: { bot: name, own: model } });
      },
      tools,
      clock,
      fallbackWorkspace,
      workPlace: this.#workPlace,
      ...(surroundings === undefined ? {} : { surroundings }),
    });
  }

  /** That it could not be written is what the next command will meet. */
  #commit(entry: EntryBody): void {
    this.#writer.commit([entry]).catch(() => undefined);
  }

  /** Tells it once in this opening. That it could not be written is what the next command will meet. */
  #tell(key: string, event: EventBody): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#writer.commit([], [event]).catch(() => undefined);
  }
}

/** The event that tells people something in words. `code` is what a program goes by. */
export function notice(code: string, severity: 'info' | 'warning' | 'error', text: string): EventBody {
  return { type: 'notice', code, severity, text };
}
