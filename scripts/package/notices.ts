import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/*
 * The licences of what the package carries within it. Guarantees: every library of which a line is bundled is named with
 * its licence's own text; a licence that nobody has read stops the build.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Licences that allow what is done here: to pass copies on, as long as their texts go along. */
const ACCEPTED = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];
const TEXTS = /^(?:licen[sc]e|copying|notice|thirdpartynotices)/i;
const RULE = '-'.repeat(80);

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

interface Library extends z.infer<typeof Manifest> {
  /** What its own files say; empty when it has none. */
  readonly texts: readonly string[];
}

/** The notices for files of `node_modules`, named relative to the root; others are left out. */
export async function notices(files: readonly string[]): Promise<string> {
  const directories = new Set(
    files.flatMap(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const libraries = await Promise.all([...directories].sort().map(libraryIn));
  const head =
    'The programs and the page of this package contain these libraries, in whole or in part. Each is under its own licence.';
  const parts = await Promise.all(libraries.map(library => notice(library, libraries)));
  return `${[head, ...parts].join(`\n\n${RULE}\n\n`)}\n`;
}

async function libraryIn(directory: string): Promise<Library> {
  const path = join(ROOT, directory);
  const manifest = Manifest.parse(JSON.parse(await readFile(join(path, 'package.json'), 'utf8')));
  if (!ACCEPTED.includes(manifest.license)) {
    throw new Error(
      `${manifest.name} is under "${manifest.license}": read that licence, and name it in scripts/package/notices.ts if copies may be passed on.`,
    );
  }
  const names = (await readdir(path)).filter(name => TEXTS.test(name)).sort();
  const texts = await Promise.all(names.map(name => readFile(join(path, name), 'utf8')));
  return { ...manifest, texts: texts.map(text => text.replaceAll('\r\n', '\n').trim()) };
}

async function notice(library: Library, all: readonly Library[]): Promise<string> {
  const head = `${library.name} ${library.version}, ${library.license}`;
  const texts = library.texts.length > 0 ? library.texts : [await withoutFile(library, all)];
  return [head, ...texts].join('\n\n');
}

/** What stands for the text of a library that names its licence and brings no file. */
async function withoutFile({ name, license, author }: Library, all: readonly Library[]): Promise<string> {
  if (license === 'MIT' && author !== undefined) return `Copyright (c) ${author}\n\n${await termsOfMit()}`;
  // The full text of this licence names nobody, so another library's will do.
  const full = all.find(
    one => one.license === license && one.texts.some(text => text.includes('TERMS AND CONDITIONS')),
  );
  if (full !== undefined) return `Its licence is the one that stands in full at ${full.name}.`;
  throw new Error(`${name} brings no text of its licence (${license}), and nobody else here does.`);
}

/** Our own licence is the same, but for its first lines. */
async function termsOfMit(): Promise<string> {
  const text = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  return text.slice(text.indexOf('Permission is hereby granted')).trim();
}
