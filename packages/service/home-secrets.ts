import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expandEnvironment } from '@hearth/backends/environment.ts';
import type { GivenSecrets, MissingSecret, SecretSource } from '@hearth/engine/secret-source.ts';
import type { Secret } from '@hearth/language/plan/settings.ts';
import type { Environment } from './choice.ts';
import { HomeError } from './home-error.ts';
import { type Redactor, SHORTEST } from './secrets.ts';

/*
 * The secrets of a home: what a bot takes from the environment of the service, else the file `secrets/<name>`, which
 * nobody but its owner may be able to read. A value is taken out of everything that is told from the moment it is read.
 * Files for programs lie beside, each effect's in a directory of its own that goes with it.
 */

/** The largest file of a secret, in bytes. */
const LARGEST = 64 * 1024;
/** Lines of a secret that are kept from being told by themselves are at least this long. */
const LINE = 16;

type Found = { readonly value: string } | { readonly why: string } | null;

/** The secrets of one home (docs/adr/0058). */
export class HomeSecrets implements SecretSource {
  readonly #directory: string;
  readonly #given: string;
  readonly #env: Environment;
  readonly #redactor: Redactor;

  constructor(home: string, env: Environment, redactor: Redactor) {
    this.#directory = join(home, 'secrets');
    this.#given = join(this.#directory, '.given');
    this.#env = env;
    this.#redactor = redactor;
  }

  /** Removes what a service left behind that ended in the middle of its work. */
  async sweep(): Promise<void> {
    await rm(this.#given, { recursive: true, force: true }).catch(() => undefined);
  }

  async missing(secrets: readonly Secret[]): Promise<readonly MissingSecret[]> {
    const missing: MissingSecret[] = [];
    for (const secret of secrets) {
      const found = await this.#find(secret);
      if (found === null && secret.optional) continue;
      if (found === null) missing.push({ name: secret.name, why: this.#none(secret) });
      else if ('why' in found) missing.push({ name: secret.name, why: found.why });
    }
    return missing;
  }

  async give(secrets: readonly Secret[]): Promise<GivenSecrets> {
    const [first] = await this.missing(secrets);
    if (first !== undefined) throw new Error(first.why);
    const values = new Map<string, string>();
    const paths = new Map<string, string>();
    const directory = join(this.#given, randomUUID());
    const close = (): Promise<void> => rm(directory, { recursive: true, force: true }).catch(() => undefined);
    try {
      for (const secret of secrets) {
        const found = await this.#find(secret);
        if (found === null || 'why' in found) continue;
        values.set(secret.name, found.value);
        if (secret.as !== 'file') continue;
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const path = join(directory, secret.name);
        await writeFile(path, found.value, { mode: 0o600 });
        paths.set(secret.name, path);
      }
    } catch (error) {
      await close();
      throw new Error(
        'The files of the bot\u2019s secrets cannot be written into the home; look at its disk.',
        {
          cause: error,
        },
      );
    }
    return { values, paths, close };
  }

  /**
   * The keys of providers that the environment does not give, each from the file `secrets/<name>`. Rejects with `HomeError`
   * when others can read one.
   */
  async keys(names: readonly string[]): Promise<Environment> {
    const keys: Record<string, string> = {};
    for (const name of names) {
      if ((this.#env[name]?.trim() ?? '') !== '') continue;
      const found = await this.#inFile({ name });
      if (found === null) continue;
      if ('why' in found) throw new HomeError('settings_invalid', found.why);
      this.#hide(found.value);
      keys[name] = found.value.trim();
    }
    return keys;
  }

  async #find(secret: Secret): Promise<Found> {
    const fromEnvironment = secret.value === null ? '' : expandEnvironment(secret.value, this.#open());
    const found = fromEnvironment === '' ? await this.#inFile(secret) : { value: fromEnvironment };
    if (found === null || 'why' in found) return found;
    if (found.value.trim().length < SHORTEST)
      return {
        why: `The secret "${secret.name}" is shorter than ${SHORTEST} characters, so that it would be found in ordinary words: give it a longer value.`,
      };
    this.#hide(found.value);
    return found;
  }

  /** What is the service's own stays so. */
  #open(): Environment {
    return Object.fromEntries(Object.entries(this.#env).filter(([name]) => !name.startsWith('HEARTH_')));
  }

  async #inFile({ name }: Pick<Secret, 'name'>): Promise<Found> {
    const path = join(this.#directory, name);
    const stat = await lstat(path).catch(() => null);
    if (stat === null) return null;
    const where = `The file secrets/${name} of the home`;
    if (!stat.isFile()) return { why: `${where} is no plain file: put the value of the secret into one.` };
    if ((stat.mode & 0o077) !== 0)
      return { why: `${where} can be read by others: give it the mode 0600 ("chmod 600").` };
    if (stat.size > LARGEST)
      return { why: `${where} is larger than ${LARGEST / 1024} KiB, which no secret is.` };
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) return { why: `${where} cannot be read.` };
    // An editor ends the last line of a value that has no lines.
    const value = text.replace(/\r?\n$/, '');
    return value === '' ? null : { value: value.includes('\n') ? text : value };
  }

  #hide(value: string): void {
    this.#redactor.add(value);
    const lines = value.split('\n');
    if (lines.length > 1) for (const line of lines) if (line.trim().length >= LINE) this.#redactor.add(line);
  }

  #none({ name, value, description }: Secret): string {
    const what = description === null ? '' : ` (${description})`;
    const variables = [...(value ?? '').matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, variable]) => variable);
    const set =
      variables.length === 0 ? '' : `set ${variables.join(' or ')} where the service is started, or `;
    return `The secret "${name}"${what} has no value: ${set}put it into the file secrets/${name} of the home, with the mode 0600.`;
  }
}
