import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skillTool } from '@hearth/backends/tools/skill.ts';
import { type Bot, BotError, type Bots, type OwnFile } from '@hearth/engine/bot.ts';
import { runnable } from '@hearth/engine/runnable.ts';
import { withBundleFix } from '@hearth/language/codes/bundle-fixes.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import type { Plan } from '@hearth/language/plan.ts';
import { mimeOf } from '@hearth/protocol/mime.ts';
import { canonicalJson, Json } from '@hearth/protocol/json.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { z } from 'zod';
import { type BundleFiles, type BundlePlace, placeBundle, readBundle } from './bundle.ts';
import type { Slots } from './bundle-contents.ts';
import { manifestDiagnostics, memoryDiagnostics } from './manifest-checks.ts';

/*
 * Bots from bundles on the disk. Guarantees: a bot that has an error never loads, and whoever asked is told every
 * diagnostic; a bundle is compiled again exactly when one of its files changed; equal plans have equal digests.
 */

/** The bundles that come with this installation. */
const OURS = fileURLToPath(new URL('../../bots/', import.meta.url));

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
    const bundles = await Promise.all(entries.map(name => this.#has(name)));
    return entries.filter((_, index) => bundles[index] === true).sort();
  }

  async load(name: string): Promise<Bot> {
    const place = await this.#place(name);
    const known = this.#loaded.get(name);
    if (known?.stamp === place.stamp) return known.bot;
    const bot = botFrom(name, await readBundle(place));
    this.#loaded.set(name, { stamp: place.stamp, bot });
    return bot;
  }

  /** The recordings of a bundle, by name. Rejects with `BotError` when there is none. */
  async recordings(name: string): Promise<BundleFiles['recordings']> {
    return (await readBundle(await this.#place(name))).recordings;
  }

  /** What is wrong with the bundle at an absolute path; rejects with `BotError` when there is none. */
  check(path: string): Promise<readonly Diagnostic[]> {
    return checkBundle(path);
  }

  async #place(name: string): Promise<BundlePlace> {
    if (isAbsolute(name)) return placeBundle(name, this.#slots);
    if (await this.#has(name)) return placeBundle(join(this.#directory, name));
    const names = await this.names();
    throw new BotError(
      'unknown_bot',
      `There is no bot "${name}": use ${names.join(', ')}, or the path of a bundle.`,
    );
  }

  async #has(name: string): Promise<boolean> {
    if (!NAME.test(name)) return false;
    return (await stat(join(this.#directory, name, 'main.bot')).catch(() => null))?.isFile() === true;
  }
}

/** Compiles the bundle at an absolute path and tells all that is wrong with it. Rejects with `BotError`. */
export async function checkBundle(path: string): Promise<readonly Diagnostic[]> {
  return checkFiles(await readBundle(await placeBundle(path)));
}

/** All that is wrong with a bundle whose files were read. */
export function checkFiles(files: BundleFiles): readonly Diagnostic[] {
  return compiled(files).diagnostics;
}

function botFrom(name: string, files: BundleFiles): Bot {
  const { plan, diagnostics } = compiled(files);
  if (plan === null) {
    const errors = diagnostics.filter(one => one.severity === 'error');
    const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
    const message = `The bot ${name} has ${count} and cannot run: mend it, and see "hearth check ${files.path}".`;
    throw new BotError('broken_bot', message, errors.map(lineOf));
  }
  const narrowed = runnable(plan);
  if (narrowed.plan === null) {
    const message = `The bot ${name} needs ${listed(narrowed.missing)}, which this version cannot run yet: leave that out, or choose another bot.`;
    throw new BotError('unsupported_bot', message);
  }
  const title = files.manifest?.display_name ?? files.manifest?.name ?? files.name;
  const titled = { ...narrowed.plan, title };
  return {
    name,
    title,
    plan: titled,
    digest: sha256(canonicalJson(titled)),
    sources: files.sources,
    tools: files.skills.length === 0 ? [] : [skillTool(files.skills)],
    ...ownFilesOf(files),
    ...dispatchVarsOf(files),
  };
}

/** Only a map gives values; a list names vars and gives none. */
function dispatchVarsOf({ manifest }: BundleFiles): Pick<Bot, 'dispatchVars'> {
  const vars = manifest?.dispatch_vars;
  if (vars === undefined || Array.isArray(vars)) return {};
  const values = z.record(z.string(), Json).safeParse(vars);
  return values.success && Object.keys(values.data).length > 0 ? { dispatchVars: values.data } : {};
}

function ownFilesOf({ attachments }: BundleFiles): Pick<Bot, 'attachments'> {
  const own = Object.entries(attachments).map(([name, path]): [string, OwnFile] => [
    name,
    { name: basename(path), mime: mimeOf(path), read: () => readFile(path) },
  ]);
  return own.length === 0 ? {} : { attachments: Object.fromEntries(own) };
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}

/** A diagnostic in one line: `file:line:column code message`. */
function lineOf(one: Diagnostic): string {
  return `${one.file}:${one.at.line}:${one.at.column} ${one.code} ${one.message}`;
}

/** The plan, when neither the sources nor the manifest have an error, and everything that is to be said. */
function compiled(files: BundleFiles): {
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  if (files.main === null) return { plan: null, diagnostics: files.diagnostics.map(withBundleFix) };
  const { plan, diagnostics } = compileBundle({
    main: files.main,
    prompts: files.prompts,
    presets: files.presets,
    mainName: files.mainFile,
  });
  const manifest =
    plan === null ? [] : [...manifestDiagnostics(files, plan), ...memoryDiagnostics(files, plan)];
  const all = [...diagnostics, ...files.diagnostics, ...manifest].map(withBundleFix);
  const wrong = all.some(one => one.severity === 'error');
  return { plan: plan === null || wrong ? null : seeded(plan, files), diagnostics: all };
}

/** The manifest may name the var that takes a run's first message. */
function seeded(plan: Plan, { manifest }: BundleFiles): Plan {
  const name = manifest?.chat?.seed_var;
  return name === undefined ? plan : { ...plan, seedVar: name };
}
