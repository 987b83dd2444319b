/**
 * Looks whether what is stored of conversations is whole, and changes nothing.
 *
 * - Damage is what was once durable and cannot be read, or contradicts what it must agree with. What a stop may leave and
 *   the next opening mends (a torn last line, a temporary file) is a remark.
 * - A file that a running service replaces while it is read may look damaged; whoever verifies beside one looks again.
 */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type ConversationId, Digest } from '@hearth/protocol/ids.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { scanJournal } from '@hearth/store/journal-scan.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import { getBlob } from './blobs.ts';
import {
  artifactPath,
  conversationDirectory,
  type EpochDirectory,
  epochDirectory,
  journalPath,
} from './conversation-directory.ts';
import { CommitLine } from './commit-line.ts';
import { checkOf } from './event-log.ts';
import { type Finding, type Report, sound } from './finding.ts';
import { verifyEvents, verifyReceipts, verifyTranscript } from './log-verification.ts';
import { checkOwnPlaces } from './own-places.ts';
import { readPlan } from './plans.ts';
import type { StoredSnapshot } from './ports.ts';
import { readRecord } from './record.ts';
import { readSnapshot } from './snapshot.ts';

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
  const receipts = await verifyReceipts(disk, directory, report);
  const epochs = (await disk.list(directory.epochs)).filter(name => /^[1-9]\d*$/.test(name));
  if (record && !epochs.includes(String(record.epoch))) {
    report('damage', directory.epochs, `does not hold the epoch ${record.epoch}, which the record names`);
  }
  for (const epoch of epochs) {
    const earlier = Number(epoch) < (record?.epoch ?? 0);
    await verifyEpoch(
      disk,
      epochDirectory(directory, Number(epoch)),
      { number: Number(epoch), earlier, receipts },
      report,
    );
  }
  return findings;
}

async function verifyEpoch(
  disk: Disk,
  directory: EpochDirectory,
  {
    number,
    earlier,
    receipts,
  }: { readonly number: number; readonly earlier: boolean; readonly receipts: ReadonlyMap<number, string> },
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
    const journal = await verifyJournal(disk, directory, snapshot, report, blob);
    const words = await verifyEvents(disk, directory, { snapshot, journal, receipts }, report);
    await verifyTranscript(disk, directory, snapshot, words, report, blob);
    for (const { current } of Object.values(snapshot.machine.run?.documents ?? {})) {
      const path = current && artifactPath(directory, current.artifact, current.version);
      if (path !== null && !earlier && (await disk.stat(path)) === null)
        report('damage', path, 'is missing, and its version counts');
    }
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
