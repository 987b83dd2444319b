import { join } from 'node:path';
import { readJson, writeJson } from '@hearth/store/atomic-file.ts';
import { z } from 'zod';
import type { ModelApiPorts } from './ports.ts';

/*
 * Sizes of contexts that refusals told, by the model, in `windows.json` of the home: so that a service that starts anew does
 * not run into the same refusal. It is a cache, written behind the turn that learned something; what cannot be read or
 * written is learned again.
 */

/** Of so many models at most something is remembered: the latest. */
const MODELS = 200;
/** A model whose name is longer is remembered for as long as the service runs, in characters. */
const NAME = 300;
const FILE = 'windows.json';

const Kept = z.object({ format: z.literal(1), windows: z.record(z.string().max(NAME), z.int().positive()) });

/** What was learned, by any name of a model. Nothing of it rejects. */
export class LearnedWindows {
  readonly #disk: ModelApiPorts['disk'];
  readonly #path: string | null;
  readonly #learned = new Map<string, number>();
  #opened: Promise<void> | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor({ disk, home }: Pick<ModelApiPorts, 'disk' | 'home'>) {
    this.#disk = disk;
    this.#path = home === undefined ? null : join(home, FILE);
  }

  /** Resolves when what was learned before is known. */
  open(): Promise<void> {
    this.#opened ??= this.#read();
    return this.#opened;
  }

  /** Tokens that fit, as a refusal told. */
  of(name: string): number | undefined {
    return this.#learned.get(name);
  }

  learn(name: string, tokens: number): void {
    if (this.#learned.get(name) === tokens) return;
    keep(this.#learned, name, tokens);
    this.#save();
  }

  forget(name: string): void {
    if (this.#learned.delete(name)) this.#save();
  }

  /** Resolves when all that was learned until now is written, or could not be. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  async #read(): Promise<void> {
    if (this.#path === null) return;
    const kept = await readJson(this.#disk, this.#path, Kept).catch(() => null);
    const meanwhile = [...this.#learned];
    this.#learned.clear();
    for (const [name, tokens] of [...Object.entries(kept?.windows ?? {}), ...meanwhile])
      keep(this.#learned, name, tokens);
  }

  /** What was learned before is not written over. */
  #save(): void {
    const path = this.#path;
    if (path === null) return;
    this.#saving = this.#saving.then(async () => {
      await this.open();
      const windows = Object.fromEntries([...this.#learned].filter(([name]) => name.length <= NAME));
      await writeJson(this.#disk, path, { format: 1, windows }).catch(() => undefined);
    });
  }
}

/** Keeps the latest. */
export function keep<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > MODELS && oldest !== undefined) map.delete(oldest);
}
