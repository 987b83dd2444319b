/** `conversation.json`: replaced whole, so that a reader finds the old record or the new one. */
import { z } from 'zod';
import { readJson, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Actor } from '@hearth/protocol/actor.ts';
import { CommandId, ConversationId, Digest, Instant } from '@hearth/protocol/ids.ts';
import { Scope } from '@hearth/protocol/scope.ts';
import type { ConversationRecord } from './ports.ts';

const Note = z.object({ at: Instant, by: Actor, commandId: CommandId, payload: Digest });

const Mended = z.object({
  at: Instant,
  code: z.string(),
  severity: z.enum(['warning', 'error']),
  text: z.string(),
  left: z.int().positive().exactOptional(),
});

/** What `conversation.json` holds. */
export const RecordFile: z.ZodType<ConversationRecord> = z.object({
  format: z.literal(1),
  id: ConversationId,
  title: z.string(),
  scope: Scope,
  bot: z.string(),
  default: z.boolean(),
  pinned: z.boolean(),
  origin: z.enum(['person', 'dispatch']),
  epoch: z.int().positive(),
  createdAt: Instant,
  preset: z.string().exactOptional(),
  model: z.string().exactOptional(),
  restored: Note.exactOptional(),
  imported: Note.exactOptional(),
  mended: Mended.exactOptional(),
});

/** The record at `path`; `null` when there is none. Rejects with `DamagedFile` when it does not hold. */
export function readRecord(disk: Disk, path: string): Promise<ConversationRecord | null> {
  return readJson(disk, path, RecordFile);
}

/** Replaces the record in one rename, durable when it resolves. Rejects with `DiskError`. */
export function writeRecord(disk: Disk, path: string, record: ConversationRecord): Promise<void> {
  return writeJson(disk, path, record);
}
