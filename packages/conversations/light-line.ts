/**
 * A commit of a run that is too large to be kept whole, made light: how the run, its turns, pauses and effects went stays, what
 * they gave goes. Only where even the steps from node to node are too many do these go as well, which `thin` says. Pure.
 */
import type { Entry } from '@hearth/engine/entry.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { EffectId } from '@hearth/protocol/ids.ts';
import type { TraceLine } from './ports.ts';

/** No entry or event that only tells how something went is longer, in characters. */
const LONG = 4096;

/** The line with what fits into `limit` characters; `cut` is what it had. */
export function lightLine(line: TraceLine, cut: number, limit: number): TraceLine {
  const entries = bareEntries(line.entries);
  const events = line.events.filter(isShort);
  const whole: TraceLine = { ...line, entries, events, cut };
  if (sizeOf(whole) <= limit) return whole;
  const marks = events.filter(event => event.type !== 'node' && event.type !== 'tool');
  const thin: TraceLine = { ...line, entries: [], events: [], cut, thin: true };
  return { ...thin, events: lastThat(marks, limit - sizeOf(thin)) };
}

/** What was worked out at once is told by its node alone, so that nothing of it need stay. */
function bareEntries(entries: readonly Entry[]): Entry[] {
  const computed = new Set<EffectId>();
  const kept: Entry[] = [];
  for (const entry of entries) {
    if (entry.is === 'intended' && entry.effect.kind === 'compute') computed.add(entry.effect.id);
    else if (entry.is !== 'ended') kept.push(entry);
    else if (!computed.has(entry.effect)) kept.push(withoutOutput(entry));
  }
  return kept.filter(isShort);
}

function withoutOutput(entry: Extract<Entry, { is: 'ended' }>): Entry {
  return entry.outcome.is === 'done' ? { ...entry, outcome: { is: 'done', output: {} } } : entry;
}

function isShort(one: Entry | Event): boolean {
  return sizeOf(one) <= LONG;
}

/** The last of them that fit: how it came out says more than how it began. */
function lastThat(events: readonly Event[], limit: number): Event[] {
  let left = limit;
  let from = events.length;
  for (; from > 0; from -= 1) {
    const event = events[from - 1];
    left -= event === undefined ? 0 : sizeOf(event) + 1;
    if (left < 0) break;
  }
  return events.slice(from);
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
