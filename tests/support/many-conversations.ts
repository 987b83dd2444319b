import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { Hearth } from './hearth.ts';
import { TWELVE_TICKETS } from './project.ts';

/*
 * Homes of many conversations that each wait for their person. One is really made; the others are copies of its
 * directory under other ids, which is what the disk would hold if each had been made by itself.
 */

/** Leaves a home, served by nobody, whose default conversation waits for an answer. */
export async function waitingHome(hearth: Hearth): Promise<ConversationId> {
  await hearth.run(['board', 'import', '-'], { input: JSON.stringify(TWELVE_TICKETS) });
  const asked = await hearth.json<{ conversation: string; state: string }>(['send', 'close all tickets']);
  if (asked.state !== 'waiting') throw new Error(`the bot asked nothing: ${JSON.stringify(asked)}`);
  await hearth.stop();
  return ConversationId.parse(asked.conversation);
}

/** Puts so many copies of a conversation beside it, none of them the default; their ids. */
export function copies(home: string, c: ConversationId, count: number): readonly ConversationId[] {
  const all = join(home, 'conversations');
  const plans = join('epochs', '1', 'plans');
  // Read once: ten thousand times as many files are written.
  const found = readdirSync(join(all, c), { recursive: true, withFileTypes: true }).map(entry => ({
    path: relative(join(all, c), join(entry.parentPath, entry.name)),
    isDirectory: entry.isDirectory(),
  }));
  const directories = found.flatMap(({ path, isDirectory }) => (isDirectory ? [path] : [])).toSorted();
  const files = found.flatMap(({ path, isDirectory }) =>
    isDirectory || dirname(path) === plans ? [] : [{ path, text: readFileSync(join(all, c, path), 'utf8') }],
  );
  return Array.from({ length: count }, (_, n) => {
    const id = ConversationId.parse(`c_01m${String(n).padStart(23, '0')}`);
    const copy = join(all, id);
    for (const path of ['', ...directories]) mkdirSync(join(copy, path), { mode: 0o700 });
    // A plan never changes, so that all of them may share one.
    for (const plan of readdirSync(join(all, c, plans)))
      linkSync(join(all, c, plans, plan), join(copy, plans, plan));
    for (const { path, text } of files) {
      const own = OWN.test(path) ? owned(text, c, id) : text;
      writeFileSync(join(copy, path), own, { mode: 0o600 });
    }
    return id;
  });
}

/** The files that name their conversation. */
const OWN = /(^|\/)(conversation|snapshot)\.json$/;

function owned(text: string, from: ConversationId, to: ConversationId): string {
  return text
    .replaceAll(from, to)
    .replace('"default":true', '"default":false')
    .replace('"isDefault":true', '"isDefault":false');
}
