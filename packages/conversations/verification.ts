/**
 * Looks whether what is stored of conversations is whole, and changes nothing.
 *
 * - Damage is what was once durable and cannot be read, or contradicts what it must agree with. What a stop may leave and
 *   the next opening mends (a torn last line, a temporary file) is a remark.
 * - A file that a running service replaces while it is read may look damaged; whoever verifies beside one looks again.
 */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import { type ConversationId, Digest } from '@hearth/protocol/ids.ts';
import { Receipt } from '@hearth/protocol/receipt.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { scanJournal } from '@hearth/store/journal-scan.ts';
import { linesFrom } from '@hearth/store/line-reader.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import { getBlob } from './blobs.ts';
import {
  type ConversationDirectory,
  conversationDirectory,
  type EpochDirectory,
  epochDirectory,
  journalPath,
} from './conversation-directory.ts';
import { CommitLine } from './commit-line.ts';
import { readSnapshot } from './epoch.ts';
import { checkOf, EventLine, LogHeader } from './event-log.ts';
import { checkOwnPlaces } from './own-places.ts';
import { readPlan } from './plans.ts';
import type { StoredSnapshot } from './ports.ts';
import { readRecord } from './record.ts';
import { WordsLine } from './transcript.ts';

/** Something that is not as it should be. */
export interface Finding {
  readonly path: string;
  readonly severity: 'damage' | 'remark';
  /** A phrase that fits behind the path. */
  readonly what: string;
}

type Report = (severity: Finding['severity'], path: string, what: string) => void;

/** Verifies the conversation in a directory, which `id` names, or nothing when it lies in the trash. */
export async function verifyConversation(
  disk: Disk,
  root: string,
  id: ConversationId | null,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const report: Report = (severity, path, what) => void findings.push({ severity, path, what });
  const directory = conversationDirectory(root);
  if ((await disk.stat(root))?.kind !== 'directory') {
    report('damage', root, 'is no directory of its own');
    return findings;
  }
  const own = checkOwnPlaces(disk, directory).then(() => true);
  if ((await sound(report, own)) === undefined) return findings;
  const record = await sound(report, readRecord(disk, directory.record));
  if (record === null) report('damage', directory.record, 'is missing');
  else if (record && id !== null && record.id !== id)
    report('damage', directory.record, 'names another conversation');
  await verifyReceipts(disk, directory, report);
  const epochs = (await disk.list(directory.epochs)).filter(name => /^[1-9]\d*$/.test(name));
  if (record && !epochs.includes(String(record.epoch))) {
    report('damage', directory.epochs, `does not hold the epoch ${record.epoch}, which the record names`);
  }
  for (const epoch of epochs) {
    const earlier = Number(epoch) < (record?.epoch ?? 0);
    await verifyEpoch(
      disk,
      epochDirectory(directory, Number(epoch)),
      { number: Number(epoch), earlier },
      report,
    );
  }
  return findings;
}

async function verifyEpoch(
  disk: Disk,
  directory: EpochDirectory,
  { number, earlier }: { readonly number: number; readonly earlier: boolean },
  report: Report,
): Promise<void> {
  const names = new Set<string>();
  const blob = (text: string): void => {
    for (const [, digest = ''] of text.matchAll(BLOB)) names.add(digest);
  };
  // Of an earlier epoch only the words are read, so one that lost its state is whole without it.
  const gone = earlier && (await disk.stat(directory.snapshot)) === null;
  const snapshot = gone ? undefined : await sound(report, readSnapshot(disk, directory));
  if (snapshot) {
    if (snapshot.epoch !== number) report('damage', directory.snapshot, 'belongs to another epoch');
    const events = await verifyJournal(disk, directory, snapshot, report, blob);
    await verifyEvents(disk, directory, snapshot, events, report);
    await verifyTranscript(disk, directory, snapshot, report, blob);
    const plan = snapshot.machine.run?.plan;
    if (plan !== undefined && !earlier && (await sound(report, readPlan(disk, directory, plan))) === null) {
      report('damage', directory.plans, `does not hold the plan ${plan} of the run`);
    }
  }
  await verifyNamed(disk, directory, report);
  for (const digest of names) {
    const found = Digest.safeParse(digest);
    if (!found.success || (await getBlob(disk, directory, found.data)) !== null) continue;
    report('damage', directory.blobs, `does not hold ${digest}, which a text names`);
  }
  await verifyArtifacts(disk, directory, report);
}

const BLOB = /"blob":"(sha256:[0-9a-f]{64})"/g;

/** Every sum, every number. Resolves to the checks of its events, by their numbers. */
async function verifyJournal(
  disk: Disk,
  directory: EpochDirectory,
  snapshot: StoredSnapshot,
  report: Report,
  blob: (text: string) => void,
): Promise<ReadonlyMap<number, string>> {
  const path = journalPath(directory, snapshot.generation);
  const bytes = (await sound(report, disk.read(path), path)) ?? new Uint8Array();
  const { lines, fault } = scanJournal(bytes, CommitLine, snapshot.commit);
  if (fault === 'torn') report('remark', path, 'ends in a line that was never acknowledged');
  else if (fault !== null)
    report('damage', path, `is damaged after commit ${snapshot.commit + lines.length} (${fault})`);
  const checks = new Map<number, string>();
  let seq = snapshot.seq;
  for (const event of lines.flatMap(line => line.events)) {
    if (event.seq <= seq) report('damage', path, `gives the number ${event.seq} twice`);
    seq = event.seq;
    checks.set(seq, checkOf(event));
  }
  for (const line of lines) blob(JSON.stringify(line));
  return checks;
}

