import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { ActiveTime } from './active-time.ts';
import { AgentEffect } from './agent-effect.ts';
import { performerOf } from './answerer.ts';
import type { Backend, ModelChoice } from './backend.ts';
import type { Bot } from './bot.ts';
import { compute } from './compute.ts';
import type { Drive } from './drive.ts';
import type { EntryBody } from './entry.ts';
import { frameOf } from './frame.ts';
import { type Effect, ready } from './machine.ts';
import { quiescent } from './quiescent.ts';
import { isDue } from './machine/patience.ts';
import { WaitTimer } from './waits.ts';
import type { Plan } from './runnable.ts';
import type { RunningEffect } from './running-effect.ts';
import type { State } from './state.ts';
import type { Surroundings } from './surroundings.ts';
import type { Tool } from './tool.ts';
import { ToolEffect } from './tool-effect.ts';
import type { WorkPlace } from './work-place.ts';

/** Chooses the backend for an agent node; rejects with a sentence for a person when there is none. */
export type ChooseBackend = (wanted: {
  readonly backend: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly effort: string | null;
  /** Whose node it is: the conversation's bot, and what a person set for that conversation. */
  readonly whose?: { readonly bot: string; readonly own: string | null };
}) => Promise<{ readonly backend: Backend; readonly model: ModelChoice; readonly why: string }>;

/** Compute nodes that one commit works out at most. */
const COMPUTED_AT_ONCE = 200;

/** What follows within one commit: what starts behind it, how much was worked out, and whether there is more of that. */
interface Following {
  readonly started: Effect[];
  computed: number;
  more: boolean;
}

/** What a run works with. Everything from outside is in here: the run itself has no disk, no clock and no network. */
export interface RunOptions {
  readonly drive: Drive;
  readonly bot: Bot;
  readonly choose: ChooseBackend;
  /** Hearth's own tools; a node gets those that its `tools` and `capabilities` allow. */
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  /** Where a turn works when no surface ever named a workspace. */
  readonly fallbackWorkspace: string;
  /** Absent: what needs them fails by name. */
  readonly surroundings?: Surroundings;
  /** Absent: every turn works in its workspace itself. */
  readonly workPlace?: WorkPlace;
}

/**
 * The only loop that drives a conversation: take what is ready, commit the intent, execute, commit the outcome, until
 * only pauses are left. Compute nodes are pure, so they are worked out within the commit that makes them ready, up to a
 * number, so that a long loop of them holds nothing else up and can be interrupted. What is
 * tried again, and when, is in the state and not here; the run waits for the moment. It stops at once when the truth
 * cannot be written.
 */
