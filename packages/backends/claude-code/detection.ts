import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@hearth/store/clock.ts';
import { Kept } from '../agent-programs/kept.ts';
import { isNewEnough, versionOf } from '../agent-programs/program-version.ts';
import { findProgram } from '../agent-programs/search-path.ts';
import { loginDirectory } from './environment.ts';
import type { Environment } from '../agent-programs/ports.ts';

/*
 * Whether the program is there, new enough, and logged in. It is asked for its version alone: whether a login is there is
 * seen without reading it. The answer is kept for a while, since each turn wants it.
 */

/** How long an answer is good for, in milliseconds. */
const KEPT_MS = 30_000;
/** The first version whose protocol has everything that is used. */
const OLDEST = [2, 1, 0] as const;
/** How it says its version. */
const SAID = /^(\d+\.\d+\.\d+)\S* \(Claude Code\)/;

/** What was found. `why` is a phrase for a person, also when all is well. */
export type Detected =
  | { readonly usable: true; readonly why: string; readonly version: string; readonly path: string }
  | { readonly usable: false; readonly why: string; readonly version?: string };

/** Looks for the program and its login. An answer is kept for a while, since each look starts the program. */
export class Detection {
  readonly #env: Environment;
  readonly #kept: Kept<Detected>;

  constructor(env: Environment, clock: Clock) {
    this.#env = env;
    this.#kept = new Kept(clock, KEPT_MS, () => this.#look());
  }

  /** Never rejects. */
  detect(): Promise<Detected> {
    return this.#kept.get();
  }

  async #look(): Promise<Detected> {
    const name = this.#env['HEARTH_CLAUDE'] ?? 'claude';
    const path = findProgram(name, this.#env['PATH']);
    if (path === null) {
      return { usable: false, why: `there is no program "${name}" on the search path; install Claude Code` };
    }
    const version = await versionOf(path, SAID);
    if (version === null) return { usable: false, why: `${path} does not say a version of Claude Code` };
    if (!isNewEnough(version, OLDEST)) {
      const why = `Claude Code ${version} is too old; update it to ${OLDEST.join('.')} or newer`;
      return { usable: false, why, version };
    }
    const by = loginOf(this.#env);
    if (by === null) {
      const why = `Claude Code ${version} is there but not logged in; run "claude" once, or set ANTHROPIC_API_KEY`;
      return { usable: false, why, version };
    }
    return { usable: true, why: `Claude Code ${version} is there, with ${by}`, version, path };
  }
}

/** Who answers for the person, as a short phrase; `null` when nothing is there that could. */
export function loginOf(env: Environment): string | null {
  const set = (name: string): boolean => (env[name] ?? '').trim() !== '';
  if (['BEDROCK', 'VERTEX', 'FOUNDRY'].some(cloud => set(`CLAUDE_CODE_USE_${cloud}`))) {
    return "a cloud provider's login";
  }
  if (set('ANTHROPIC_API_KEY') || set('ANTHROPIC_AUTH_TOKEN')) return 'a key of the environment';
  if (set('CLAUDE_CODE_OAUTH_TOKEN')) return 'a token of the environment';
  // On a Mac the login is in the keychain, which is not looked into without being asked to.
  if (process.platform === 'darwin') return 'your own login';
  const directory = loginDirectory(env);
  const at = directory === '' ? join(env['HOME'] ?? homedir(), '.claude') : directory;
  return existsSync(join(at, '.credentials.json')) ? 'your own login' : null;
}

/** Names who signs what the model says, and holds no secret. */
export function signerOf(env: Environment): string {
  const cloud = ['BEDROCK', 'VERTEX', 'FOUNDRY'].find(
    name => (env[`CLAUDE_CODE_USE_${name}`] ?? '').trim() !== '',
  );
  if (cloud !== undefined) return `claude-code:${cloud.toLowerCase()}`;
  const base = (env['ANTHROPIC_BASE_URL'] ?? '').trim();
  if (base !== '') return `claude-code:${addressOf(base)}`;
  const key =
    (env['ANTHROPIC_API_KEY'] ?? '').trim() !== '' || (env['ANTHROPIC_AUTH_TOKEN'] ?? '').trim() !== '';
  return `claude-code:${key ? 'key' : 'login'}`;
}

/** An address without a password in it. */
function addressOf(base: string): string {
  const url = URL.parse(base);
  return url === null ? 'unknown' : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}
