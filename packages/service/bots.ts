import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bot, BotError, type Bots } from '@hearth/engine/bot.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import type { BundleFiles, BundlePlace } from './bundle.ts';
import type { Slots } from './bundle-contents.ts';

/*
 * Bots from bundles on the disk. Guarantees: a bot that has an error never loads, and whoever asked is told every
 * diagnostic; a bundle is compiled again exactly when one of its files changed; equal plans have equal digests.
 */

/** The bundles that come with this installation. */
const OURS = fileURLToPath(new URL('../../bots/', import.meta.url));

type Compiler = typeof import('./bundle-bot.ts');
let compiling: Promise<Compiler> | null = null;

/** What reads and compiles bundles, loaded when it is first needed: a service serves before it is. */
export function compiler(): Promise<Compiler> {
  compiling ??= import('./bundle-bot.ts');
  return compiling;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

interface Loaded {
  readonly stamp: string;
  readonly bot: Bot;
}

/** The bots of a service. `load` rejects with `BotError`. */
export class BundleBots implements Bots {
  readonly #directory: string;
  readonly #slots: Slots | null;
  readonly #loaded = new Map<string, Loaded>();

  /** `directory` holds the bundles that are known by name; in `slots` the files of packed ones are kept. */
  constructor(directory: string = OURS, slots: Slots | null = null) {
    this.#directory = directory;
    this.#slots = slots;
  }

  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.#directory).catch(() => []);
    return entries.filter(name => this.#has(name)).sort();
  }

  async load(name: string): Promise<Bot> {
    const place = await this.#place(name);
    const known = this.#loaded.get(name);
    if (known?.stamp === place.stamp) return known.bot;
    const { botFrom, readBundle } = await compiler();
    const bot = botFrom(name, await readBundle(place));
    this.#loaded.set(name, { stamp: place.stamp, bot });
    return bot;
  }

  /** The recordings of a bundle, by name. Rejects with `BotError` when there is none. */
  async recordings(name: string): Promise<BundleFiles['recordings']> {
    const place = await this.#place(name);
    return (await (await compiler()).readBundle(place)).recordings;
  }

  /** What is wrong with the bundle at an absolute path; rejects with `BotError` when there is none. */
  check(path: string): Promise<readonly Diagnostic[]> {
    return checkBundle(path);
  }

  async #place(name: string): Promise<BundlePlace> {
    const { placeBundle } = await compiler();
    if (isAbsolute(name)) return placeBundle(name, this.#slots);
    if (this.#has(name)) return placeBundle(join(this.#directory, name));
    const names = await this.names();
    throw new BotError(
      'unknown_bot',
      `There is no bot "${name}": use ${names.join(', ')}, or the path of a bundle.`,
    );
  }

  #has(name: string): boolean {
    if (!NAME.test(name)) return false;
    try {
      return statSync(join(this.#directory, name, 'main.bot'), { throwIfNoEntry: false })?.isFile() === true;
    } catch {
      return false;
    }
  }
}

/** Compiles the bundle at an absolute path and tells all that is wrong with it. Rejects with `BotError`. */
export async function checkBundle(path: string): Promise<readonly Diagnostic[]> {
  const { checkFiles, placeBundle, readBundle } = await compiler();
  return checkFiles(await readBundle(placeBundle(path)));
}
