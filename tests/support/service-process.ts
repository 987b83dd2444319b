import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HearthClient } from '@hearth/client/http.ts';
import { packedService } from './packed.ts';

const BOTS = fileURLToPath(new URL('../../bots/', import.meta.url));

/** What a service's process holds: pending timers, and bytes after a collection. */
export interface ProcessFacts {
  readonly timers: number;
  readonly rss: number;
  readonly heapUsed: number;
  /** When each sync of a journal had ended, on the clock of `machineTime`. */
  readonly synced: readonly number[];
}

/** What a service stands in. */
export interface Where {
  /** A command that becomes the service, such as one that gives it another file system. */
  readonly within?: readonly string[];
  /** The file that says how many bytes its disk takes; see `bounded`. */
  readonly room?: string;
}

/** A path as a process sees it that has a file system of its own. */
export function throughProcess(pid: number, path: string): string {
  return join('/proc', String(pid), 'root', path);
}

/** The signal that ended a process. */
type Ended = Promise<NodeJS.Signals | null>;

/** What a service's process said of itself, by the first word of each line. */
class Said {
  readonly #lines: string[] = [];
  #heard: (() => void)[] = [];

  constructor(lines: Interface) {
    lines.on('line', line => {
      this.#lines.push(line);
      for (const heard of this.#heard.splice(0)) heard();
    });
  }

  /** Waits for a line and takes it; resolves to what follows its beginning. */
  async after(beginning: string): Promise<string> {
    for (;;) {
      const at = this.#lines.findIndex(line => line.startsWith(beginning));
      const [found] = at < 0 ? [] : this.#lines.splice(at, 1);
      if (found !== undefined) return found.slice(beginning.length);
      await new Promise<void>(resolve => this.#heard.push(resolve));
    }
  }
}

/** How a service is to fare. */
interface Fate {
  /** Where it kills itself. */
  readonly fault?: object | undefined;
  /** Where the service of each home stands still. */
  readonly faults?: readonly object[];
  readonly where?: Where;
}

/** A service in a process of its own, with the client of a person on it. */
export class ServiceProcess {
  readonly client: HearthClient;
  /** In the order of the homes. */
  readonly clients: readonly HearthClient[];
  readonly #child: ChildProcess;
  readonly #said: Said;
  readonly #ended: Ended;

  /** With a client for each of the homes that it serves. */
  private constructor(
    child: ChildProcess,
    said: Said,
    clients: readonly [HearthClient, ...HearthClient[]],
    ended: Ended,
  ) {
    this.#child = child;
    this.#said = said;
    this.client = clients[0];
    this.clients = clients;
    this.#ended = ended;
  }

  /** Starts a service on a home; rejects with what it wrote when it does not come up. */
  static start(home: string, fault?: object, where: Where = {}): Promise<ServiceProcess> {
    return ServiceProcess.#spawned([home], { fault, where });
  }

  /** Starts a service on each of some homes, all in one process; each stands still where its fault says. */
  static startAll(
    homes: readonly [string, ...string[]],
    faults: readonly object[] = [],
  ): Promise<ServiceProcess> {
    return ServiceProcess.#spawned(homes, { faults });
  }

  static async #spawned(
    homes: readonly [string, ...string[]],
    { fault, faults = [], where = {} }: Fate,
  ): Promise<ServiceProcess> {
    const entry = await packedService();
    const env = {
      ...process.env,
      HEARTH_TEST_BOTS: BOTS,
      HEARTH_TEST_HOMES: JSON.stringify(homes),
      FAULT: fault === undefined ? '' : JSON.stringify(fault),
      FAULTS: JSON.stringify(faults),
      ROOM: where.room ?? '',
    };
    const [command, ...words] = [...(where.within ?? []), process.execPath, '--expose-gc', entry];
    const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = new Said(createInterface(child.stdout));
    const ended = new Promise<NodeJS.Signals | null>(resolve =>
      child.once('exit', (_code, signal) => resolve(signal)),
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const failed = ended.then(signal => {
      throw new Error(`the service ended (${signal}): ${errors}`);
    });
    const addresses = (await Promise.race([said.after('serves '), failed])).split(' ');
    // From now on whoever waits for its end does so by itself.
    failed.catch(() => undefined);
    const clientAt = (home: string, index: number): HearthClient => {
      const seen = where.within === undefined ? home : throughProcess(child.pid ?? 0, home);
      return clientOf(addresses[index] ?? '', readFileSync(join(seen, 'token'), 'utf8').trim());
    };
    const [first, ...others] = homes;
    const clients = [clientAt(first, 0), ...others.map((home, index) => clientAt(home, index + 1))] as const;
    return new ServiceProcess(child, said, clients, ended);
  }

  /** The signal that ended the process, once it has ended. */
  get ended(): Ended {
    return this.#ended;
  }

  /** Resolves when the service of the home with this index stands still at its fault. */
  async still(index: number): Promise<void> {
    await this.#said.after(`still ${index};`);
  }

  /** What the process holds now. */
  async facts(): Promise<ProcessFacts> {
    const failed = this.#ended.then(signal => {
      throw new Error(`the service ended (${signal})`);
    });
    failed.catch(() => undefined);
    this.#child.kill('SIGUSR2');
    return JSON.parse(await Promise.race([this.#said.after('facts '), failed]));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(): Promise<void> {
    if (this.running) this.#child.kill('SIGTERM');
    await this.#ended;
  }

  async kill(): Promise<void> {
    if (this.running) this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** A person's client, named after its surface. */
export function clientOf(address: string, token: string, surface = 'test'): HearthClient {
  return new HearthClient({ address, token, surface, name: 'ada', newCommandId: () => randomUUID() });
}
