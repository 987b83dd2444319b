import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { World } from './world.ts';

/** For tests: a page of a world's history, as the service gives it: of one epoch, whole commits, begun by what was said. */
export function historyOf({ words }: World, before: number | null, turns: number): HistoryPage {
  const rows = words.filter(({ line }) => line.seq < (before ?? Number.POSITIVE_INFINITY));
  const epoch = rows.at(-1)?.epoch ?? 1;
  const own = rows.filter(row => row.epoch === epoch);
  const said = own.filter(({ line }) => line.is === 'said');
  const from = said.length < turns ? 0 : (said.at(-turns)?.line.seq ?? 0);
  const items = own.filter(({ line }) => line.seq >= from).map(({ line }) => line);
  const first = items[0]?.seq ?? 0;
  const hasOlder = rows.some(({ line }) => line.seq < first);
  return { epoch, items, previous: hasOlder ? first : null, hasOlder, end: hasOlder ? null : 'beginning' };
}
