import { join } from 'node:path';
import { conversationPath, homeDirectory } from '@hearth/conversations/conversation-directory.ts';
import type { Lane } from '@hearth/conversations/lane.ts';
import { travellers } from '@hearth/conversations/portable.ts';
import { sha256Of } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { createTarPacker } from 'modern-tar';
import { MANIFEST, type Manifest } from './archive-manifest.ts';
import { ProblemError } from './problem.ts';
import { VERSION } from './version.ts';

/*
 * A conversation as one archive: a manifest with the size and digest of every file, then the files. It is taken at rest, so
 * that the files belong together; one at work is refused. Files are read in pieces, so the cost in memory is that of one piece.
 */

/** Bytes of a file that are held at the same time. */
const PIECE = 256 * 1024;

/** Resolves to the archive's bytes as a stream. Rejects with `ProblemError` `active`. */
export async function exportArchive(
  disk: Disk,
  home: string,
  lane: Lane,
): Promise<ReadableStream<Uint8Array>> {
  if (lane.active) throw busy(lane);
  await lane.settled();
  const { revision } = lane.view();
  const root = conversationPath(homeDirectory(home), lane.id);
  const files: Manifest['files'] = [];
  for (const path of await travellers(disk, root)) {
    const bytes = (await disk.stat(join(root, path)))?.bytes ?? 0;
    files.push({ path, bytes, digest: await sha256Of(piecesOf(disk, join(root, path), bytes)) });
  }
  if (lane.active || lane.view().revision !== revision) throw busy(lane);
  const { id, title, bot } = lane.view();
  const manifest: Manifest = {
    format: 1,
    kind: 'hearth-conversation',
    hearth: VERSION,
    id,
    title,
    bot,
    files,
  };
  const { readable, controller } = createTarPacker();
  const add = (name: string, size: number): WritableStreamDefaultWriter<Uint8Array> =>
    controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
  const pack = async (): Promise<void> => {
    const told = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
    const first = add(MANIFEST, told.length);
    await first.write(told);
    await first.close();
    for (const { path, bytes, digest } of files) {
      const writer = add(path, bytes);
      const sent = await sha256Of(sending(writer, piecesOf(disk, join(root, path), bytes)));
      // Whoever reads a broken stream has no archive, and knows it.
      if (sent !== digest) throw busy(lane);
      await writer.close();
    }
    controller.finalize();
  };
  void pack().catch((error: unknown) => controller.error(error));
  return readable;
}

/** A file up to its size, piece by piece; fewer bytes when it became shorter. */
async function* piecesOf(disk: Disk, path: string, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; ) {
    const piece = await disk.readRange(path, at, Math.min(PIECE, bytes - at));
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}

/** Passes on what it has sent; the next piece is read when this one is taken. */
async function* sending(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    await writer.write(piece);
    yield piece;
  }
}

function busy(lane: Lane): ProblemError {
  const message = 'The conversation is at work; wait for its turn or interrupt it, then export it.';
  return new ProblemError('active', message, lane.view());
}
