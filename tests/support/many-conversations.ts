import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const epoch = join('epochs', '1');
  const plans = join(epoch, 'plans');
  const record = readFileSync(join(all, c, 'conversation.json'), 'utf8').replace(
    '"default":true',
    '"default":false',
  );
  const snapshot = readFileSync(join(all, c, epoch, 'snapshot.json'), 'utf8');
  return Array.from({ length: count }, (_, n) => {
    const id = ConversationId.parse(`c_01m${String(n).padStart(23, '0')}`);
    const own = (text: string): string =>
      text.replaceAll(c, id).replace('"isDefault":true', '"isDefault":false');
    cpSync(join(all, c), join(all, id), { recursive: true, filter: path => !path.endsWith('/plans') });
    // A plan never changes, so that all of them may share one.
    mkdirSync(join(all, id, plans), { mode: 0o700 });
    for (const plan of readdirSync(join(all, c, plans)))
      linkSync(join(all, c, plans, plan), join(all, id, plans, plan));
    writeFileSync(join(all, id, 'conversation.json'), own(record), { mode: 0o600 });
    writeFileSync(join(all, id, epoch, 'snapshot.json'), own(snapshot), { mode: 0o600 });
    return id;
  });
}
