import { formatCursor } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { EventLog, headerOf } from './event-log.ts';

const PATH = '/events.jsonl';
const LINES = 12;
const KEPT = 5;
const zero = { epoch: 1, seq: 0, check: '000000' };

const events = Array.from({ length: LINES }, (_, index): Event => {
  const seq = index + 1;
  return {
    v: 1,
    seq,
    at: '2026-07-01T00:00:00.000Z',
    type: 'notice',
    code: 'told',
    severity: 'info',
    text: `${seq}`,
  };
});

async function logOf(disk = new SimDisk()): Promise<EventLog> {
  await disk.write(PATH, new TextEncoder().encode(`${JSON.stringify(headerOf(zero))}\n`));
  const { log } = await EventLog.open(disk, PATH, zero, () => undefined);
  log.push(events);
  return log;
}

describe('a page that is read while the log is trimmed', () => {
  it.each([
    ['without a cursor', null],
    ['from the old boundary', formatCursor(zero)],
  ])('%s is whole, or told to begin at the new one', async (_, after) => {
    for (let moments = 0; moments < 60; moments += 1) {
      const log = await logOf();
      const trimmed = log.trim(KEPT);
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      const page = await log.page(after, 100);
      await trimmed;
      if ('code' in page) {
        // Whoever named no cursor has none that could have expired.
        expect(after, `after ${moments} moments`).not.toBeNull();
        expect(page).toMatchObject({ code: 'cursor_expired', resetCursor: formatCursor(log.boundary) });
      } else {
        const seqs = page.events.map(({ event }) => event.seq);
        expect([LINES, KEPT], `after ${moments} moments`).toContain(seqs.length);
        expect(seqs).toEqual(events.slice(-seqs.length).map(({ seq }) => seq));
      }
      expect(log.boundary.check).not.toBe('000000');
    }
  });
});

describe('what was trimmed', () => {
  const linesIn = async (disk: SimDisk): Promise<number> =>
    new TextDecoder()
      .decode((await disk.read(PATH))!)
      .trimEnd()
      .split('\n').length;

  it('leaves the file when that is made durable, and not before', async () => {
    const disk = new SimDisk();
    const log = await logOf(disk);
    await log.sync();
    await log.trim(KEPT);
    expect(await linesIn(disk)).toBe(1 + LINES);
    const { log: again } = await EventLog.open(disk.crash({ seed: 0 }), PATH, zero, () => undefined);
    expect(again.boundary).toEqual(zero);
    await log.sync();
    expect(await linesIn(disk)).toBe(1 + KEPT);
    const { log: after } = await EventLog.open(disk.crash({ seed: 0 }), PATH, zero, () => undefined);
    expect(after.boundary).toEqual(log.boundary);
  });

  it('stays in a file that cannot be replaced, which is durable all the same, and leaves it later', async () => {
    const disk = new SimDisk();
    const log = await logOf(disk);
    await log.trim(KEPT);
    disk.failNext('rename', 'disk_full');
    await log.sync();
    const left = disk.crash({ seed: 0 });
    expect(await linesIn(left)).toBe(1 + LINES);
    await log.sync();
    expect(await linesIn(disk)).toBe(1 + KEPT);
  });

  it('is all but the last so many events, whatever came in one commit', async () => {
    const log = await logOf();
    for (let more = LINES + 1; more <= 60; more += 3) {
      log.push([0, 1, 2].map(nth => ({ ...events[0]!, seq: more + nth })));
    }
    await log.trim(20);
    const page = await log.page(null, 100);
    const seqs = 'code' in page ? [] : page.events.map(({ event }) => event.seq);
    expect(seqs).toEqual(Array.from({ length: 20 }, (_, index) => log.head.seq - 19 + index));
  });
});
