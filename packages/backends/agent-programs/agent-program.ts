import type { ChildProcess } from 'node:child_process';
import { setTimeout as passed } from 'node:timers/promises';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { signalGroup, spawnGuarded } from '../tools/process.ts';
import { JsonLines } from './json-lines.ts';
import { groupWorks } from './process-group.ts';

/*
 * An agent that is a program of somebody else's: JSON lines go in, JSON lines come out. It runs in a group of processes of
 * its own, under the guard that ends the group when the service is gone, however that went. Whoever holds it ends it by a
 * ladder: the end of its input, a request to end, force. Each rung is for all that it started too: a program between it and
 * whoever writes the session may be gone before that has written. Secrets reach it in its environment, never as arguments.
 */

/** How long each rung of the ladder may take, in milliseconds. */
export interface Patience {
  readonly leave: number;
  readonly term: number;
}

const PATIENCE: Patience = { leave: 5000, term: 2000 };
/** How much is kept of what the program wrote as errors: its end, in characters. */
const ERRORS = 4000;
/** How long what it left in its output is read once it has ended, in milliseconds. */
const REST_MS = 500;
/** How often it is looked whether what it started is gone, in milliseconds. */
const LOOK_MS = 20;

/** What is started, and who hears it. `argv` can be read by everybody on the machine and holds no secret. */
export interface ProgramStart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to the environment of the service, of which what may be a secret is taken out. */
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (value: JsonObject) => void;
  /** It wrote something that the protocol does not know: a line without an end. */
  readonly onNoise: (error: Error) => void;
  readonly patience?: Patience;
  /** How long it may take to leave when its input has ended, where that is less than patience says, in milliseconds. */
  readonly leave?: number;
}

/** How a program ended. */
export interface ProgramEnd {
  /** 128 and the signal's number when a signal ended it; `null` when it could not be started. */
  readonly exit: number | null;
  /** The end of what it wrote as errors. */
  readonly errors: string;
}

/** One started program. It must be ended by whoever started it, also when it has said all that was wanted. */
export class AgentProgram {
  /** Resolves when nothing of it is left. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcess;
  readonly #patience: Patience;
  #gone = false;
  /** Asked to end, or ended by force. */
  #asked: 'to end' | 'by force' | null = null;
  #ending: Promise<ProgramEnd> | null = null;

  private constructor(child: ChildProcess, start: ProgramStart) {
    this.#child = child;
    const patience = start.patience ?? PATIENCE;
    this.#patience = { ...patience, leave: Math.min(patience.leave, start.leave ?? patience.leave) };
    this.ended = this.#follow(start);
  }

  static start(start: ProgramStart): AgentProgram {
    return new AgentProgram(spawnGuarded(start.argv, start.cwd, start.env, 'pipe'), start);
  }

  /** The group's number, for tests. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Writes one line; whoever is gone reads nothing. */
  send(value: object): void {
    const input = this.#child.stdin;
    if (!this.#gone && input?.writable === true) input.write(`${JSON.stringify(value)}\n`);
  }

  /** Ends it by the ladder, and waits until it is gone. Begins at `term` when it has been asked to end already. */
  end(from: 'leave' | 'term' = 'leave'): Promise<ProgramEnd> {
    this.#ending ??= this.#ladder(from);
    return this.#ending;
  }

  async #ladder(from: 'leave' | 'term'): Promise<ProgramEnd> {
    this.#child.stdin?.end();
    if (from === 'leave' && (await this.#within(this.#patience.leave))) return await this.ended;
    this.#asked = 'to end';
    signalGroup(this.#child.pid, 'SIGTERM');
    if (!(await this.#within(this.#patience.term))) {
      this.#asked = 'by force';
      signalGroup(this.#child.pid, 'SIGKILL');
    }
    return await this.ended;
  }

  /**
   * It is gone, and so is what it started: that may take as long as the ladder gives it where it was asked to end, and no
   * time where the program left by itself. `closed` resolves when its output is closed.
   */
  async #emptied(closed: Promise<unknown>): Promise<void> {
    const child = this.#child;
    while (this.#asked === 'to end' && groupWorks(child.pid)) await passed(LOOK_MS);
    signalGroup(child.pid, 'SIGKILL');
    child.stdio[3]?.destroy();
    // Whoever left the group may hold the output open for ever.
    const rest = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, REST_MS);
    await closed;
    clearTimeout(rest);
  }

  async #within(ms: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), ms);
    const gone = await Promise.race([this.ended.then(() => true), late.promise]);
    clearTimeout(timer);
    return gone;
  }

  #follow({ onLine, onNoise }: ProgramStart): Promise<ProgramEnd> {
    const child = this.#child;
    const lines = new JsonLines();
    let errors = '';
    child.stdin?.on('error', () => undefined);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      try {
        for (const line of lines.add(text)) if (line.is === 'object') onLine(line.value);
      } catch (error) {
        child.stdout?.destroy();
        onNoise(error instanceof Error ? error : new Error(String(error)));
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-ERRORS);
    });
    return new Promise(resolve => {
      const settle = (exit: number | null): void => {
        this.#gone = true;
        resolve({ exit, errors: errors.trim() });
      };
      child.once('error', () => settle(null));
      child.once('exit', exit => {
        const closed = new Promise(close => child.once('close', close));
        void this.#emptied(closed).then(() => settle(exit));
      });
    });
  }
}
