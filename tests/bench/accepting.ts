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
  const ours: number[] = [];
  // No more may wait than a conversation takes, so each stretch is worked off before the next.
  for (let sent = 0; sent < ALONE; sent += AT_ONCE) {
    ours.push(...(await many(AT_ONCE, () => send(home.lane, 'a message that waits or starts a turn'))));
    await home.lane.settled();
  }
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
  const ours: number[] = [];
  for (let group = 0; group < GROUPS; group += 1) {
    const messages = Array.from({ length: AT_ONCE }, (_, nth) => `one of many ${nth}`);
    ours.push(await timed(() => Promise.all(messages.map(text => send(home.lane, text)))));
    await home.lane.settled();
  }
  await home.close();
  const rate = (times: readonly number[]): number => AT_ONCE / (quantile(times, 0.5) / 1000);
  return [row(`durable messages a second, ${AT_ONCE} at once`, rate(ours), rate(raw), '/s')];
}
