import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SECTIONS } from './docs/sections.ts';

/*
 * Fills the generated parts of the documents from the code. A part stands between `<!-- generated: NAME -->` and
 * `<!-- end generated -->`; everything outside belongs to its author and stays as it is.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PART = /^<!-- generated: ([a-z-]+) -->\n[\s\S]*?^<!-- end generated -->$/gm;

/** A document of the repository; `path` is relative to its root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** Every Markdown document that people read: those at the root and those under `docs/`. */
export function documents(): readonly Document[] {
  const top = readdirSync(ROOT).filter(name => name.endsWith('.md'));
  const inner = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name));
  return [...top, ...inner].sort().map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** The names of the generated parts of a text. */
export function partsOf(text: string): readonly string[] {
  return [...text.matchAll(PART)].map(([, name = '']) => name);
}

/** The text with its generated parts made anew. Throws when a part has a name that nothing generates. */
export function refreshed({ path, text }: Document): string {
  return text.replace(PART, (_, name: string) => {
    const make = SECTIONS[name];
    if (make === undefined) throw new Error(`${path}: nothing generates the part "${name}".`);
    return `<!-- generated: ${name} -->\n\n${make()}\n\n<!-- end generated -->`;
  });
}

if (import.meta.main) {
  for (const document of documents()) {
    const text = refreshed(document);
    if (text === document.text) continue;
    writeFileSync(join(ROOT, document.path), text);
    console.log(`Refreshed ${relative(process.cwd(), join(ROOT, document.path))}`);
  }
}
