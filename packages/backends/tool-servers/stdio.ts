import type { ChildProcess } from 'node:child_process';
import { signalGroup, spawnGuarded } from '../tools/process.ts';

/*
 * A tool server that is a program: one JSON text on each line of its input and its output. It runs in a group of its own,
 * which ends with the connection and with the service.
 */

/** How long it may take to end once its input has ended, and after it was asked to, in milliseconds. */
const GRACE_MS = 1000;
/** The longest line that is read, in characters: a server that never ends one must not fill the memory. */
const LINE = 16 * 1024 * 1024;
/** How much of what it wrote as errors a failure may quote. */
const ERRORS = 500;

/** The shape of a connection that the protocol's library drives. */
export class StdioConnection<Message> {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  readonly #argv: readonly string[];
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>> | undefined;
  #child: ChildProcess | null = null;
  /** What a line began with, in the pieces in which it came. */
  #pieces: string[] = [];
  #length = 0;
  #errors = '';
  /** Why it was ended by whoever reads it; what it says afterwards is only of that. */
  #ended: string | null = null;
  #gone: Promise<void> = Promise.resolve();

  /** `env` is added to the environment; it may hold what is otherwise kept from programs. */
  constructor(argv: readonly string[], cwd: string, env?: Readonly<Record<string, string>>) {
    this.#argv = argv;
    this.#cwd = cwd;
    this.#env = env;
  }

  /** Why it was ended, or the end of what the program wrote as errors. */
  get errors(): string {
    return this.#ended ?? this.#errors.trim();
  }

  async start(): Promise<void> {
    const child = spawnGuarded(this.#argv, this.#cwd, this.#env, 'pipe');
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    child.once('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      resolve();
      this.onclose?.();
    });
    child.stdin?.on('error', () => undefined);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-ERRORS);
    });
    const begun = Promise.withResolvers<void>();
    child.once('spawn', () => begun.resolve());
    child.once('error', error => {
      begun.reject(error);
      resolve();
    });
    await begun.promise;
  }

  send(message: Message): Promise<void> {
    const input = this.#child?.stdin;
    if (!input?.writable) return Promise.reject(new Error('the program has ended'));
    return new Promise((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, error => (error ? reject(error) : resolve()));
    });
  }

  /** The end of its input, then a request, then force; whatever it started goes too. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    child.stdin?.end();
    if (await this.#within(GRACE_MS)) return;
    signalGroup(child.pid, 'SIGTERM');
    if (await this.#within(GRACE_MS)) return;
    signalGroup(child.pid, 'SIGKILL');
    await this.#within(GRACE_MS);
  }

  async #within(ms: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), ms);
    const gone = await Promise.race([this.#gone.then(() => true), late.promise]);
    clearTimeout(timer);
    return gone;
  }

  #read(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = this.#pieces.join('') + text.slice(from, end);
      [this.#pieces, this.#length] = [[], 0];
      from = end + 1;
      this.#take(line);
    }
    if (from === text.length) return;
    this.#pieces.push(text.slice(from));
    this.#length += text.length - from;
    // Whoever waits for its answer would wait for nothing, so it is ended, and they are told.
    if (this.#length > LINE) this.#overlong();
  }

  #overlong(): void {
    [this.#pieces, this.#length] = [[], 0];
    this.#ended = `a line of more than ${LINE / 1024 / 1024} MiB`;
    this.#child?.stdout?.destroy();
    signalGroup(this.#child?.pid, 'SIGKILL');
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    try {
      const message: Message = JSON.parse(line);
      this.onmessage?.(message);
    } catch {
      this.onerror?.(new Error('a line of the program is no JSON'));
    }
  }
}
