/** Whether the files agree that repeat what the journal says: the event log, the transcript and the receipts. */
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { MessageId } from '@hearth/protocol/ids.ts';
import { Receipt } from '@hearth/protocol/receipt.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import type { ConversationDirectory, EpochDirectory } from './conversation-directory.ts';
import { checkOf, EventLine, LogHeader } from './event-log.ts';
import { lines, type Report } from './finding.ts';
import type { StoredSnapshot } from './ports.ts';
import { WordsLine } from './transcript.ts';

/** What other files say of the events of a log: their checks, by their numbers. */
export interface Vouched {
  readonly snapshot: StoredSnapshot;
  /** Of every event after the snapshot. */
  readonly journal: ReadonlyMap<number, string>;
  /** Of the last event of every command that was accepted. */
  readonly receipts: ReadonlyMap<number, string>;
}

/**
 * The log is a projection: it must go on without a gap from its boundary and tell what the journal tells, and the receipts.
 * Its lines carry no sum, so what nobody else tells of an event is taken as it is. Resolves to its messages' words.
 */
export async function verifyEvents(
  disk: Disk,
  directory: EpochDirectory,
  { snapshot, journal, receipts }: Vouched,
  report: Report,
): Promise<ReadonlyMap<MessageId, string>> {
  const words = new Map<MessageId, string>();
  const path = directory.events;
  const head = parseCursor(snapshot.view.head);
  let last: number | null = null;
  for await (const text of lines(disk, path, report)) {
    if (last === null) {
      const header = checkedJson(LogHeader, text);
      if (!header.ok) {
        report('damage', path, `does not begin with its boundary (${header.why})`);
        return words;
      }
      if (header.value.epoch !== snapshot.epoch) report('damage', path, 'belongs to another epoch');
      last = header.value.after.seq;
      continue;
    }
    const event = checkedJson(EventLine, text);
    if (!event.ok) {
      report('damage', path, `cannot be read after event ${last} (${event.why})`);
      return words;
    }
    const { seq } = event.value;
    if (event.value.type === 'message') words.set(event.value.message, JSON.stringify(event.value.text));
    if (seq !== last + 1) report('damage', path, `goes on with ${seq} after ${last}`);
    last = seq;
    const check = checkOf(event.value);
    const vouched = journal.get(seq) ?? (head?.seq === seq ? head.check : undefined);
    if (vouched !== undefined && vouched !== check)
      report('damage', path, `tells another event ${seq} than the journal`);
    else if ((receipts.get(seq) ?? check) !== check)
      report('damage', path, `tells another event ${seq} than its receipt`);
  }
  if (last === null) report('remark', path, 'is missing and is made anew when the conversation is opened');
  else if (last < snapshot.seq)
    report('damage', path, `ends at ${last}, before the snapshot's ${snapshot.seq}`);
  return words;
}

/** Nothing is missing at its end, and it has the words of the log. */
export async function verifyTranscript(
  disk: Disk,
  directory: EpochDirectory,
  snapshot: StoredSnapshot,
  told: ReadonlyMap<MessageId, string>,
  report: Report,
  blob: (text: string) => void,
): Promise<void> {
  const path = directory.transcript;
  let seq = 0;
  for await (const text of lines(disk, path, report)) {
    const line = checkedJson(WordsLine, text);
    if (!line.ok) return report('damage', path, `cannot be read after number ${seq} (${line.why})`);
    if (line.value.seq < seq) report('damage', path, `goes back from ${seq} to ${line.value.seq}`);
    seq = line.value.seq;
    const { value } = line;
    const words = value.is === 'said' || value.is === 'replied' ? told.get(value.message) : undefined;
    if (words !== undefined && 'text' in value && words !== JSON.stringify(value.text))
      report('damage', path, `has other words in number ${seq} than the event log`);
    blob(text);
  }
  const bytes = (await disk.stat(path))?.bytes ?? 0;
  const kept = snapshot.transcript;
  if (kept !== undefined && bytes < kept.bytes) {
    report('damage', path, `has ${bytes} bytes and had ${kept.bytes} at the snapshot`);
  }
}

/** No command has two payloads. Resolves to the checks that the receipts name, by the numbers of their events. */
export async function verifyReceipts(
  disk: Disk,
  directory: ConversationDirectory,
  report: Report,
): Promise<ReadonlyMap<number, string>> {
  const given = new Map<number, string>();
  const payloads = new Map<string, string>();
  let line = 0;
  for await (const text of lines(disk, directory.receipts, report)) {
    line += 1;
    const receipt = checkedJson(Receipt, text);
    if (!receipt.ok) {
      report('damage', directory.receipts, `cannot be read in line ${line} (${receipt.why})`);
      continue;
    }
    const { commandId, payload, at } = receipt.value;
    const position = parseCursor(at);
    if (position !== null) given.set(position.seq, position.check);
    const before = payloads.get(commandId);
    if (before !== undefined && before !== payload) {
      report('damage', directory.receipts, `holds the command ${commandId} twice with different payloads`);
    }
    payloads.set(commandId, payload);
  }
  return given;
}
