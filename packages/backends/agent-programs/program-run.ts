import type { BackendEvent, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import { type Failure, failed } from '../model-api/failure.ts';
import { type ServedTurn, serveTurn } from '../own-tools/loopback.ts';
import { OwnTools } from '../own-tools/own-tools.ts';
import { type Ending, EventQueue } from './event-queue.ts';
import { RpcError } from './json-rpc.ts';
import type { ProgramPorts } from './ports.ts';
import { RpcProgram, type RpcStart } from './rpc-program.ts';
import { Watchdog } from './watchdog.ts';

/** How long a program may take to stop by itself when it is interrupted, in milliseconds. */
const STOP_MS = 3000;

/** What a turn on a program is played with. */
export interface Frame {
  readonly turn: BackendTurn;
  readonly host: Host;
  readonly ports: ProgramPorts;
  readonly tools: OwnTools;
  readonly served: ServedTurn;
  readonly events: EventQueue;
  readonly dog: Watchdog;
  /** Whether a person, or the end of the service, stops the turn. */
  readonly stopping: () => boolean;
  /** Starts the program; the turn ends when that ends. */
  readonly start: (start: Omit<RpcStart, 'cwd' | 'patience' | 'onLine'>) => RpcProgram;
  /** Ends the turn with a failure, unless it has ended. */
  readonly fail: (failure: Failure) => void;
}

/** What is particular to a program: how a turn is played on it. */
export interface Player {
  /** The program, as a person calls it. */
  readonly who: string;
  /** Whether something may have happened. */
  readonly began: boolean;
  /** Starts the program and goes through the turn with it. Rejects with what `failure` knows to tell. */
  play(): Promise<void>;
  /** A message of the person's. What the program does not take waits for the next turn. */
  offer(message: InboxMessage): void;
  /** Asks the program to stop, in its own words; `null` when there is nothing to stop. */
  stop(): Promise<unknown> | null;
  /** The parked ending, when a person is waited for. */
  parked(): Ending | null;
  failure(error: RpcError): Failure;
  /** Takes away what only the turn needed. Never rejects. */
  close(): Promise<void>;
}

/**
 * One turn on a program that speaks JSON-RPC: a process for the turn alone, gone before the turn's ending is told. An
 * interrupt is asked for in the program's own words first; an abort ends it at once.
 */
export class ProgramRun implements BackendRun {
  readonly #turn: BackendTurn;
  readonly #host: Host;
  readonly #signal: AbortSignal;
  readonly #ports: ProgramPorts;
  readonly #made: (frame: Frame) => Player;
  readonly #events = new EventQueue();
  readonly #offered: InboxMessage[] = [];
  #player: Player | null = null;
  #program: RpcProgram | null = null;
  #stopping = false;

  constructor(
    turn: BackendTurn,
    host: Host,
    signal: AbortSignal,
    ports: ProgramPorts,
    made: (frame: Frame) => Player,
  ) {
    this.#turn = turn;
    this.#host = host;
    this.#signal = signal;
    this.#ports = ports;
    this.#made = made;
  }

  offer(message: InboxMessage): void {
    if (this.#events.over) return;
    if (this.#player === null) this.#offered.push(message);
    else this.#player.offer(message);
  }

  async interrupt(): Promise<void> {
    this.#stopping = true;
    const asked = this.#player?.stop() ?? null;
    if (asked !== null) {
      const late = new Promise(resolve => setTimeout(resolve, this.#ports.patience?.leave ?? STOP_MS));
      await Promise.race([asked.then(() => this.#events.ended), late, this.#program?.ended]);
    }
    void this.#events.push({ type: 'stopped' });
    await this.#program?.end('term');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    const dog = new Watchdog(this.#ports.clock, { quietMs: this.#turn.quietMs });
    let served: ServedTurn | null = null;
    const abort = (): void => {
      this.#stopping = true;
      void this.#events.push({ type: 'stopped' });
      void this.#program?.end('term');
    };
    this.#signal.addEventListener('abort', abort, { once: true });
    if (this.#signal.aborted) abort();
    void dog.silent.then(kind => this.#fellSilent(kind));
    try {
      const tools = new OwnTools(this.#turn, this.#host);
      served = await serveTurn(tools);
      const player = this.#made(this.#frame(tools, served, dog));
      this.#player = player;
      for (const message of this.#offered.splice(0)) player.offer(message);
      void this.#play(player);
      yield* this.#events;
    } finally {
      this.#signal.removeEventListener('abort', abort);
      dog.stop();
      void this.#events.push({ type: 'stopped' });
      await this.#program?.end(this.#stopping ? 'term' : 'leave');
      await served?.close();
      await this.#player?.close();
    }
    yield await this.#events.ended;
  }

  #frame(tools: OwnTools, served: ServedTurn, dog: Watchdog): Frame {
    const turn = this.#turn;
    const { patience } = this.#ports;
    return {
      turn,
      host: this.#host,
      ports: this.#ports,
      tools,
      served,
      events: this.#events,
      dog,
      stopping: () => this.#stopping,
      fail: failure => this.#fail(failure),
      start: start => {
        const cwd = turn.workspace ?? turn.directory;
        const program = new RpcProgram({ ...start, cwd, patience, onLine: () => dog.heard() });
        this.#program = program;
        void program.ended.then(() => this.#left());
        return program;
      },
    };
  }

  /** Never rejects. */
  async #play(player: Player): Promise<void> {
    try {
      await player.play();
    } catch (error) {
      if (error instanceof RpcError && error.code === 0) return this.#left();
      const told = error instanceof RpcError ? error : new RpcError('something unforeseen happened', -1);
      this.#waitsOr(() => this.#fail(player.failure(told)));
    }
  }

  /** The program has ended by itself, or was killed. */
  #left(): void {
    this.#waitsOr(() =>
      this.#fail({ code: 'crashed', message: `${this.#who} ended in the middle of the turn; try again.` }),
    );
  }

  /** Whoever stops the turn, or is waited for, hears of nothing else. */
  #waitsOr(otherwise: () => void): void {
    if (this.#stopping) return void this.#events.push({ type: 'stopped' });
    const parked = this.#player?.parked() ?? null;
    if (parked !== null) return void this.#events.push(parked);
    otherwise();
  }

  #fellSilent(kind: 'cold' | 'quiet'): void {
    const what = kind === 'cold' ? 'did not come up' : 'fell silent in the middle of its work';
    this.#fail({ code: kind, message: `${this.#who} ${what}; try again.` });
    void this.#program?.end('term');
  }

  get #who(): string {
    return this.#player?.who ?? 'The agent';
  }

  #fail(failure: Failure): void {
    void this.#events.push(failed(failure, this.#player?.began ?? false));
  }
}
