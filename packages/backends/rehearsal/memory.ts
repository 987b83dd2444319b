import { join } from 'node:path/posix';
import { TicketState } from '@hearth/protocol/ticket.ts';
import { DamagedFile, readJson, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';

/*
 * What a rehearsal remembers of its session: one small file for each session, in the directory that the turn gives, so
 * that it leaves with the conversation. It is replaced whole and only when a turn ends or parks; a turn that breaks off
 * is done again from what was known at its start.
 */

const ticket = z.string();

/** One change to the board, planned before it is made, so that it can be listed and asked about first. */
export const Act = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('create'),
    title: z.string(),
    body: z.string().exactOptional(),
    labels: z.array(z.string()).exactOptional(),
  }),
  z.object({ do: z.literal('move'), ticket, to: TicketState }),
  z.object({ do: z.literal('close'), ticket, comment: z.string().exactOptional() }),
  z.object({ do: z.literal('label'), ticket, add: z.array(z.string()), remove: z.array(z.string()) }),
  z.object({ do: z.literal('assign'), ticket, owner: z.string() }),
  z.object({ do: z.literal('bot'), ticket, bot: z.string() }),
  z.object({ do: z.literal('comment'), ticket, body: z.string() }),
  z.object({ do: z.literal('dispatch'), ticket, bot: z.string().exactOptional() }),
]);
export type Act = z.infer<typeof Act>;

/** A question that is waiting for its answer: what each option does, and what was to be said or heard besides. */
export const Pending = z.object({
  ask: z.string(),
  choices: z.array(z.object({ option: z.string(), acts: z.array(Act) })),
  said: z.string(),
  unheard: z.array(z.string()),
});
export type Pending = z.infer<typeof Pending>;

/** What the file holds. One that does not fit counts as a session that is lost. */
export const Memory = z.object({
  format: z.literal(1),
  session: z.string(),
  /** The language last used. */
  language: z.enum(['en', 'fr']).nullable(),
  /** Whether the person was told that this is a rehearsal. */
  introduced: z.boolean(),
  /** Tool calls made in this session; their ids come from it. */
  calls: z.int().nonnegative(),
  /** The tickets last listed, in the order shown: what "the first one" and "them" mean. */
  listed: z.array(ticket),
  /** The same when the last reply numbered them, else nothing. */
  numbered: z.array(ticket).default([]),
  pick: ticket.nullable(),
  /** The one ticket last spoken of: what "it" means. */
  focus: ticket.nullable(),
  /** What the last sweep found, each with the comment that gives its evidence. */
  obsolete: z.array(z.object({ ticket, comment: z.string() })),
  pending: Pending.nullable(),
});
export type Memory = z.infer<typeof Memory>;

/** What a session knows at its start. */
export function blankMemory(session: string): Memory {
  return {
    format: 1,
    session,
    language: null,
    introduced: false,
    calls: 0,
    listed: [],
    numbered: [],
    pick: null,
    focus: null,
    obsolete: [],
    pending: null,
  };
}

/** Ids come back from outside; one that is no plain word names no file. */
const sessionId = /^[A-Za-z0-9-]{1,64}$/;

function fileOf(directory: string, session: string): string {
  return join(directory, `rehearsal-${session}.json`);
}

/** `null` when there is no such session or its file is damaged. Rejects with `DiskError`. */
export async function recalled(disk: Disk, directory: string, session: string): Promise<Memory | null> {
  if (!sessionId.test(session)) return null;
  try {
    return await readJson(disk, fileOf(directory, session), Memory);
  } catch (error) {
    if (error instanceof DamagedFile) return null;
    throw error;
  }
}

/** Rejects with `DiskError`; the file is then the old one. */
export async function remember(disk: Disk, directory: string, memory: Memory): Promise<void> {
  await disk.makeDirectory(directory);
  await writeJson(disk, fileOf(directory, memory.session), memory);
}