/** The log is a projection: it must go on without a gap from its boundary and tell what the journal tells. */
async function verifyEvents(
  disk: Disk,
  directory: EpochDirectory,
  snapshot: StoredSnapshot,
  journal: ReadonlyMap<number, string>,
  report: Report,
): Promise<void> {
  const path = directory.events;
  const head = parseCursor(snapshot.view.head);
  let last: number | null = null;
  for await (const text of lines(disk, path, report)) {
    if (last === null) {
      const header = checkedJson(LogHeader, text);
      if (!header.ok) return report('damage', path, `does not begin with its boundary (${header.why})`);
      if (header.value.epoch !== snapshot.epoch) report('damage', path, 'belongs to another epoch');
      last = header.value.after.seq;
      continue;
    }
    const event = checkedJson(EventLine, text);
    if (!event.ok) return report('damage', path, `cannot be read after event ${last} (${event.why})`);
    const { seq } = event.value;
    if (seq !== last + 1) report('damage', path, `goes on with ${seq} after ${last}`);
    last = seq;
    const vouched = journal.get(seq) ?? (head?.seq === seq ? head.check : undefined);
    if (vouched !== undefined && vouched !== checkOf(event.value)) {
      report('damage', path, `tells another event ${seq} than the journal`);
    }
  }
  if (last === null) report('remark', path, 'is missing and is made anew when the conversation is opened');
  else if (last < snapshot.seq)
    report('damage', path, `ends at ${last}, before the snapshot's ${snapshot.seq}`);
}

async function verifyTranscript(
  disk: Disk,
  directory: EpochDirectory,
  snapshot: StoredSnapshot,
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
    blob(text);
  }
  const bytes = (await disk.stat(path))?.bytes ?? 0;
  const kept = snapshot.transcript;
  if (kept !== undefined && bytes < kept.bytes) {
    report('damage', path, `has ${bytes} bytes and had ${kept.bytes} at the snapshot`);
  }
}

async function verifyReceipts(disk: Disk, directory: ConversationDirectory, report: Report): Promise<void> {
  const payloads = new Map<string, string>();
  let line = 0;
  for await (const text of lines(disk, directory.receipts, report)) {
    line += 1;
    const receipt = checkedJson(Receipt, text);
    if (!receipt.ok) {
      report('damage', directory.receipts, `cannot be read in line ${line} (${receipt.why})`);
      continue;
    }
    const { commandId, payload } = receipt.value;
    const before = payloads.get(commandId);
    if (before !== undefined && before !== payload) {
      report('damage', directory.receipts, `holds the command ${commandId} twice with different payloads`);
    }
    payloads.set(commandId, payload);
  }
}

/** Files that are named by what they hold. */
async function verifyNamed(disk: Disk, directory: EpochDirectory, report: Report): Promise<void> {
  for (const name of await disk.list(directory.blobs)) {
    const path = join(directory.blobs, name);
    if (name.startsWith('.')) continue;
    const bytes = await sound(report, disk.read(path), path);
    if (bytes && sha256(bytes) !== `sha256:${name}`) report('damage', path, 'is not what its name says');
  }
  for (const name of await disk.list(directory.plans)) {
    const digest = Digest.safeParse(`sha256:${basename(name, '.json')}`);
    if (digest.success) await sound(report, readPlan(disk, directory, digest.data));
  }
}

const Artifact = z.looseObject({ ref: z.looseObject({ digest: Digest }), body: z.string() });

async function verifyArtifacts(disk: Disk, directory: EpochDirectory, report: Report): Promise<void> {
  const root = directory.artifacts;
  for (const name of await disk.list(root)) {
    for (const version of await disk.list(join(root, name))) {
      const path = join(root, name, version);
      if (version.startsWith('.')) continue;
      const bytes = await sound(report, disk.read(path), path);
      const found = checkedJson(Artifact, new TextDecoder().decode(bytes ?? new Uint8Array()));
      if (!found.ok) report('damage', path, `cannot be read (${found.why})`);
      else if (sha256(found.value.body) !== found.value.ref.digest)
        report('damage', path, 'has another digest than it says');
    }
  }
}

/** The whole lines of a file; a torn last one is a remark. A missing file has none. */
async function* lines(disk: Disk, path: string, report: Report): AsyncGenerator<string> {
  const found = await disk.stat(path);
  if (found === null) return;
  if (found.kind !== 'file') return report('damage', path, 'is no file');
  let end = 0;
  for await (const raw of linesFrom(disk, path, 0, found.bytes)) {
    end = raw.end;
    yield new TextDecoder().decode(raw.bytes);
  }
  if (end < found.bytes) report('remark', path, 'ends in a line that was cut short');
}

/** What a file holds, or `undefined` when it is damaged or cannot be read, which is reported. */
async function sound<T>(report: Report, work: Promise<T>, path?: string): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof DamagedFile) report('damage', thrown.path, `is damaged (${thrown.why})`);
    else if (thrown instanceof DiskError) report('damage', path ?? thrown.path, 'cannot be read');
    else throw thrown;
    return undefined;
  }
}
