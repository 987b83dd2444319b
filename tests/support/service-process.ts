import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearthClient } from '@hearth/client/http.ts';
import { packedService } from './packed.ts';

const BOTS = fileURLToPath(new URL('../../bots/', import.meta.url));

/** What a service's process holds: pending timers, and bytes after a collection. */
export interface ProcessFacts {
  readonly timers: number;
  readonly rss: number;
  readonly heapUsed: number;
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

/** A service in a process of its own, with the client of a person on it. */
export class ServiceProcess {
  readonly client: HearthClient;
  /** In the order of the homes. */
  readonly clients: readonly HearthClient[];
  readonly #child: ChildProcess;
  readonly #ended: Ended;

  /** With a client for each of the homes that it serves. */
  private constructor(
    child: ChildProcess,
    clients: readonly [HearthClient, ...HearthClient[]],
    ended: Ended,
  ) {
    this.#child = child;
    this.client = clients[0];
    this.clients = clients;
    this.#ended = ended;
  }

  /** Starts a service on a home; rejects with what it wrote when it does not come up. */
  static start(home: string, fault?: object, where: Where = {}): Promise<ServiceProcess> {
    return ServiceProcess.#spawned([home], fault, where);
  }

  /** Starts a service on each of some homes, all in one process. */
  static startAll(homes: readonly [string, ...string[]]): Promise<ServiceProcess> {
    return ServiceProcess.#spawned(homes, undefined, {});
  }

  static async #spawned(
    homes: readonly [string, ...string[]],
    fault: object | undefined,
    where: Where,
  ): Promise<ServiceProcess> {
    const entry = await packedService();
    const env = {
      ...process.env,
      HEARTH_TEST_BOTS: BOTS,
      HEARTH_TEST_HOMES: JSON.stringify(homes),
      FAULT: fault === undefined ? '' : JSON.stringify(fault),
      ROOM: where.room ?? '',
    };
    const [command, ...words] = [...(where.within ?? []), process.execPath, '--expose-gc', entry];
    const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<NodeJS.Signals | null>(resolve =>
      child.once('exit', (_code, signal) => resolve(signal)),
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const addresses = await new Promise<readonly string[]>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim().split(' ')));
      void ended.then(signal => reject(new Error(`the service ended (${signal}): ${errors}`)));
    });
    const clientAt = (home: string, index: number): HearthClient => {
      const seen = where.within === undefined ? home : throughProcess(child.pid ?? 0, home);
      return clientOf(addresses[index] ?? '', readFileSync(join(seen, 'token'), 'utf8').trim());
    };
    const [first, ...others] = homes;
    const clients = [clientAt(first, 0), ...others.map((home, index) => clientAt(home, index + 1))] as const;
    return new ServiceProcess(child, clients, ended);
  }

  /** The signal that ended the process, once it has ended. */
  get ended(): Ended {
    return this.#ended;
  }

  /** What the process holds now. */
  facts(): Promise<ProcessFacts> {
    return new Promise((resolve, reject) => {
      void this.#ended.then(signal => reject(new Error(`the service ended (${signal})`)));
      this.#child.stdout?.once('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString())));
      this.#child.kill('SIGUSR2');
    });
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
