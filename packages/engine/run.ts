import type { AgentNode } from '@hearth/language/plan/node.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { AgentEffect } from './agent-effect.ts';
import { performerOf } from './answerer.ts';
import type { Backend, ModelChoice } from './backend.ts';
import type { Bot } from './bot.ts';
import { compute } from './compute.ts';
import type { Drive } from './drive.ts';
import type { EntryBody } from './entry.ts';
import { frameOf } from './frame.ts';
import { type Effect, apply, ready } from './machine.ts';
import { quiescent } from './quiescent.ts';
import type { Plan } from './runnable.ts';
import type { State } from './state.ts';
import type { Tool } from './tool.ts';

/** Chooses the backend for an agent node; rejects with a sentence for a person when there is none. */
export type ChooseBackend = (wanted: {
  readonly backend: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly effort: string | null;
}) => Promise<{ readonly backend: Backend; readonly model: ModelChoice; readonly why: string }>;

export interface RunOptions {
  readonly drive: Drive;
  readonly bot: Bot;
  readonly choose: ChooseBackend;
  /** Hearth's own tools; a node gets those that its `tools` and `capabilities` allow. */
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  /** Where a turn works when no surface ever named a workspace. */
  readonly fallbackWorkspace: string;
}

/**
 * The only loop that drives a conversation: take what is ready, commit the intent, execute, commit the outcome, until
 * only pauses are left. Compute nodes are pure, so they are worked out within the commit that makes them ready. The
 * run never retries anything, and it stops at once when the truth cannot be written.
 */
export class Run {
  readonly #options: RunOptions;
  readonly #effects = new Map<Effect['id'], AgentEffect>();
  #closed = false;
  #advancing = false;
  #kicked = false;
  #idle: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
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
    for (const effect of this.#effects.values()) effect.abort();
    this.#wake();
    await Promise.resolve();
  }

  /** Commits `entries` with everything that follows from them at once, and starts the agents that became ready. */
  async #advance(entries: readonly EntryBody[]): Promise<void> {
    if (this.#advancing && entries.length === 0) {
      this.#kicked = true;
      return;
    }
    this.#advancing = true;
    try {
      const { drive } = this.#options;
      const { all, agents } = this.#plan(drive.plan, drive.state, entries);
      if (all.length > 0) await drive.commit(all);
      if (this.#closed) return;
      for (const effect of agents) this.#start(effect);
      // What ended may have left words to another branch, or have stopped it.
      for (const effect of this.#effects.values()) effect.refresh();
      this.#interruptMarked();
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
    const message = `What the agent gave could not be taken: ${error instanceof Error ? error.message : 'unknown'}`;
    await this.#advance([{ ...ended, outcome: { is: 'failed', code: 'crashed', message, began: true } }]);
  }

  /** The entries that follow from `entries`: compute nodes whole, agents up to their intent. */
  #plan(plan: Plan, before: State, entries: readonly EntryBody[]): { all: EntryBody[]; agents: Effect[] } {
    const at = new Date(this.#options.clock.now()).toISOString();
    const all = [...entries];
    const agents: Effect[] = [];
    let state = entries.reduce((folded, entry) => apply(plan, folded, { at, ...entry }), before);
    for (;;) {
      const [effect] = ready(plan, state);
      if (effect === undefined) return { all, agents };
      const made = this.#entriesOf(plan, state, effect);
      if (effect.kind === 'agent') agents.push(effect);
      all.push(...made);
      state = made.reduce((folded, entry) => apply(plan, folded, { at, ...entry }), state);
    }
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
    const { drive } = this.#options;
    const node = performerOf(drive.plan, effect);
    if (node === null) return;
    const running = new AgentEffect(this.#options, node, effect);
    this.#effects.set(effect.id, running);
    void this.#finish(running, node);
  }

  async #finish(running: AgentEffect, node: AgentNode): Promise<void> {
    try {
      const ended = await this.#execute(running, node);
      this.#effects.delete(running.effect.id);
      if (!this.#closed) await this.#advance([ended]);
    } catch {
      this.#effects.delete(running.effect.id);
      await this.close();
    }
    this.#wake();
  }

  async #execute(running: AgentEffect, node: AgentNode): Promise<EntryBody> {
    const { choose, drive } = this.#options;
    const { model, provider, effort } = node;
    try {
      const chosen = await choose({
        backend: node.backend ?? drive.plan.defaultBackend,
        model,
        provider,
        effort,
      });
      this.#interruptMarked();
      return await running.run(chosen.backend, chosen.model);
    } catch (error) {
      if (this.#closed || drive.broken()) throw error;
      const message = error instanceof Error ? error.message : 'No backend could be chosen.';
      const outcome = { is: 'failed', code: 'missing', message, began: false } as const;
      return { is: 'ended', effect: running.effect.id, outcome, spend: NO_SPEND };
    }
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
