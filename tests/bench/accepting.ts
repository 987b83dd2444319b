import { join } from 'node:path';
import { Journal } from '@hearth/store/journal.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { z } from 'zod';
import { tempDirectory } from '../support/temp.ts';
import { benchHome, send } from './home.ts';
import { rawAppends } from './raw.ts';
import type { Row } from './row.ts';
import { many, quantile, row, timed } from './row.ts';

/* How long it takes until a message is durable: alone, and when many come at once and share their syncs. */

const ALONE = 300;
const AT_ONCE = 50;
const GROUPS = 20;

const Line = z.object({ n: z.int(), text: z.string() });

/** While the backend thinks: what a person waits for who writes on. */
async function beside(raw: readonly number[]): Promise<readonly Row[]> {
  const home = await benchHome();
  await home.turn('warm up');
  const ours: number[] = [];
  // No more may wait than a conversation takes, so each stretch is worked off before the next.
  for (let sent = 0; sent < ALONE; sent += AT_ONCE) {
    const thought = Promise.withResolvers<void>();
    home.think(thought.promise);
    await send(home.lane, 'a message that starts a turn');
    ours.push(...(await many(AT_ONCE, () => send(home.lane, 'a message that waits'))));
    home.think(null);
    thought.resolve();
    await home.lane.settled();
  }
  await home.close();
  return [
    row('accept a message durably, p50', quantile(ours, 0.5), quantile(raw, 0.5), 'ms', '≤ 3 ×'),
    row('accept a message durably, p99', quantile(ours, 0.99), quantile(raw, 0.99), 'ms', '≤ 15 ms'),
  ];
}

/** With a backend that answers at once: each message meets the writes of the turns before it. */
async function among(raw: readonly number[]): Promise<Row> {
  const home = await benchHome();
  await home.turn('warm up');
  const ours: number[] = [];
  for (let sent = 0; sent < ALONE; sent += AT_ONCE) {
    ours.push(...(await many(AT_ONCE, () => send(home.lane, 'a message that waits or starts a turn'))));
    await home.lane.settled();
  }
  await home.close();
  return row('the same, while turn follows turn, p50', quantile(ours, 0.5), quantile(raw, 0.5));
}

export async function accepting(): Promise<readonly Row[]> {
  const raw = await rawAppends(ALONE);
  return [...(await beside(raw)), await among(raw)];
}

/** Lines a second: the journal's, appended at once, against the same bytes with one sync for each group. */
async function journalled(): Promise<Row> {
  const path = join(tempDirectory('bench'), 'journal.1.jsonl');
  const quarantine = (): Promise<void> => Promise.reject(new Error('the journal is damaged'));
  const { journal } = await Journal.open(nodeDisk, path, { schema: Line, after: 0, quarantine });
  const text = 'x'.repeat(500);
  const raw = await rawAppends(GROUPS, AT_ONCE);
  let n = 0;
  const ours = await many(GROUPS, () => {
    const lines = Array.from({ length: AT_ONCE }, () => ({ n: ++n, text }));
    return Promise.all(lines.map(line => journal.append(line)));
  });
  await journal.close();
  return row(`journal lines a second, ${AT_ONCE} at once`, rate(ours), rate(raw), '/s', '≥ 0.5 ×');
}

/** Whole messages, of which each is judged, and the first of which sets turns going. */
async function messages(): Promise<Row> {
  const home = await benchHome();
  await home.turn('warm up');
  const ours: number[] = [];
  for (let group = 0; group < GROUPS; group += 1) {
    const messages = Array.from({ length: AT_ONCE }, (_, nth) => `one of many ${nth}`);
    ours.push(await timed(() => Promise.all(messages.map(text => send(home.lane, text)))));
    await home.lane.settled();
  }
  await home.close();
  return row(`messages accepted a second, ${AT_ONCE} at once`, rate(ours), null, '/s');
}

export async function grouped(): Promise<readonly Row[]> {
  return [await journalled(), await messages()];
}

function rate(times: readonly number[]): number {
  return AT_ONCE / (quantile(times, 0.5) / 1000);
}
