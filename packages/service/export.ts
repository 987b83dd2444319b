import { join } from 'node:path';
import { conversationPath, homeDirectory } from '@hearth/conversations/conversation-directory.ts';
import type { Lane } from '@hearth/conversations/lane.ts';
import { travellers } from '@hearth/conversations/portable.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { createTarPacker } from 'modern-tar';
import { MANIFEST, type Manifest } from './archive-manifest.ts';
import { ProblemError } from './problem.ts';
import { VERSION } from './version.ts';

/*
 * A conversation as one archive: a manifest with the size and digest of every file, then the files. It is taken at rest, so
 * that the files belong together; one at work is refused. Files are read one at a time, so the cost in memory is that of
 * the largest.
 */

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
    const { bytes, digest } = await fileAt(disk, join(root, path), lane);
    files.push({ path, bytes: bytes.length, digest });
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
  const send = async (name: string, bytes: Uint8Array): Promise<void> => {
    const writer = controller.add({ name, size: bytes.length, type: 'file', mode: 0o600 }).getWriter();
    await writer.write(bytes);
    await writer.close();
  };
  const pack = async (): Promise<void> => {
    await send(MANIFEST, new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`));
    for (const { path, digest } of files) {
      const found = await fileAt(disk, join(root, path), lane);
      // Whoever reads a broken stream has no archive, and knows it.
      if (found.digest !== digest) throw busy(lane);
      await send(path, found.bytes);
    }
    controller.finalize();
  };
  void pack().catch((error: unknown) => controller.error(error));
  return readable;
}

async function fileAt(disk: Disk, path: string, lane: Lane): Promise<{ bytes: Uint8Array; digest: Digest }> {
  const bytes = await disk.read(path);
  if (bytes === null) throw busy(lane);
  return { bytes, digest: sha256(bytes) };
}

function busy(lane: Lane): ProblemError {
  const message = 'The conversation is at work; wait for its turn or interrupt it, then export it.';
  return new ProblemError('active', message, lane.view());
}
