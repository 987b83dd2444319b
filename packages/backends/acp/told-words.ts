import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * What a session was told, by the ids of the words. An agent's own files are nobody's to read, so this is written beside
 * them, once the agent has shown that it works on the words. Nothing is then told twice.
 */
export class ToldWords {
  readonly #path: string;
  readonly #directory: string;
  #ids: ReadonlySet<string> = new Set();

  constructor(directory: string, session: string) {
    this.#directory = directory;
    this.#path = join(directory, `${session.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.told`);
  }

  async open(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    this.#ids = new Set(text.split('\n'));
  }

  holds(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Never rejects: words that are told twice are better than words that are lost. */
  async add(ids: readonly string[]): Promise<void> {
    this.#ids = new Set([...this.#ids, ...ids]);
    await appendFile(this.#path, `${ids.join('\n')}\n`, { mode: 0o600 }).catch(() => undefined);
  }
}
