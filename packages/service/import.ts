import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { put, travels } from '@hearth/conversations/portable.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { Bare } from '@hearth/protocol/command.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { MANIFEST, Manifest } from './archive-manifest.ts';
import { ProblemError } from './problem.ts';

/*
 * Takes in an archive of a conversation. The archive is trusted in nothing: only plain files are taken, only at paths that a
 * conversation has, each one once, each of the size and digest that the manifest says, and all of them or none; then the
 * conversation is verified as a whole before anybody sees it.
 */

/** An archive may hold this many bytes. */
export const ARCHIVE_LIMIT = 1024 * 1024 * 1024;
const MANIFEST_LIMIT = 32 * 1024 * 1024;
const BLOCK = 64 * 1024;

/** Imports the archive at an absolute path. Rejects with `ProblemError`, code `archive_invalid`. */
export async function importArchive(
  disk: Disk,
  conversations: Conversations,
  command: Bare,
  path: string,
): Promise<Reply> {
  const file = await opened(path);
  try {
    const { id } = await manifestIn(file);
    return await conversations.import(command, id, directory => unpack(disk, file, directory));
  } catch (error) {
    if (error instanceof DamagedFile) throw invalid(`what it holds is not whole (${error.why})`);
    if (error instanceof ProblemError || !(error instanceof Error) || error.constructor !== Error)
      throw error;
    throw invalid('it is no archive that can be read');
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle> {
  let file: FileHandle;
  try {
    // A pipe must not be waited for.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw invalid('there is no such file that can be read');
  }
  const info = await file.stat();
  const wrong = !info.isFile()
    ? 'it is no file'
    : info.size > ARCHIVE_LIMIT
      ? 'it is larger than 1 GiB'
      : null;
  if (wrong === null) return file;
  await file.close();
  throw invalid(wrong);
}

/** An entry, and what rejects when the archive breaks off: the bytes of the entry then never end. */
interface Entry extends ParsedTarEntry {
  readonly whole: Promise<void>;
}

/** The entries of the archive, from its beginning. */
async function* entries(file: FileHandle): AsyncGenerator<Entry> {
  const decoder = createTarDecoder({ strict: true });
  const whole = ReadableStream.from(chunksOf(file)).pipeTo(decoder.writable);
  // Whoever reads an entry hears of it; nobody else has to.
  whole.catch(() => undefined);
  const reader = decoder.readable.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      yield { ...next.value, whole };
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield new Uint8Array(buffer.subarray(0, bytesRead));
  }
}

async function manifestIn(file: FileHandle): Promise<Manifest> {
  for await (const { header, body, whole } of entries(file)) {
    if (header.name !== MANIFEST || header.type !== 'file')
      throw invalid('it does not begin with its manifest');
    const text = new TextDecoder().decode(await bytesOf({ body, whole }, header.size, MANIFEST_LIMIT));
    const manifest = Manifest.safeParse(json(text));
    if (manifest.success) return manifest.data;
    throw invalid('its manifest is not one that this version reads');
  }
  throw invalid('it is empty');
}

async function unpack(disk: Disk, file: FileHandle, directory: string): Promise<void> {
  const { files } = await manifestIn(file);
  const expected = new Map(files.map(one => [one.path, one]));
  if (expected.size !== files.length) throw invalid('its manifest names a file twice');
  const total = files.reduce((sum, one) => sum + one.bytes, 0);
  if (total > ARCHIVE_LIMIT) throw invalid('it holds more than 1 GiB');
  let first = true;
  for await (const { header, body, whole } of entries(file)) {
    if (first) {
      first = false;
      await body.cancel();
      continue;
    }
    const { name, type = 'file', size } = header;
    const wanted = expected.get(name);
    if (type !== 'file') throw invalid(`"${name}" is no plain file`);
    if (wanted === undefined || !travels(name)) throw invalid(`"${name}" belongs to no conversation`);
    if (size !== wanted.bytes) throw invalid(`"${name}" has another size than the manifest says`);
    const bytes = await bytesOf({ body, whole }, size, ARCHIVE_LIMIT);
    if (sha256(bytes) !== wanted.digest) throw invalid(`"${name}" has another digest than the manifest says`);
    expected.delete(name);
    await put(disk, directory, name, bytes);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw invalid(`"${missing}" is missing`);
}

async function bytesOf(
  { body, whole }: Pick<Entry, 'body' | 'whole'>,
  size: number,
  limit: number,
): Promise<Uint8Array> {
  if (size > limit) throw invalid('a file in it is too large');
  const broken = whole.then(() => new Promise<never>(() => undefined));
  const chunks: Uint8Array[] = [];
  let read = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value: chunk } = await Promise.race([reader.read(), broken]);
    if (done) return Buffer.concat(chunks);
    read += chunk.length;
    if (read > size) throw invalid('a file in it is longer than it says');
    chunks.push(chunk);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function invalid(why: string): ProblemError {
  return new ProblemError(
    'archive_invalid',
    `The archive cannot be imported: ${why}. Nothing was taken over.`,
  );
}
