import { LONGEST_LEASE_MS } from '@hearth/board/claim.ts';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { RetentionOptions } from '@hearth/conversations/keeper.ts';
import { DamagedFile, readJson, writeAtomic } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';
import { HomeError } from './home-error.ts';
import { Level } from './log.ts';

/*
 * `settings.json`: what a person may set for a home, the only file in it that is written by hand too. Guarantees that what
 * passes is whole: every field that is left out has its standard value, and a field that nobody knows is refused, since
 * it is most likely one that was meant to be another. The table of docs/settings.md is made from this schema.
 */

const MEBIBYTE = 1024 * 1024;

const RetentionSettings = z.strictObject({
  conversations: z
    .int()
    .min(1)
    .default(64)
    .describe(
      'How many conversations are kept, the default one counted. Pinned ones, and those that wait for an answer, take no place.',
    ),
  days: z
    .number()
    .positive()
    .default(30)
    .describe('For how many days without any event a conversation is kept.'),
  mebibytes: z
    .number()
    .positive()
    .default(256)
    .describe('How much all conversations that may be removed can hold together, in MiB.'),
  trashDays: z
    .number()
    .positive()
    .default(7)
    .describe('For how many days a conversation in the trash can be restored.'),
  trashMebibytes: z
    .number()
    .positive()
    .default(256)
    .describe('How much the trash can hold, in MiB. The latest in it keeps its days, whatever its size.'),
});

const NotificationSettings = z.strictObject({
  command: z
    .array(z.string().min(1))
    .max(64)
    .default([])
    .describe(
      'A program and its arguments, run when a conversation starts to wait for you. No shell reads them; what is waited for is in HEARTH_CONVERSATION, HEARTH_TITLE, HEARTH_PAUSE, HEARTH_KIND and HEARTH_TEXT, and as JSON on stdin.',
    ),
});

const DispatchSettings = z.strictObject({
  on: z
    .boolean()
    .default(false)
    .describe('Whether bots work on tickets that are `ready` by themselves. "hearth dispatch on" sets it.'),
  concurrency: z
    .int()
    .min(1)
    .max(16)
    .default(2)
    .describe('How many tickets are worked on at once. Those that wait for you take no place.'),
  attempts: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe('How often a ticket whose bot fails is tried, in all.'),
  leaseSeconds: z
    .int()
    .min(5)
    .max(LONGEST_LEASE_MS / 1000)
    .default(60)
    .describe('For how long a ticket stays claimed when the service that claimed it is gone.'),
});
export type DispatchSettings = z.infer<typeof DispatchSettings>;

const LogSettings = z.strictObject({
  level: Level.default('info').describe(
    'What the log tells: `debug` every step of a run, `info` turns and runs, `warning` what went wrong, `error` faults. HEARTH_LOG in the environment of the service goes before it.',
  ),
});

/** The whole file. What a person wrote and what is left out are not told apart once it was read. */
export const Settings = z.strictObject({
  dispatch: DispatchSettings.prefault({}).describe(
    'Who works on tickets that are ready. Takes effect at once.',
  ),
  log: LogSettings.prefault({}).describe('What is written into the log of the service.'),
  notification: NotificationSettings.prefault({}).describe('How you are called.'),
  model: z
    .string()
    .max(200)
    .default('auto')
    .describe(
      'The model or the backend of bots that leave it open, as in "anthropic/claude-sonnet-5" or "rehearsal". HEARTH_MODEL in the environment of the service goes before it.',
    ),
  models: z
    .record(z.string(), z.string().max(200))
    .default({})
    .describe(
      'The backend or the model of single bots that leave it open, by the name of the bot or the path of its bundle. It goes before `model` and HEARTH_MODEL.',
    ),
  retention: RetentionSettings.prefault({}).describe('What is kept of conversations that nobody uses.'),
});
export type Settings = z.infer<typeof Settings>;

/** Where the settings of a home are. */
export function settingsPath(home: string): string {
  return join(home, 'settings.json');
}

/** The settings of a home; the standard ones when there is no file. Rejects with `HomeError`, code `settings_invalid`. */
export async function readSettings(disk: Disk, home: string): Promise<Settings> {
  const path = settingsPath(home);
  try {
    const found = await readJson(disk, path, Settings);
    if (found === null) return Settings.parse({});
    // It was written by an editor, which knows nothing of what else may stand in it one day.
    await chmod(path, 0o600).catch(() => undefined);
    return found;
  } catch (thrown) {
    if (!(thrown instanceof DamagedFile)) throw thrown;
    throw new HomeError(
      'settings_invalid',
      `The settings in ${path} are not as they should be (${thrown.why}): correct that, or move the file away to go by the standard ones.`,
    );
  }
}

/** Sets the model in the settings and leaves everything else in them as it is. Rejects as `readSettings`, or `DiskError`. */
export async function writeModel(disk: Disk, home: string, model: string): Promise<void> {
  await change(disk, home, found => ({ ...found, model }));
}

/** Sets the model of one bot; `null` takes it back. Else as `writeModel`. */
export async function writeBotModel(
  disk: Disk,
  home: string,
  bot: string,
  model: string | null,
): Promise<void> {
  await change(disk, home, found => {
    const { [bot]: _before, ...others } = Loose.parse(found['models'] ?? {});
    return { ...found, models: model === null ? others : { ...others, [bot]: model } };
  });
}

/** Turns the dispatcher on or off in the settings; else as `writeModel`. */
export async function writeDispatch(disk: Disk, home: string, on: boolean): Promise<void> {
  await change(disk, home, found => ({
    ...found,
    dispatch: { ...Loose.parse(found['dispatch'] ?? {}), on },
  }));
}

const Loose = z.looseObject({});

async function change(
  disk: Disk,
  home: string,
  made: (found: z.infer<typeof Loose>) => Record<string, unknown>,
): Promise<void> {
  await readSettings(disk, home);
  const found = (await readJson(disk, settingsPath(home), Loose)) ?? {};
  const text = `${JSON.stringify(made(found), null, 2)}\n`;
  await writeAtomic(disk, settingsPath(home), new TextEncoder().encode(text));
}

/** What the settings say about what is kept. */
export function retentionOf({ retention }: Settings): Pick<RetentionOptions, 'limits' | 'trash'> {
  const { conversations, days, mebibytes, trashDays, trashMebibytes } = retention;
  return {
    limits: { conversations, days, bytes: Math.round(mebibytes * MEBIBYTE) },
    trash: { days: trashDays, bytes: Math.round(trashMebibytes * MEBIBYTE) },
  };
}
