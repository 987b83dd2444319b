import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearthClient } from '@hearth/client/http.ts';
import { build } from 'esbuild';

const ENTRY = fileURLToPath(new URL('../crash/fault-service.ts', import.meta.url));
const BOTS = fileURLToPath(new URL('../../bots/', import.meta.url));

/** The service in one file, made once for a test file: it starts in a third of the time, and many are started. */
let bundled: Promise<string> | null = null;

async function bundle(): Promise<string> {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
  const outfile = join(cache, `hearth-test-${process.pid}.mjs`);
  const banner =
    "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);";
  await build({
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: banner },
    external: ['ai', '@ai-sdk/*', 'vite', '@vitejs/*', 'esbuild'],
    logLevel: 'error',
  });
  return outfile;
}

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

/** A service in a process of its own, with the client of a person on it. */
export class ServiceProcess {
  readonly client: HearthClient;
  readonly #child: ChildProcess;
  readonly #ended: Promise<NodeJS.Signals | null>;

  private constructor(child: ChildProcess, client: HearthClient, ended: Promise<NodeJS.Signals | null>) {
    this.#child = child;
    this.client = client;
    this.#ended = ended;
  }

  /** Starts a service on a home; rejects with what it wrote when it does not come up. */
  static async start(home: string, fault?: object, where: Where = {}): Promise<ServiceProcess> {
    bundled ??= bundle();
    const entry = await bundled;
    const env = {
      ...process.env,
      HEARTH_TEST_BOTS: BOTS,
      HEARTH_HOME: home,
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
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      void ended.then(signal => reject(new Error(`the service ended (${signal}): ${errors}`)));
    });
    const seen = where.within === undefined ? home : throughProcess(child.pid ?? 0, home);
    const token = readFileSync(join(seen, 'token'), 'utf8').trim();
    return new ServiceProcess(child, clientOf(address, token), ended);
  }

  /** The signal that ended the process, once it has ended. */
  get ended(): Promise<NodeJS.Signals | null> {
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
