import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendStep, PersonStep, Recording, RecordingStep } from '@hearth/backends/replay/recording.ts';
import { type Part, ReplayMismatch, Score } from '@hearth/backends/replay/score.ts';
import type { RunTrace } from '@hearth/conversations/ports.ts';
import type { Bot } from '@hearth/engine/bot.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { MessageId, PauseId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { recorded } from './recorded.ts';
import { openStage, type Stage } from './stage.ts';

/*
 * Plays a recording: the person's part through a real lane on a home of its own, the backends' part by `Replay`. The
 * conversation is closed and opened anew at every pause, so that whatever a recording goes through is resumed too.
 */

/** What is played, and on what; nothing of the person's home is touched. */
export interface PlayOptions {
  readonly bot: Bot;
  readonly recording: Recording;
  /** Hearth's own tools; they do nothing here, and what they answered was recorded. */
  readonly tools: readonly Tool[];
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What the replay gave, as steps of another recording. */
export interface Played {
  readonly steps: readonly RecordingStep[];
  /** Why it could not be played to its end, as a sentence. */
  readonly stopped: string | null;
}

/** How long the engine may take for what follows from a step, in milliseconds. */
const PATIENCE_MS = 10_000;
const PERSON = { kind: 'person', name: 'replay', surface: 'replay' } as const;

/** Plays a recording to its end or to where it cannot go on. The home that it makes is removed, however it ends. */
export async function play(options: PlayOptions): Promise<Played> {
  const home = await mkdtemp(join(tmpdir(), 'hearth-replay-'));
  const player = new Player(options, home);
  try {
    await player.open();
    const stopped = await player.play();
    const made = recorded(options.bot.name, await player.trace());
    return { steps: typeof made === 'string' ? [] : made.steps, stopped };
  } finally {
    await player.close();
    await rm(home, { recursive: true, force: true });
  }
}

class Player {
  readonly #options: PlayOptions;
  readonly #home: string;
  #score = new Score();
  /** The time of the conversation: it goes on only where the engine waits for it. */
  readonly #time = new SimClock();
  readonly #messages: MessageId[] = [];
  readonly #pauses: PauseId[] = [];
  readonly #parts = new Map<number, Part>();
  /** Effects of tool nodes: what they call is the engine's own doing. */
  readonly #programs = new Set<number>();
  #opened: (Stage & { readonly detach: () => void }) | null = null;

  constructor(options: PlayOptions, home: string) {
    this.#options = options;
    this.#home = home;
  }

