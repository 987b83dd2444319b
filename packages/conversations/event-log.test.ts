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

async function logOf(): Promise<EventLog> {
  const disk = new SimDisk();
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