export class Run {
  readonly #options: RunOptions;
  readonly #effects = new Map<Effect['id'], RunningEffect>();
  readonly #time: ActiveTime;
  readonly #waits: WaitTimer;
  #closed = false;
  #advancing = false;
  #kicked = false;
  /** Ends the wait for what shall be tried again. */
  #cancelWait: () => void = () => undefined;
  #idle: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#time = new ActiveTime(options.clock);
    this.#waits = new WaitTimer(options.clock, effect => {
      if (!this.#closed) void this.#advance([{ is: 'waited', effect }]);
    });
  }

  /**
   * To be called after every commit that was not the run's own: starts what is ready, offers messages that may join,
   * interrupts what a person interrupted.
   */
  kick(): void {
    if (this.#closed) return;
    for (const effect of this.#effects.values()) effect.refresh();
    this.#interruptMarked();
    void this.#advance([]);
  }

  /** Resolves when nothing runs and nothing is ready. */
  settled(): Promise<void> {
    if (
      this.#closed ||
      (this.#effects.size === 0 && !this.#advancing && quiescent(this.#options.drive.state))
    ) {
      return Promise.resolve();
    }
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  /** Stops all effects without an outcome; what they were is recovered at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelWait();
    this.#waits.stop();
    for (const effect of this.#effects.values()) effect.abort();
    this.#wake();
    await Promise.resolve();
  }

  /** Commits `entries` with everything that follows from them at once, and starts what became ready. */
  async #advance(entries: readonly EntryBody[]): Promise<void> {
    if (this.#advancing && entries.length === 0) {
      this.#kicked = true;
      return;
    }
    this.#advancing = true;
    try {
      const { drive } = this.#options;
      const made: Following = { started: [], computed: 0, more: false };
      const follow = (state: State): readonly EntryBody[] => this.#following(drive.plan, state, made);
      const first = entries.length > 0 ? entries : follow(drive.state);
      if (first.length > 0) await drive.commit(first, [], follow);
      if (made.more) this.#kicked = true;
      if (this.#closed) return;
      for (const effect of made.started) this.#start(effect);
      this.#waitForDue();
      // What ended may have left words to another branch, or have stopped it.
      for (const effect of this.#effects.values()) effect.refresh();
      this.#interruptMarked();
      this.#waits.follow(drive.state);
      // What still runs may still write.
      if (this.#effects.size === 0) this.#options.workPlace?.rest();
    } catch (error) {
      await this.#stumble(entries, error);
    } finally {
      this.#advancing = false;
      if (this.#kicked && !this.#closed) {
        this.#kicked = false;
        void this.#advance([]);
      }
      this.#wake();
    }
  }

  /**
   * A write that failed ends the run: the lane has told everybody, and a reopened lane starts a new one. Anything else
   * is a fault of ours in what an outcome led to; a person gets it as a failure of the effect.
   */
  async #stumble(entries: readonly EntryBody[], error: unknown): Promise<void> {
    const [ended] = entries;
    if (
      this.#closed ||
      this.#options.drive.broken() ||
      ended?.is !== 'ended' ||
      ended.outcome.is === 'failed'
    ) {
      await this.close();
      return;
    }
    const message = `What the node gave could not be taken: ${error instanceof Error ? error.message : 'unknown'}`;
    await this.#advance([{ ...ended, outcome: { is: 'failed', code: 'crashed', message, began: true } }]);
  }

  /**
   * What follows at once from a state: a compute node whole, everything else up to its intent; such an effect is added
   * to those that start. Nothing where nothing is ready, or where so much was worked out that others have their turn.
   */
  #following(plan: Plan, state: State, made: Following): readonly EntryBody[] {
    const at = instant(this.#options.clock);
    const effect = ready(plan, state).find(({ retryAt }) => retryAt === undefined || isDue(retryAt, at));
    if (effect === undefined) return [];
    made.more = made.computed === COMPUTED_AT_ONCE;
    if (made.more) return [];
    if (effect.kind === 'compute') made.computed += 1;
    else made.started.push(effect);
    return this.#entriesOf(plan, state, effect);
  }

  /** Comes back when the first of what shall be tried again is due. */
  #waitForDue(): void {
    this.#cancelWait();
    const { drive, clock } = this.#options;
    const moments = ready(drive.plan, drive.state).flatMap(({ retryAt }) =>
      retryAt === undefined ? [] : [Date.parse(retryAt)],
    );
    if (moments.length === 0) return;
    this.#cancelWait = clock.after(Math.max(0, Math.min(...moments) - clock.now()), () => {
      if (!this.#closed) void this.#advance([]);
    });
  }

  #entriesOf(plan: Plan, state: State, effect: Effect): EntryBody[] {
    const { id, branch, node: name, kind, attempt } = effect;
    const intent: EntryBody = {
      is: 'intended',
      effect: { id, branch, node: name, kind, attempt, backend: null },
    };
    const node = plan.nodes[name];
    const { run } = state.machine;
    if (node?.kind !== 'compute' || run === null) return [intent];
    const outcome = compute(plan, frameOf(run, branch), node, effect.input, state.ledgers);
    return [intent, { is: 'ended', effect: id, outcome, spend: NO_SPEND }];
  }

  #start(effect: Effect): void {
    const { plan } = this.#options.drive;
    const node = plan.nodes[effect.node];
    const performer = performerOf(plan, effect);
    const options = { ...this.#options, time: this.#time };
    const running =
      performer !== null
        ? new AgentEffect(options, performer, effect)
        : node?.kind === 'tool'
          ? new ToolEffect(options, node, effect)
          : null;
    if (running === null) return;
    this.#effects.set(effect.id, running);
    void this.#finish(running);
    // Whoever interrupted it while its intent was being written is heard now.
    this.#interruptMarked();
  }

  async #finish(running: RunningEffect): Promise<void> {
    try {
      const ended = await running.run();
      this.#effects.delete(running.effect.id);
      if (!this.#closed) {
        this.#noteLate(running, ended);
        await this.#advance([ended]);
      }
    } catch {
      this.#effects.delete(running.effect.id);
      await this.close();
    }
    this.#wake();
  }

  /** What comes after its token was called back is charged, and noted; nothing else comes of it. */
  #noteLate({ effect }: RunningEffect, ended: EntryBody): void {
    const { drive } = this.#options;
    const tokens = drive.state.machine.run?.tokens ?? [];
    const awaited = tokens.some(({ stage }) => stage.is === 'running' && stage.effect === effect.id);
    if (awaited || ended.is !== 'ended' || ended.outcome.is !== 'done') return;
    drive.discarded({ effect: effect.id, node: effect.node, output: ended.outcome.output });
  }

  /** Interrupts what is to stop: what a person interrupted, and what has no token since its branch was given up. */
  #interruptMarked(): void {
    const goOn = new Set<Effect['id']>();
    for (const { stage } of this.#options.drive.state.machine.run?.tokens ?? []) {
      if (stage.is === 'running' && !stage.interrupted) goOn.add(stage.effect);
    }
    for (const [id, effect] of this.#effects) if (!goOn.has(id)) effect.interrupt();
  }

  #wake(): void {
    if (this.#idle === null || this.#advancing || this.#effects.size > 0) return;
    if (!this.#closed && !quiescent(this.#options.drive.state)) return;
    this.#idle.resolve();
    this.#idle = null;
  }
}