  async open(): Promise<void> {
    this.#score = new Score();
    const on = { ...this.#options, home: this.#home, time: this.#time };
    const opened = await openStage(on, this.#score, () => this.#messages);
    this.#opened = { ...opened, detach: () => undefined };
    const detach = await opened.lane.attach(null, frame => this.#heard(frame));
    this.#opened = { ...opened, detach };
  }

  async close(): Promise<void> {
    this.#opened?.detach();
    await this.#opened?.conversations.closeAll();
    this.#opened = null;
  }

  async trace(): Promise<RunTrace> {
    const { store, lane } = this.#now();
    await lane.settled().catch(() => undefined);
    const [run] = await store.runs(lane.id);
    return (run === undefined ? null : await store.trace(lane.id, run)) ?? { dropped: 0, lines: [] };
  }

  /** Plays all steps; resolves to why it stopped before the end. */
  async play(): Promise<string | null> {
    try {
      for (const step of this.#options.recording.steps) await this.#step(step);
      await this.#settled();
      return null;
    } catch (error) {
      if (error instanceof ReplayMismatch) return error.message;
      throw error;
    }
  }

  #heard(frame: Frame): void {
    if (frame.frame !== 'event' || frame.event.type !== 'pause.opened') return;
    const { id } = frame.event.pause;
    // What was heard before the conversation was opened anew is told again.
    if (!this.#pauses.includes(id)) this.#pauses.push(id);
  }

  async #step(step: RecordingStep): Promise<void> {
    switch (step.is) {
      case 'message':
      case 'unsent':
      case 'decision':
      case 'interrupt':
      case 'operate':
      case 'raise':
      case 'restart':
        return this.#person(step);
      case 'started':
        if (step.kind === 'tool') this.#programs.add(step.effect);
        this.#parts.set(
          step.effect,
          await this.#soon(this.#score.started(step.node), `"${step.node}" does not start any more.`),
        );
        return;
      case 'session':
      case 'narration':
      case 'called':
      case 'tool':
      case 'taken':
      case 'seen':
      case 'outcome':
        return this.#backend(step);
      default:
        return;
    }
  }

  async #backend(step: BackendStep): Promise<void> {
    if (this.#programs.has(step.effect) && step.is !== 'outcome') return;
    const part = this.#parts.get(step.effect);
    if (part === undefined) throw new ReplayMismatch(`Turn ${step.effect} was never begun.`);
    const released = part.release(step);
    if (step.is === 'called' && step.came === 'none') return;
    await this.#soon(released, `"${part.node}" does not go on as it was recorded (${step.is}).`);
    if (step.is === 'outcome') await this.#quiet();
  }

  async #person(step: PersonStep): Promise<void> {
    if (step.is === 'restart') return this.#again();
    if (await this.#settled()) await this.#again();
    const { lane } = this.#now();
    const command = { commandId: this.#options.ids.command(), actor: PERSON };
    switch (step.is) {
      case 'message': {
        const { text, delivery } = step;
        const reply = accepted(await lane.send({ ...command, text, delivery }), 'The message');
        if (reply.receipt?.did.message !== undefined) this.#messages.push(reply.receipt.did.message);
        return;
      }
      case 'unsent': {
        const message = this.#messages[step.message - 1];
        if (message === undefined) throw new ReplayMismatch(`Message ${step.message} was never sent.`);
        accepted(await lane.unsend({ ...command, message }), 'Taking the message back');
        return;
      }
      case 'decision': {
        const pause = await this.#pause(step.pause);
        const { artifact, version, act } = step;
        const bound = {
          ...(artifact === undefined ? {} : { artifact }),
          ...(version === undefined ? {} : { version }),
        };
        accepted(
          await lane.decide({ ...command, pause, ...bound, act }),
          `The answer to pause ${step.pause}`,
        );
        return;
      }
      case 'interrupt': {
        const turn = lane.view().turn?.id;
        if (turn === undefined) throw new ReplayMismatch('There is no turn to interrupt.');
        accepted(await lane.interrupt({ ...command, turn }), 'The interrupt');
        return;
      }
      case 'operate': {
        const run = lane.view().run?.id;
        if (run === undefined) throw new ReplayMismatch(`There is no run to ${step.what}.`);
        accepted(
          await lane.operate(step.what, { ...command, run }),
          `What was done to the run (${step.what})`,
        );
        return;
      }
      case 'raise': {
        const { ledger, axis, to } = step;
        accepted(await lane.raise({ ...command, ledger, axis, to }), 'Raising the budget');
      }
    }
  }

  /** The pause of that count, once it is open. */
  async #pause(count: number): Promise<PauseId> {
    const missing = `Pause ${count} does not open any more.`;
    for (let waited = 0; waited < PATIENCE_MS; waited += 5) {
      const id = this.#pauses[count - 1];
      if (id !== undefined) return id;
      if (await this.#settled()) break;
      await this.#after(5);
    }
    const id = this.#pauses[count - 1];
    if (id === undefined) throw new ReplayMismatch(missing);
    return id;
  }

  /** Closes the conversation and opens it again, as a stop of the service and its next start do. */
  async #again(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** Whether nothing runs; waits for what is being committed. */
  async #settled(): Promise<boolean> {
    const settled = this.#now().lane.settled();
    return (
      (await Promise.race([settled.then(() => true), this.#after(20).then(() => false)])) || this.#idle()
    );
  }

  #idle(): boolean {
    return this.#now().lane.view().state !== 'working';
  }

  /** Gives the engine time for what follows from an outcome. */
  async #quiet(): Promise<void> {
    const { lane } = this.#now();
    await Promise.race([lane.settled(), this.#after(20)]);
  }

  async #soon<T>(work: Promise<T>, why: string): Promise<T> {
    const came = work.then(value => ({ value }));
    for (let waited = 0; ; waited += 50) {
      const first = await Promise.race([came, this.#after(50).then(() => null)]);
      if (first !== null) return first.value;
      if (waited >= PATIENCE_MS || (waited >= 200 && this.#idle())) throw new ReplayMismatch(why);
      // It may wait to try again.
      if (waited > 0 && waited <= 500) this.#time.advance(60_000);
    }
  }

  #after(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#options.clock.after(ms, resolve);
    return promise;
  }

  #now() {
    if (this.#opened === null) throw new ReplayMismatch('The conversation is closed.');
    return this.#opened;
  }
}

function accepted(reply: Reply, what: string): Reply {
  if (reply.refused === undefined) return reply;
  throw new ReplayMismatch(`${what} is refused now: ${reply.refused.message}`);
}
