import { benchHome, send } from './home.ts';
import { rawAppends } from './raw.ts';
import type { Row } from './row.ts';
import { many, quantile, row, timed } from './row.ts';

/* How long it takes until a message is durable: alone, and when many come at once and share their syncs. */

const ALONE = 300;
const AT_ONCE = 50;
const GROUPS = 20;

export async function accepting(): Promise<readonly Row[]> {
  const home = await benchHome();
  await home.turn('warm up');
  const raw = await rawAppends(ALONE);
  const ours = await many(ALONE, () => send(home.lane, 'a message that waits or starts a turn'));
  await home.close();
  return [
    row('accept a message durably, p50', quantile(ours, 0.5), quantile(raw, 0.5)),
    row('accept a message durably, p99', quantile(ours, 0.99), quantile(raw, 0.99)),
  ];
}

/** Messages of a second: ours at once, against the same number of lines with one sync for each group. */
export async function grouped(): Promise<readonly Row[]> {
  const home = await benchHome();
  await home.turn('warm up');
  const raw = await rawAppends(GROUPS, AT_ONCE);
  const ours = await many(GROUPS, () =>
    Promise.all(Array.from({ length: AT_ONCE }, () => send(home.lane, 'one of many'))),
  );
  const settling = await timed(() => home.close());
  const rate = (times: readonly number[]): number => AT_ONCE / (quantile(times, 0.5) / 1000);
  return [
    row(`durable messages a second, ${AT_ONCE} at once`, rate(ours), rate(raw), '/s'),
    row('closing after them', settling, null),
  ];
}
