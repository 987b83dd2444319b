import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { workspaceTools } from '@hearth/backends/tools/workspace-tools.ts';
import { Boards } from '@hearth/board/boards.ts';
import { boardTools } from '@hearth/board/tools.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { BotError } from '@hearth/engine/bot.ts';
import { BundleBots } from '../bots.ts';
import { compare, type Difference } from './comparison.ts';
import { play } from './player.ts';

/** How one recording went. */
export interface Replayed {
  readonly name: string;
  /** Whether shape and routing are as they were recorded; words may differ. */
  readonly ok: boolean;
  /** Messages of the person that it holds. */
  readonly messages: number;
  readonly differences: readonly Difference[];
}

/**
 * Plays recordings of a bundle, by name or absolute path: all of them, or the one that is named. Rejects with `BotError`
 * when the bot cannot be loaded or there is no such recording.
 */
export async function replayBundle(bundle: string, only: string | null): Promise<readonly Replayed[]> {
  const bots = new BundleBots();
  const bot = await bots.load(bundle);
  const found = await bots.recordings(bundle);
  const names = Object.keys(found).filter(name => only === null || name === only);
  if (names.length === 0) {
    const what = only === null ? 'are no recordings' : `is no recording "${only}"`;
    const where = isAbsolute(bundle) ? `in ${join(bundle, 'recordings')}` : `of the bot ${bundle}`;
    throw new BotError('unknown_bot', `There ${what} ${where}: make one with "hearth record".`);
  }
  // The tools do nothing in a replay; only what they are is looked at.
  const boards = new Boards({
    home: tmpdir(),
    disk: nodeDisk,
    clock: systemClock,
    realPath: path => realpath(path),
  });
  const tools = [...boardTools(boards), ...workspaceTools];
  const replayed: Replayed[] = [];
  for (const name of names) {
    const recording = found[name];
    if (recording === undefined) continue;
    const played = await play({ bot, recording, tools, disk: nodeDisk, clock: systemClock, ids: systemIds });
    const differences = compare(recording.steps, played.steps, played.stopped);
    const ok = differences.every(difference => difference.what === 'words');
    const messages = recording.steps.filter(step => step.is === 'message').length;
    replayed.push({ name, ok, messages, differences });
  }
  return replayed;
}
