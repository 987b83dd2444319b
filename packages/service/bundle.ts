import { realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Recording } from '@hearth/backends/replay/recording.ts';
import { BotError } from '@hearth/engine/bot.ts';
import type { BundlePreset } from '@hearth/language/bundle.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import {
  type Contents,
  contentsOfArchive,
  contentsOfDirectory,
  contentsOfFile,
  type Refused,
  type Slots,
} from './bundle-contents.ts';
import { readRecordings } from './recordings.ts';
import { type Manifest, type ReadManifest, readManifest } from './manifest.ts';
import { type ReadPreset, readPreset } from './presets.ts';
import { readSkill, type Skill, skillsTogether } from './skills.ts';

/*
 * The files of a bundle, read from a directory, a packed bundle (`.botz`) or a single source. Only these names are looked
 * at: `main.bot`, `manifest.yaml`, `prompts/*.md`, `presets/*.md`, `skills/<name>/SKILL.md`, `recordings/*.jsonl`, and what the manifest names below
 * `attachments/`. Whatever cannot be read is a diagnostic.
 */

/** What a bundle holds, as texts, with a diagnostic for whatever could not be read. */
export interface BundleFiles {
  /** The real path of the directory, or of the file. */
  readonly path: string;
  /** The directory's name, or the file's without its ending. */
  readonly name: string;
  /** The source of the graph; null when it cannot be read, which a diagnostic says. */
  readonly main: string | null;
  /** How `main` is called in diagnostics. */
  readonly mainFile: string;
  readonly manifest: Manifest | null;
  readonly locate: ReadManifest['locate'];
  readonly prompts: Readonly<Record<string, string>>;
  readonly presets: readonly BundlePreset[];
  readonly skills: readonly Skill[];
  /** Defaults of attachments by name: their absolute paths; in an archive that was only looked at, those inside. */
  readonly attachments: Readonly<Record<string, string>>;
  /** Every source, by path inside the bundle. */
  readonly sources: Readonly<Record<string, string>>;
  /** Conversations to be played again, by name. */
  readonly recordings: Readonly<Record<string, Recording>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a bundle is, without reading it: enough to notice a change. */
export interface BundlePlace {
  readonly path: string;
  readonly name: string;
  readonly mainFile: string;
  /** Changes when a file comes, goes or is written. */
  readonly stamp: string;
  readonly contents: () => Promise<Contents | Refused>;
}

/** How many bytes a source may hold: the graph what the language reads and one more, for the compiler to judge. */
const MAIN_LIMIT = 10 * 1024 * 1024;
const SOURCE_LIMIT = 1024 * 1024;

/** Endings of files that are a bundle by themselves. */
const SINGLE: readonly string[] = ['.bot', '.iter'];
const PACKED = '.botz';
/** How diagnostics call a packed bundle as a whole, by its path inside itself. */
const WHOLE = '.';

/**
 * Finds a bundle at an absolute path. With `slots`, the files of a packed one are kept there once they are read. Throws
 * `BotError` `unknown_bot`. Every message asks this before it is accepted, so it is done at once: what the system has in
 * memory it says in microseconds, and the way through the thread pool has to wait for every sync that is under way.
 */
export function placeBundle(path: string, slots: Slots | null = null): BundlePlace {
  const info = statOf(path);
  const resolved = info === null ? null : realOf(path);
  if (info === null || resolved === null) {
    throw unknown(`There is no bot at ${path}: name a bundle's directory, a .botz file or a .bot file.`);
  }
  const ending = extname(path);
  if (!info.isDirectory() && !(info.isFile() && [...SINGLE, PACKED].includes(ending))) {
    throw unknown(`The file ${path} is no bot: name a bundle's directory, a .botz file or a .bot file.`);
  }
  if (info.isFile() && basename(path) !== 'main.bot') {
    const name = basename(path, ending);
    const packed = ending === PACKED;
    return {
      path: resolved,
      name,
      mainFile: packed ? 'main.bot' : basename(path),
      stamp: stampOf(resolved),
      contents: () =>
        packed
          ? contentsOfArchive(resolved, slots)
          : Promise.resolve(contentsOfFile(resolved, basename(path))),
    };
  }
  const root = info.isFile() ? realpathSync.native(dirname(path)) : resolved;
  const contents = contentsOfDirectory(root);
  if (!contents.names.includes('main.bot')) {
    throw unknown(`The directory ${root} is no bundle: it has no file main.bot.`);
  }
  const stamps = [...contents.names, 'attachments'].map(name => `${name}:${stampOf(join(root, name))}`);
  return {
    path: root,
    name: basename(root),
    mainFile: 'main.bot',
    stamp: stamps.join('\n'),
    contents: () => Promise.resolve(contents),
  };
}

function unknown(message: string): BotError {
  return new BotError('unknown_bot', message);
}

/** `null` when there is nothing that can be looked at. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function stampOf(path: string): string {
  const found = statOf(path);
  return `${found?.mtimeMs ?? 0}:${found?.size ?? 0}`;
}

/** Reads what was placed. Nothing in a bundle makes it reject. */
export async function readBundle(place: BundlePlace): Promise<BundleFiles> {
  const { path, name, mainFile } = place;
  const contents = await place.contents();
  const diagnostics: Diagnostic[] = [];
  const sources = 'refused' in contents ? {} : await readSources(contents, mainFile, diagnostics);
  if ('refused' in contents) {
    const { code, why } = contents.refused;
    diagnostics.push(fault(code, WHOLE, `The packed bundle is refused: ${why}.`));
  } else if (!contents.names.includes(mainFile)) {
    diagnostics.push(fault('H204', WHOLE, 'The packed bundle has no main.bot at its top.'));
  }
  const text = sources['manifest.yaml'];
  const read = text === undefined ? null : readManifest(text);
  const skills = skillsIn(sources);
  const presets = presetsIn(sources);
  const recordings = 'refused' in contents ? {} : await readRecordings(contents, diagnostics);
  const attachments: Record<string, string> = {};
  for (const [key, file] of Object.entries(read?.manifest?.attachments ?? {})) {
    if ('refused' in contents) continue;
    const at = read?.locate(['attachments', key]) ?? { line: 1, column: 1 };
    const why = await attachmentFault(contents, file);
    if (why === null) attachments[key] = contents.root === null ? file : join(contents.root, file);
    else diagnostics.push({ ...fault('H208', 'manifest.yaml', `The attachment "${key}" ${why}.`), at });
  }
  return {
    path,
    name,
    main: sources[mainFile] ?? null,
    mainFile,
    manifest: read?.manifest ?? null,
    locate: read?.locate ?? (() => ({ line: 1, column: 1 })),
    prompts: promptsIn(sources),
    presets: presets.map(one => one.preset),
    skills: skills.skills,
    attachments,
    recordings,
    sources,
    diagnostics: [
      ...diagnostics,
      ...(read?.diagnostics ?? []),
      ...presets.flatMap(one => one.diagnostics),
      ...skills.diagnostics,
    ],
  };
}

async function readSources(
  contents: Contents,
  mainFile: string,
  diagnostics: Diagnostic[],
): Promise<Readonly<Record<string, string>>> {
  const sources: Record<string, string> = {};
  for (const name of contents.names) {
    const limit = name === mainFile ? MAIN_LIMIT : SOURCE_LIMIT;
    const read = await contents.read(name, limit);
    if (read === null) continue;
    if ('fault' in read) diagnostics.push(fault('H208', name, `The file ${name} ${read.fault}.`));
    else if (read.bytes.length > limit && name !== mainFile)
      diagnostics.push(fault('H208', name, `The file ${name} is larger than 1 MiB, which no source may be.`));
    // A graph that is too large is told by the compiler, which looks at nothing else of it.
    else if (read.bytes.length > limit) sources[name] = new TextDecoder().decode(read.bytes);
    else sources[name] = textOf(read.bytes, name, diagnostics);
  }
  return sources;
}

/** The text of a source. One that is no UTF-8 is told where it stops being it, and read with marks in the bad places. */
function textOf(bytes: Uint8Array, name: string, diagnostics: Diagnostic[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes);
    const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
    const at = { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 };
    diagnostics.push({ ...fault('E006', name, `The file ${name} is not UTF-8 text.`), at });
    return text;
  }
}

