import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Kept } from '../agent-programs/kept.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { isNewEnough, versionOf } from '../agent-programs/program-version.ts';
import { RpcProgram } from '../agent-programs/rpc-program.ts';
import { findProgram } from '../agent-programs/search-path.ts';
import { initialize } from './initialize.ts';
import { ProgramHome } from './home.ts';
import { programEnvironment } from './launch.ts';
import { type PersonsConfig, personsConfig } from './persons-config.ts';

/*
 * Whether the program is there, new enough, and can reach a model, and what of the person's configuration leads there. The
 * program is asked itself, in a home that is thrown away, so that nothing of the person's is touched.
 */

/** How long an answer is good for, in milliseconds. */
const KEPT_MS = 30_000;
/** The first version whose protocol has everything that is used. */
const OLDEST = [0, 160, 0] as const;
/** How it says its version. */
const SAID = /^codex(?:-cli)? (\d+\.\d+\.\d+)/;
/** How long the program may take to answer, in milliseconds. */
const PATIENCE_MS = 15_000;

/** What was found. `why` is a phrase for a person, also when all is well. */
export type Detected =
  | {
      readonly usable: true;
      readonly why: string;
      readonly version: string;
      readonly path: string;
      readonly config: PersonsConfig;
      /** A key of the environment by which the program has to be logged in; `null`: it finds the login itself. */
      readonly apiKey: string | null;
    }
  | { readonly usable: false; readonly why: string; readonly version?: string };

const Account = z.looseObject({
  account: z.looseObject({ type: z.string().catch('') }).nullish(),
  requiresOpenaiAuth: z.boolean().catch(true),
});

/**
 * Asks the program what it is and whether it can reach a model. An answer is kept for half a minute, since each look
 * starts the program.
 */
export class Detection {
  readonly #ports: ProgramPorts;
  readonly #kept: Kept<Detected>;

  constructor(ports: ProgramPorts) {
    this.#ports = ports;
    this.#kept = new Kept(ports.clock, KEPT_MS, () => this.#look());
  }

  /** Never rejects. */
  detect(): Promise<Detected> {
    return this.#kept.get();
  }

  async #look(): Promise<Detected> {
    const { env } = this.#ports;
    const name = env['HEARTH_CODEX'] ?? 'codex';
    const path = findProgram(name, env['PATH']);
    if (path === null) {
      return { usable: false, why: `there is no program "${name}" on the search path; install Codex` };
    }
    const version = await this.#version(path).catch(() => null);
    if (version === null) return { usable: false, why: `${path} does not say a version of Codex` };
    if (!isNewEnough(version, OLDEST)) {
      const why = `Codex ${version} is too old; update it to ${OLDEST.join('.')} or newer`;
      return { usable: false, why, version };
    }
    const asked = await this.#ask(path).catch(() => null);
    if (asked === null) {
      return { usable: false, why: `Codex ${version} does not answer; run "codex" once to see why`, version };
    }
    const { config, account, needsLogin } = asked;
    const key = (env['OPENAI_API_KEY'] ?? '').trim();
    const here = { usable: true, version, path, config } as const;
    if (!needsLogin)
      return { ...here, apiKey: null, why: `Codex ${version} is there, on "${config.provider}"` };
    if (account) return { ...here, apiKey: null, why: `Codex ${version} is there, with your own login` };
    if (key !== '') {
      return { ...here, apiKey: key, why: `Codex ${version} is there, with a key of the environment` };
    }
    const why = `Codex ${version} is there but not logged in; run "codex login" once, or set OPENAI_API_KEY`;
    return { usable: false, why, version };
  }

  /** Whatever it is asked, it leaves something in the home that it is given. */
  async #version(path: string): Promise<string | null> {
    const home = await mkdtemp(join(tmpdir(), 'hearth-codex-'));
    try {
      return await versionOf(path, SAID, { CODEX_HOME: home });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }

  async #ask(path: string) {
    const { env, patience } = this.#ports;
    const home = new ProgramHome(await mkdtemp(join(tmpdir(), 'hearth-codex-')), env, [
      'config.toml',
      'auth.json',
    ]);
    await home.open();
    const client = new RpcProgram({
      argv: [path, 'app-server', '--disable', 'plugins', '--disable', 'apps'],
      cwd: home.path,
      env: programEnvironment(env, home.path, []),
      patience,
    });
    const late = setTimeout(() => void client.end('term'), PATIENCE_MS);
    try {
      await initialize(client);
      const [config, account] = await Promise.all([
        client.request('config/read', { includeLayers: false }),
        client.request('account/read', { refreshToken: false }),
      ]);
      const { account: found, requiresOpenaiAuth } = Account.parse(account);
      return { config: personsConfig(config), account: found != null, needsLogin: requiresOpenaiAuth };
    } finally {
      clearTimeout(late);
      await client.end();
      await home.remove();
    }
  }
}
