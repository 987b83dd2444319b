import { existsSync } from 'node:fs';
import { mkdir, readdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../agent-programs/ports.ts';

/*
 * Where the program finds what is the person's, and where it keeps what is the conversation's. Its sessions are in the
 * turn's directory, so that they leave with the conversation. The login stays where it is: while the program runs, a link
 * leads to it, so that it is read and renewed there and never copied. What else the program writes is thrown away when it
 * has ended.
 */

/** The file that holds the person's login. */
const LOGIN = 'auth.json';
/** What is kept of a home: the sessions alone. */
const KEPT: ReadonlySet<string> = new Set(['sessions']);

/** The person's own directory of the program. */
export function personsHome(env: Environment): string {
  return env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex');
}

/** Where the program leaves what is of no use any more when it has ended, in a home of its own. */
export function temporaryDirectory(home: string): string {
  return join(home, 'temporary');
}

/** A home for the time of one program. */
export class ProgramHome {
  readonly path: string;
  readonly #links: readonly string[];
  readonly #env: Environment;

  /** `links` are files of the person's that the program is led to. */
  constructor(path: string, env: Environment, links: readonly string[] = [LOGIN]) {
    this.path = path;
    this.#env = env;
    this.#links = links;
  }

  async open(): Promise<void> {
    await mkdir(temporaryDirectory(this.path), { recursive: true, mode: 0o700 });
    const persons = personsHome(this.#env);
    for (const name of this.#links) {
      const [from, to] = [join(this.path, name), join(persons, name)];
      // A link that a crash left may lead to where the login was once.
      if ((await readlink(from).catch(() => null)) !== null) await unlink(from);
      if (existsSync(to)) await symlink(to, from);
    }
  }

  /** Leaves the sessions. Never rejects: what cannot be removed now is removed after the next turn. */
  async close(): Promise<void> {
    const names = await readdir(this.path).catch(() => []);
    for (const name of names) {
      if (!KEPT.has(name))
        await rm(join(this.path, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Leaves nothing. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true }).catch(() => undefined);
  }
}
