import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedLauncher } from './packed.ts';

/** The launcher of the product as it is published, made of the sources as they are. */
export const LAUNCHER = await packedLauncher();

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `hearth` as a person runs it, on a home of its own and in a folder of theirs. */
export class Hearth {
  readonly home: string;
  readonly cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #launcher: string;

  constructor(home: string, cwd: string, env: Readonly<Record<string, string>> = {}, launcher = LAUNCHER) {
    this.#launcher = launcher;
    this.home = home;
    this.cwd = cwd;
    this.#env = env;
  }

  get env(): NodeJS.ProcessEnv {
    const { ANTHROPIC_API_KEY: _a, OPENAI_API_KEY: _o, INIT_CWD: _i, ...inherited } = process.env;
    // Whatever model the machine has, a test talks to none that it did not name.
    const nobody = {
      OLLAMA_HOST: 'http://127.0.0.1:9',
      HEARTH_OPENAI_BASE_URL: '',
      HEARTH_MODEL: '',
      HEARTH_BACKEND: '',
    };
    return { ...inherited, ...nobody, HEARTH_HOME: this.home, NO_COLOR: '1', ...this.#env };
  }

  /** Runs a command to its end. Never rejects; the exit code tells. */
  run(args: readonly string[], options: { input?: string; cwd?: string } = {}): Promise<Ran> {
    return new Promise(resolve => {
      const child = execFile(
        process.execPath,
        [this.#launcher, ...args],
        { cwd: options.cwd ?? this.cwd, env: this.env, maxBuffer: 64 * 1024 * 1024, timeout: 50_000 },
        (error, out, err) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 255;
          resolve({ code, out, err });
        },
      );
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(options.input ?? '');
    });
  }

  /** Runs a command that prints JSON. */
  async json<T>(
    args: readonly string[],
    options: { input?: string; cwd?: string } = {},
  ): Promise<T & { exit: number }> {
    const ran = await this.run([...args, '--json'], options);
    try {
      const value: T = JSON.parse(ran.out);
      return { ...value, exit: ran.code };
    } catch {
      throw new Error(`hearth ${args.join(' ')} printed no JSON (exit ${ran.code}): ${ran.out}${ran.err}`);
    }
  }

  /** The running service's process and address. */
  service(): { pid: number; address: string } {
    return JSON.parse(readFileSync(join(this.home, 'service.json'), 'utf8'));
  }

  token(): string {
    return readFileSync(join(this.home, 'token'), 'utf8').trim();
  }

  /** Stops the service by its pid, if one runs, and waits until it is gone. */
  async stop(): Promise<void> {
    let pid = 0;
    try {
      pid = this.service().pid;
    } catch {
      return;
    }
    try {
      process.kill(pid, 'SIGTERM');
      for (let tries = 0; tries < 200; tries += 1) {
        process.kill(pid, 0);
        await new Promise(resolve => setTimeout(resolve, 25));
      }
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
}
