/** What a message brings of files, made ready before it is judged: their blobs and copies that programs can read. */
import type { Attachments, BroughtFile } from '@hearth/engine/attached-files.ts';
import type { Bot } from '@hearth/engine/bot.ts';
import type { State } from '@hearth/engine/state.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { type Attached, ATTACHED_LIMIT, type BlobRef } from '@hearth/protocol/text.ts';
import type { Blobs } from './ports.ts';

/** The files that a message names, each with its copy; or the sentence that says which of them is not here. */
export async function broughtFiles(
  blobs: Blobs,
  c: ConversationId,
  attached: readonly Attached[],
): Promise<readonly BroughtFile[] | { readonly missing: string }> {
  const files: BroughtFile[] = [];
  for (const file of attached) {
    const bytes = await blobs.get(c, file.blob);
    const path = bytes?.length === file.bytes ? await blobs.copy(c, file) : null;
    if (path === null) {
      return {
        missing: `This conversation holds no blob ${file.blob} of ${file.bytes} bytes for "${file.name}": upload it first.`,
      };
    }
    files.push({ ...file, path });
  }
  return files;
}

/**
 * The bundle's own files for the attachments of a run that is to begin, where the run before had none. One that cannot be
 * had is left out: whether it is needed is for the judge to say.
 */
export async function ownFiles(
  blobs: Blobs,
  c: ConversationId,
  bot: Bot | null,
  { machine }: State,
): Promise<Attachments> {
  if (bot === null || machine.run?.status === 'active') return {};
  const kept: Record<string, BroughtFile> = {};
  for (const { name } of bot.plan.attachments ?? []) {
    const own = bot.attachments?.[name];
    if (own === undefined || machine.run?.attachments?.[name] !== undefined) continue;
    const bytes = await own.read().catch(() => null);
    if (bytes === null || bytes.length > ATTACHED_LIMIT) continue;
    const file: BlobRef = {
      blob: await blobs.put(c, bytes),
      bytes: bytes.length,
      name: own.name,
      mime: own.mime,
    };
    const path = await blobs.copy(c, file);
    if (path !== null) kept[name] = { ...file, path };
  }
  return kept;
}
