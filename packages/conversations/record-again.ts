/** Makes the record of a conversation again from what its state and its log tell. */
import type { Event } from '@hearth/protocol/event.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { madeAt } from '@hearth/store/random-ids.ts';
import { epochsIn } from './archives.ts';
import {
  conversationPath,
  epochDirectory,
  type HomeDirectory,
  recordPath,
} from './conversation-directory.ts';
import { DEFAULT_BOT } from './default-conversation.ts';
import type { ConversationRecord } from './ports.ts';
import { readRecord } from './record.ts';
import type { Remains } from './remains.ts';
import { readSnapshot } from './snapshot.ts';

/** A record made again. `known`: something still told the title, the bot and the scope. */
export interface RecordAgain {
  readonly record: ConversationRecord;
  readonly known: boolean;
}

/**
 * The record of a conversation that has lost its own. It is the default only if it was and no other one is; who made it
 * is not told anywhere, so a person did.
 */
export async function recordAgain(
  { disk, home, clock }: { readonly disk: Disk; readonly home: HomeDirectory; readonly clock: Clock },
  id: ConversationId,
  remains: Remains,
  events: readonly Event[],
): Promise<RecordAgain> {
  const view = remains.snapshot?.view ?? (await earlierView(disk, remains));
  const since = remains.snapshot?.seq ?? 0;
  const changes = events.flatMap(event =>
    event.type === 'conversation' && event.seq > since ? [event] : [],
  );
  const told = changes.at(-1) ?? view;
  const pin = changes.findLast(({ change }) => change === 'pinned' || change === 'unpinned');
  const scope = told?.scope ?? { kind: 'global' };
  const wasDefault = view?.isDefault ?? (await claims(disk, home, id, remains));
  const record: ConversationRecord = {
    format: 1,
    id,
    title: told?.title ?? 'Untitled',
    scope,
    bot: told?.bot ?? DEFAULT_BOT,
    default: wasDefault && scope.kind === 'global' && !(await otherDefault(disk, home, id)),
    pinned: pin === undefined ? (view?.pinned ?? false) : pin.change === 'pinned',
    origin: 'person',
    epoch: remains.epoch,
    createdAt: madeAt(id) ?? events[0]?.at ?? instant(clock),
  };
  return { record, known: told !== null };
}

/** Whether another conversation than this one is the default. */
export async function otherDefault(disk: Disk, home: HomeDirectory, id: ConversationId): Promise<boolean> {
  for (const name of await disk.list(home.conversations)) {
    if (name === id) continue;
    const record = await readRecord(disk, recordPath(`${home.conversations}/${name}`)).catch(() => null);
    if (record?.default === true && conversationPath(home, record.id).endsWith(name)) return true;
  }
  return false;
}

/** The view of the latest earlier epoch whose state is whole. */
async function earlierView(disk: Disk, { directory, epoch }: Remains): Promise<ConversationView | null> {
  const earlier = (await epochsIn(disk, directory)).filter(number => number >= 1 && number < epoch);
  for (const number of earlier.sort((a, b) => b - a)) {
    const found = await readSnapshot(disk, epochDirectory(directory, number)).catch((thrown: unknown) => {
      if (thrown instanceof DamagedFile) return null;
      throw thrown;
    });
    if (found !== null) return found.view;
  }
  return null;
}

/**
 * Whether what is left of the record or the state says that it was the default. Where nothing says, the first of the home
 * was: a home is made with it.
 */
async function claims(
  disk: Disk,
  home: HomeDirectory,
  id: ConversationId,
  { directory, files }: Remains,
): Promise<boolean> {
  for (const path of [directory.record, files.snapshot]) {
    if ((await disk.stat(path))?.kind !== 'file') continue;
    const text = new TextDecoder().decode((await disk.read(path)) ?? new Uint8Array());
    const found = /"(?:default|isDefault)":(true|false)\b/.exec(text);
    if (found) return found[1] === 'true';
  }
  const [first = id] = (await disk.list(home.conversations)).filter(name => name.startsWith('c_'));
  return id <= first;
}
