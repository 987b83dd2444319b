/**
 * What a pass of retention would do now: measured and judged, and nothing changed. What stays whatever its size is measured
 * only where somebody reads the sizes.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type {
  KeepReason,
  RetentionLimits,
  RetentionReport,
  TrashChoice,
} from '@hearth/protocol/retention.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Accounts } from './accounts.ts';
import type { InTrash, Store } from './ports.ts';
import { type Choice, choose, chooseTrash, DAY_MS, type RetentionRow } from './retention.ts';
import { overageWords, whyInTrash, whyOf } from './retention-words.ts';
import type { Rows } from './rows.ts';

/** What is kept. */
export interface Retention {
  readonly limits: RetentionLimits;
  /** For how many days and how many bytes the trash keeps. */
  readonly trash: Pick<RetentionLimits, 'days' | 'bytes'>;
}

/** What is kept when nobody says otherwise. */
export const STANDARD_RETENTION: Retention = {
  limits: { conversations: 64, days: 30, bytes: 256 * 1024 * 1024 },
  trash: { days: 7, bytes: 256 * 1024 * 1024 },
};

/** What is judged, and what it is judged by. */
export interface Judged {
  readonly store: Store;
  readonly clock: Clock;
  readonly rows: Rows;
  readonly accounts: Accounts;
  readonly retention: Retention;
  /** Whether it was just made, used or brought back. */
  inHand(id: ConversationId): boolean;
  /** Why the clock is in doubt; `null` when it is not. */
  readonly doubt: string | null;
  /** Whether sizes are told of what they decide nothing about, too; else those count as nothing. */
  readonly whole: boolean;
}

type Candidate = RetentionRow & { readonly row: ConversationRow };
type Lying = RetentionRow & { readonly entry: InTrash };

/** The report of a pass before anything was done. */
export async function reportOf(judged: Judged): Promise<Omit<RetentionReport, 'dryRun' | 'failed' | 'kept'>> {
  const { clock, accounts, retention, doubt } = judged;
  const { limits, trash: trashLimits } = retention;
  const now = clock.now();
  const trusted = doubt === null ? now : null;
  const candidates = await candidatesOf(judged);
  const lying = await lyingOf(judged);
  accounts.keep('conversations', new Set(candidates.map(({ id }) => id)));
  accounts.keep('trash', new Set(lying.map(({ id }) => id)));
  const kept = new Map(
    candidates.flatMap(({ id, row }) => {
      const reason = keepReason(row, judged);
      return reason === null ? [] : [[id, reason] as const];
    }),
  );
  const verdict = choose(candidates, limits, trusted, kept);
  return {
    at: instant(clock),
    limits,
    trashLimits,
    ageSkipped: doubt,
    choices: verdict.choices.map(choice => choiceOf(choice, limits, now)),
    trash: chooseTrash(lying, trashLimits, trusted).map(choice => trashChoiceOf(choice, trashLimits, now)),
    bytes: {
      conversations: sumOf(candidates),
      trash: sumOf(lying),
      ...(await unreadBytes(judged)),
    },
    overage: [...overageWords(verdict.overage, limits)],
  };
}

async function candidatesOf(judged: Judged): Promise<readonly Candidate[]> {
  const { rows, accounts, whole } = judged;
  const found: Candidate[] = [];
  for (const row of await rows.list({})) {
    const { id, updatedAt } = row;
    // One that need not stay any more once all are measured counts as nothing this once, and so stays.
    const bytes = whole || keepReason(row, judged) === null ? await accounts.of('conversations', id) : 0;
    found.push({ id, origin: rows.originOf(id), at: Date.parse(updatedAt), bytes, row });
  }
  return found;
}

async function lyingOf({ store, accounts }: Judged): Promise<readonly Lying[]> {
  const found: Lying[] = [];
  for (const entry of await store.inTrash()) {
    const bytes = await accounts.of('trash', entry.name);
    found.push({ id: entry.name, origin: 'person', at: Date.parse(entry.note.at), bytes, entry });
  }
  return found;
}

/** Why a conversation stays whatever the limits say; `null` when it does not. */
function keepReason(row: ConversationRow, judged: Judged): KeepReason | null {
  if (row.isDefault) return 'default';
  if (row.state === 'working') return 'active';
  if (row.state === 'waiting') return 'owing';
  if (row.pinned) return 'pinned';
  return judged.inHand(row.id) ? 'in_hand' : null;
}

function choiceOf(
  { row: { row, origin, at, bytes }, remove, reason }: Choice<Candidate>,
  limits: RetentionLimits,
  now: number,
): RetentionReport['choices'][number] {
  const { id: conversation, title, updatedAt } = row;
  const why = whyOf(reason, { bytes, days: daysBetween(at, now) }, limits);
  return { conversation, title, origin, updatedAt, bytes, remove, reason, why };
}

function trashChoiceOf(
  { row: { entry, at, bytes }, remove, reason }: ReturnType<typeof chooseTrash<Lying>>[number],
  limits: Retention['trash'],
  now: number,
): TrashChoice {
  const { id: conversation, title } = entry.record;
  const why = whyInTrash(reason, { bytes, days: daysBetween(at, now) }, limits);
  return { name: entry.name, conversation, title, bytes, remove, reason, why };
}

/** What could not be read: what was set aside, and what is still in its place. */
async function unreadBytes({
  store,
  accounts,
  whole,
}: Judged): Promise<Pick<RetentionReport['bytes'], 'quarantine' | 'unreadable'>> {
  let [quarantine, unreadable] = [0, 0];
  if (!whole) return { quarantine, unreadable };
  for (const { name, inPlace } of await store.quarantined()) {
    if (inPlace) unreadable += await store.bytes('conversations', name);
    else quarantine += await accounts.of('quarantine', name);
  }
  return { quarantine, unreadable };
}

function daysBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / DAY_MS));
}

function sumOf(rows: readonly { readonly bytes: number }[]): number {
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}
