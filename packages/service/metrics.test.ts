import { TurnSettled } from '@hearth/conversations/metrics.ts';
import { MemoryBus } from '@hearth/conversations/memory-bus.ts';
import { HOME, message, type Sample, sample, textOfFile } from '@hearth/conversations/testing/sample-home.ts';
import type { Commit } from '@hearth/engine/commit.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, test } from 'vitest';
import { CountingStore } from './counting-store.ts';
import type { Log } from './log.ts';
import { MetricsFile, metricsPath } from './metrics.ts';
import { ObservedBus } from './observed-bus.ts';

/* That a turn has one row, whatever stopped the service and when. */

const silent: Log = { write: () => undefined, close: () => Promise.resolve() };
const PATH = metricsPath(HOME);
const AT = '2026-01-01T00:00:00.000Z';

interface Counted extends Sample {
  readonly metrics: MetricsFile;
  end(): Promise<void>;
}

async function counted(disk: SimDisk): Promise<Counted> {
  const clock = new SimClock();
  const metrics = new MetricsFile(disk, HOME, () => null, silent);
  const store = new CountingStore({ disk, clock, home: HOME }, metrics);
  const bus = new ObservedBus(new MemoryBus(), (c, frame) => metrics.take(c, frame));
  const home = sample({ disk, clock, wrap: () => ({ store, blobs: store.blobs, bus }) });
  await home.conversations.initialise();
  await home.conversations.resume();
  const end = async (): Promise<void> => {
    await home.conversations.closeAll();
    await metrics.close();
  };
  return { ...home, metrics, end };
}

async function rowsOn(disk: SimDisk): Promise<TurnSettled[]> {
  const lines = (await textOfFile(disk, PATH)).split('\n').slice(0, -1);
  return lines.map(line => TurnSettled.parse(JSON.parse(line)));
}

/** Two turns of one conversation, which comes to rest after each. */
async function work(disk: SimDisk): Promise<void> {
  try {
    const home = await counted(disk);
    const lane = await home.conversations.lane(await home.conversations.default());
    for (const text of ['one', 'two']) {
      await lane.send(message(text));
      await lane.settled();
    }
    await home.end();
  } catch (refused) {
    // On a disk that stops, whatever fails fails because of that.
    if (disk.stoppedBefore === null) throw refused;
  }
}

/** The turns that ended, by what the conversation itself tells. */
async function ended({ conversations }: Counted): Promise<(string | undefined)[]> {
  const lane = await conversations.lane(await conversations.default());
  await lane.settled();
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  return page.events.flatMap(({ event }) =>
    event.type === 'turn' && ['completed', 'failed', 'cancelled'].includes(event.change) ? [event.turn] : [],
  );
}

test('a crash before any call to the disk leaves one row for each turn, and only whole ones', async () => {
  let [rowed, refilled] = [0, 0];
  await enumerateCrashes({
    seeds: [0, 3],
    progress: () => null,
    setup: async disk => (await counted(disk)).end(),
    act: work,
    check: async disk => {
      const before = (await textOfFile(disk, PATH)).split('\n').length - 1;
      const home = await counted(disk);
      const turns = await ended(home);
      await home.end();
      const rows = await rowsOn(disk);
      expect(rows.map(row => row.turn)).toEqual(turns);
      for (const row of rows) expect(row).toMatchObject({ outcome: 'completed', tools: {} });
      rowed += rows.length;
      refilled += rows.length - before;
    },
  });
  // Both happen: rows that were there are not doubled, and those that were not are made again.
  expect(refilled).toBeGreaterThan(0);
  expect(rowed).toBeGreaterThan(refilled);
});

test('a row that the file before this one holds is not made again', async () => {
  const disk = new SimDisk();
  const row = (turn: string): object => ({
    type: 'turn',
    turn,
    change: 'completed',
    message: 'm1',
    v: 1,
    at: AT,
  });
  const c = 'c_01jd0000000000000000000000';
  const commits = [
    {
      events: [
        { ...row('t1'), seq: 1 },
        { ...row('t2'), seq: 2 },
      ],
    },
  ] as unknown as Commit[];
  const first = new MetricsFile(disk, HOME, () => null, silent);
  first.opened(c, commits);
  await first.close();
  await disk.rename(PATH, `${PATH}.1`);
  const second = new MetricsFile(disk, HOME, () => null, silent);
  second.opened(c, commits);
  await second.close();
  expect(await disk.read(PATH)).toBeNull();
});
