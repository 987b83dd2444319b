import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BotError } from '@hearth/engine/bot.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import { type Manifest, type ReadManifest, readManifest } from './manifest.ts';
import { readSkill, type Skill } from './skills.ts';

/*
 * The files of a bundle, read from a directory or a single `.bot` file. Only these names are looked at: `main.bot`,
 * `manifest.yaml`, `prompts/*.md`, `skills/<name>/SKILL.md`.
 */

export interface BundleFiles {
  /** The real path of the directory, or of the single file. */
  readonly path: string;
  /** The directory's name, or the file's without its ending. */
  readonly name: string;
  readonly main: string;
  /** How `main` is called in diagnostics. */
  readonly mainFile: string;
  readonly manifest: Manifest | null;
  readonly locate: ReadManifest['locate'];
  readonly prompts: Readonly<Record<string, string>>;
  readonly skills: readonly Skill[];
  /** Every source, by path inside the bundle. */
  readonly sources: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a bundle's files are, without reading them: enough to notice a change. */
export interface BundlePlace {
  readonly path: string;
  /** By path inside the bundle, sorted: the absolute path. */
  readonly files: ReadonlyMap<string, string>;
  /** Changes when a file comes, goes or is written. */
  readonly stamp: string;
}

/** A source may hold at most this many bytes. */
const SOURCE_LIMIT = 1024 * 1024;

/** Finds the files of a bundle at an absolute path. Rejects with `BotError` `unknown_bot`. */
export async function placeBundle(path: string): Promise<BundlePlace> {
  const info = await stat(path).catch(() => null);
  if (info === null)
    throw new BotError(
      'unknown_bot',
      `There is no bot at ${path}: name a bundle's directory or a .bot file.`,
    );
  const single = info.isFile() && path.endsWith('.bot') && basename(path) !== 'main.bot';
  if (info.isFile() && !path.endsWith('.bot')) {
    throw new BotError(
      'unknown_bot',
      `The file ${path} is no bot: name a bundle's directory or a file that ends in .bot.`,
    );
  }
  const real = await realpath(info.isFile() && !single ? dirname(path) : path);
  const files = single ? new Map([[basename(real), real]]) : await bundleFiles(real);
  if (!single && !files.has('main.bot')) {
    throw new BotError('unknown_bot', `The directory ${real} is no bundle: it has no file main.bot.`);
  }
  const stamps = await Promise.all(
    [...files].map(async ([name, file]) => {
      const found = await stat(file).catch(() => null);
      return `${name}:${found?.mtimeMs ?? 0}:${found?.size ?? 0}`;
    }),
  );
  return { path: real, files, stamp: stamps.join('\n') };
}

async function bundleFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const top = new Set(await names(directory));
  const prompts = await names(join(directory, 'prompts'));
  const skills = await names(join(directory, 'skills'));
  const inside = [
    ...['main.bot', 'manifest.yaml'].filter(name => top.has(name)),
    ...prompts.filter(name => name.endsWith('.md')).map(name => `prompts/${name}`),
    ...skills.map(name => `skills/${name}/SKILL.md`),
  ];
  const found = new Map<string, string>();
  for (const name of inside) {
    const file = join(directory, name);
    const info = await stat(file).catch(() => null);
    if (info?.isFile() === true) found.set(name, file);
  }
  return found;
}

async function names(directory: string): Promise<readonly string[]> {
  const found = await readdir(directory).catch(() => []);
  return found.toSorted((a, b) => (a < b ? -1 : 1));
}

/** Reads what was placed. Rejects with `BotError` `broken_bot` when a file cannot be read as text. */
export async function readBundle(place: BundlePlace): Promise<BundleFiles> {
  const sources: Record<string, string> = {};
  for (const [name, file] of place.files) sources[name] = await source(file);
  const mainFile = place.files.has('main.bot') ? 'main.bot' : basename(place.path);
  const read = sources['manifest.yaml'] === undefined ? null : readManifest(sources['manifest.yaml']);
  const skills = Object.entries(sources).flatMap(([name, text]) => {
    const skill = /^skills\/([^/]+)\/SKILL\.md$/.exec(name)?.[1];
    return skill === undefined ? [] : [readSkill(skill, text)];
  });
  const prompts = Object.entries(sources).flatMap(([name, text]) => {
    const prompt = /^prompts\/(.+)\.md$/.exec(name)?.[1];
    return prompt === undefined ? [] : [[prompt, text] as const];
  });
  return {
    path: place.path,
    name: basename(place.path).replace(/\.bot$/, ''),
    main: sources[mainFile] ?? '',
    mainFile,
    manifest: read?.manifest ?? null,
    locate: read?.locate ?? (() => ({ line: 1, column: 1 })),
    prompts: Object.fromEntries(prompts),
    skills: skills.map(({ skill }) => skill),
    sources,
    diagnostics: [...(read?.diagnostics ?? []), ...skills.flatMap(({ diagnostics }) => diagnostics)],
  };
}

async function source(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null)
    throw new BotError('broken_bot', `The file ${file} cannot be read: check its owner and mode.`);
  if (bytes.length > SOURCE_LIMIT)
    throw new BotError(
      'broken_bot',
      `The file ${file} is larger than 1 MiB, which no source of a bot may be.`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BotError('broken_bot', `The file ${file} is not UTF-8 text: save it as UTF-8.`);
  }
}
