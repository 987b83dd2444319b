/** What a pass of retention says to a person: pure. */
import { byteSize } from '@hearth/protocol/byte-size.ts';
import type { RetentionChoice, RetentionLimits, TrashChoice } from '@hearth/protocol/retention.ts';
import type { Overage } from './retention.ts';

type TrashLimits = Pick<RetentionLimits, 'days' | 'bytes'>;
type Words<R extends string, L> = Readonly<Record<R, (row: Told, limits: L) => string>>;

interface Told {
  readonly bytes: number;
  /** Whole days since its last event, or since it was put there. */
  readonly days: number;
}

const CHOICES: Words<RetentionChoice['reason'], RetentionLimits> = {
  default: () => 'It is the default conversation.',
  active: () => 'A turn is queued or running.',
  owing: () => 'It waits for an answer.',
  pinned: () => 'It is pinned.',
  in_hand: () => 'It was made or used just now.',
  within: () => 'It passes no limit.',
  age: ({ days }, limits) => `Nothing happened in it for ${days} days, and ${limits.days} are kept.`,
  too_large: ({ bytes }, limits) =>
    `It alone holds ${byteSize(bytes)}, and all together may hold ${byteSize(limits.bytes)}.`,
  count: (_, limits) => `There are more than ${limits.conversations}, and it is the oldest that may go.`,
  bytes: (_, limits) =>
    `Together they hold more than ${byteSize(limits.bytes)}, and it is the oldest that may go.`,
};

const TRASH: Words<TrashChoice['reason'], TrashLimits> = {
  newest: () => 'It is the latest, and keeps its days whatever its size.',
  within: () => 'It passes no limit.',
  age: ({ days }, limits) => `It has lain in the trash for ${days} days, and ${limits.days} are kept.`,
  bytes: (_, limits) => `The trash holds more than ${byteSize(limits.bytes)}, and others in it are newer.`,
};

/** Why a conversation stays or goes, one sentence. */
export function whyOf(reason: RetentionChoice['reason'], row: Told, limits: RetentionLimits): string {
  return CHOICES[reason](row, limits);
}

/** The same for what lies in the trash. */
export function whyInTrash(reason: TrashChoice['reason'], row: Told, limits: TrashLimits): string {
  return TRASH[reason](row, limits);
}

/** What is above the limits although everything that may go goes. */
export function overageWords({ conversations, bytes }: Overage, limits: RetentionLimits): readonly string[] {
  const more = [
    conversations > 0 &&
      `${conversations} more than ${limits.conversations} conversations stay, because they are protected.`,
    bytes > 0 &&
      `Protected conversations hold ${byteSize(bytes)} more than ${byteSize(limits.bytes)}; that is charged to no other.`,
  ];
  return more.filter(one => one !== false);
}

/** The most that a notice names one by one. */
const NAMED = 3;

/** The notice of what was removed, in the default conversation; `null` when nothing was. */
export function removalNotice(removed: readonly RetentionChoice[], days: number): string | null {
  const [first] = removed;
  if (first === undefined) return null;
  const named = removed
    .slice(0, NAMED)
    .map(({ title, conversation, why }) => `"${title}" (${conversation}): ${why}`);
  const rest = removed.length - named.length;
  const more = rest > 0 ? ` And ${rest} more; "hearth trash" shows them.` : '';
  const how = removed.length === 1 ? `"hearth restore ${first.conversation}"` : '"hearth restore ID"';
  const what = removed.length === 1 ? 'A conversation was' : `${removed.length} conversations were`;
  return `${what} moved to the trash. ${named.join(' ')}${more} ${how} brings one back for ${days} days.`;
}