async function attachmentFault({ read }: Contents, file: string): Promise<string | null> {
  const parts = file.split('/');
  if (parts[0] !== 'attachments' || parts.length < 2 || parts.some(part => ['', '.', '..'].includes(part))) {
    return `names "${file}", which is no path below attachments/`;
  }
  const found = await read(file, 0);
  if (found === null) return `names "${file}", which is not there`;
  return 'fault' in found ? `names "${file}", which ${found.fault}` : null;
}

function promptsIn(sources: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const prompts = Object.entries(sources).flatMap(([name, text]) => {
    const prompt = /^prompts\/(.+)\.md$/.exec(name)?.[1];
    return prompt === undefined ? [] : [[prompt, text] as const];
  });
  return Object.fromEntries(prompts);
}

function presetsIn(sources: Readonly<Record<string, string>>): readonly ReadPreset[] {
  return Object.entries(sources).flatMap(([name, text]) => {
    const preset = /^presets\/(.+)\.md$/.exec(name)?.[1];
    return preset === undefined ? [] : [readPreset(preset, text)];
  });
}

function skillsIn(sources: Readonly<Record<string, string>>): ReturnType<typeof skillsTogether> {
  const read = Object.entries(sources).flatMap(([name, text]) => {
    const skill = /^skills\/([^/]+)\/SKILL\.md$/.exec(name)?.[1];
    return skill === undefined ? [] : [readSkill(skill, text)];
  });
  return skillsTogether(read);
}

function fault(code: string, file: string, message: string): Diagnostic {
  return { code, severity: 'error', message, file, at: { line: 1, column: 1 } };
}
