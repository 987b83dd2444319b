import { join } from 'node:path';
import { homeDirectory, recordPath } from '@hearth/conversations/conversation-directory.ts';
import type { ConversationRecord } from '@hearth/conversations/ports.ts';
import { readRecord, writeRecord } from '@hearth/conversations/record.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { type Check, type Diagnosis, ok } from './check.ts';

/*
 * One conversation is the default. Where none is, or more than one, a repair takes the oldest global one, as long as no
 * service works in the home; beside one, only the service itself may change a record.
 */

/** Looks whether exactly one conversation is the default. */
export const defaults: Check = async ({ home, disk, holding }) => {
  const { conversations: path } = homeDirectory(home);
  const { records, unread } = await recordsIn(disk, path);
  const found = records.filter(one => one.default);
  const [only] = found;
  if (found.length === 1 && only !== undefined)
    return [ok('default', `The default conversation is ${only.id}.`)];
  const what =
    found.length === 0
      ? `No conversation${unread === 0 ? '' : ' whose record can be read'} is the default.`
      : `${found.length} conversations claim to be the default (${found.map(one => one.id).join(', ')}).`;
  const chosen = oldest(found.length === 0 ? records : found);
  const diagnosis: Diagnosis = { check: 'default', severity: 'error', path, what, repair: null };
  if (chosen === undefined) {
    return [
      {
        ...diagnosis,
        what: `${what} Make one with "hearth new" and then the default with "hearth default ID".`,
      },
    ];
  }
  if (holding === 'held')
    return [
      {
        ...diagnosis,
        what: `${what} Choose one with "hearth default ID", or repair it after "hearth stop".`,
      },
    ];
  return [
    {
      ...diagnosis,
      repair: `makes the oldest of them, ${chosen.id}, the only one`,
      mend: () => keepOne(disk, path),
    },
  ];
};

/** Leaves one default, whatever another repair has brought back meanwhile. */
async function keepOne(disk: Disk, path: string): Promise<void> {
  const { records } = await recordsIn(disk, path);
  const found = records.filter(one => one.default);
  const chosen = oldest(found.length === 0 ? records : found);
  if (chosen === undefined || found.length === 1) return;
  await writeRecord(disk, recordPath(join(path, chosen.id)), { ...chosen, default: true });
  for (const other of found.filter(one => one.id !== chosen.id)) {
    await writeRecord(disk, recordPath(join(path, other.id)), { ...other, default: false });
  }
}

/** The oldest that works everywhere. */
function oldest(records: readonly ConversationRecord[]): ConversationRecord | undefined {
  const [first] = records
    .filter(one => one.scope.kind === 'global')
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
  return first;
}

/** Those that can be read, and how many can not, which are told as damage. */
async function recordsIn(
  disk: Disk,
  path: string,
): Promise<{ records: ConversationRecord[]; unread: number }> {
  const records: ConversationRecord[] = [];
  let unread = 0;
  for (const name of await disk.list(path)) {
    const record = await readRecord(disk, recordPath(join(path, name))).catch(() => null);
    if (record !== null && record.id === name) records.push(record);
    else unread += 1;
  }
  return { records, unread };
}
