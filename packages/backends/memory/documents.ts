import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';

/*
 * The documents of one scope: text files below one directory of the home, mode 0600. A name is plain words with slashes
 * between, so that none leads elsewhere; two that write the same one replace each other's whole document.
 */

/** Longest document, in bytes, so that a model can read it whole. */
export const DOCUMENT_BYTES = 64 * 1024;
/** Most documents of a scope. */
export const DOCUMENTS = 500;
/** How deep directories go. */
const DEPTH = 4;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A document, without what it says. */
export interface Listed {
  readonly name: string;
  readonly bytes: number;
}

/** The documents below a directory, which need not be there. Every method rejects with `DiskError`. */
export class Documents {
  readonly #disk: Disk;
  readonly #directory: string;

  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#directory = directory;
  }

  /** All of them, by name; at most `DOCUMENTS`. */
  async list(): Promise<readonly Listed[]> {
    const found: Listed[] = [];
    await this.#collect('', DEPTH, found);
    return found;
  }

  /** What one says; `null` when there is none, or it is none of ours. */
  async read(name: string): Promise<string | null> {
    if (!isName(name) || (await this.#kind(name)) !== 'file') return null;
    const bytes = await this.#disk.readRange(join(this.#directory, name), 0, DOCUMENT_BYTES);
    return new TextDecoder().decode(bytes);
  }

  /** Makes or replaces one. Resolves to why not, in a sentence; `null` when it is durable. */
  async write(name: string, text: string): Promise<string | null> {
    if (!isName(name))
      return `"${name}" is no name of a document: use letters, digits, ".", "-" and "_", with at most ${DEPTH - 1} slashes.`;
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > DOCUMENT_BYTES)
      return `The document would be larger than ${DOCUMENT_BYTES / 1024} KiB; keep less, or several.`;
    const kind = await this.#kind(name);
    if (kind !== null && kind !== 'file')
      return `"${name}" is a directory of documents; choose another name.`;
    if (kind === null && (await this.list()).length >= DOCUMENTS)
      return `There are ${DOCUMENTS} documents already; write into one that is there.`;
    const path = join(this.#directory, name);
    for (let above = dirname(name); above !== '.'; above = dirname(above))
      if ((await this.#kind(above)) === 'file') return `"${above}" is a document, and none can lie below it.`;
    await this.#disk.makeDirectory(dirname(path));
    await writeAtomic(this.#disk, path, bytes);
    return null;
  }

  async #kind(name: string): Promise<'file' | 'directory' | 'other' | null> {
    return (await this.#disk.stat(join(this.#directory, name)))?.kind ?? null;
  }

  async #collect(below: string, depth: number, found: Listed[]): Promise<void> {
    if (depth === 0) return;
    for (const part of await this.#disk.list(join(this.#directory, below))) {
      if (found.length >= DOCUMENTS) return;
      const name = join(below, part);
      const stat = NAME.test(part)
        ? await this.#disk.stat(join(this.#directory, name)).catch(() => null)
        : null;
      if (stat?.kind === 'file') found.push({ name, bytes: stat.bytes });
      if (stat?.kind === 'directory') await this.#collect(name, depth - 1, found);
    }
  }
}

function isName(name: string): boolean {
  const parts = name.split('/');
  return parts.length <= DEPTH && parts.every(part => NAME.test(part));
}

/** A directory's name for any text: its letters for a person, and a digest that tells it from all others. */
export function slotOf(text: string): string {
  const plain = text
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(-32);
  return `${plain}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`.replace(/^\./, 'x.');
}
