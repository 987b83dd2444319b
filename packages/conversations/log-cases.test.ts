import type { BackendEvent } from '@hearth/engine/backend.ts';
import { formatCursor, parseCursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { epochPath, laneOf, seqs } from './testing/lanes.ts';
import { ada, done, HOME, message, session, started, textOfFile } from './testing/sample-home.ts';

/* The cases of the log and its cursors, 21 to 30, by their numbers. */

const seqOf = (cursor: string): number => parseCursor(cursor)!.seq;
const bare = () => ({ commandId: message('').commandId, actor: ada });

async function say(lane: Lane, text: string): Promise<void> {
  await lane.send(message(text));
  await lane.settled();
}

/** Talks until the log was trimmed. */
async function trimmed(lane: Lane): Promise<void> {
  const { retained } = lane.view();
  while (lane.view().retained === retained) await say(lane, 'more');
}

async function eventsOf(lane: Lane, after: string | null = null) {
  const page = await lane.page(after, 1000);
  if ('code' in page) throw new Error(page.code);
  return page.events;
}

/** Numbers from one to another without a gap. */
const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

it('29: one turn of 5 000 events leaves a bounded log, and everybody sees how it ended', {
  timeout: 120_000,
}, async () => {
  async function* script(): AsyncGenerator<BackendEvent> {
    yield session;
    for (let step = 0; step < 5000; step += 1) {
      yield { type: 'narration', text: `step ${step}` };
    }
    yield done('at last');
  }
  const home = await started({ script });
  const lane = await laneOf(home);
  const early: Frame[] = [];
  await lane.attach(null, frame => early.push(frame));
  await lane.send(message('go'));
  const late: Frame[] = [];
  await expect.poll(() => early.length).toBeGreaterThan(2000);
  await lane.attach(null, frame => late.push(frame));
  await lane.settled();
  for (const frames of [early, late]) {
    const [first = 0] = seqs(frames);
    expect(seqs(frames)).toEqual(run(first, seqOf(lane.view().head)));
    expect(JSON.stringify(frames.slice(-10))).toContain('"change":"completed"');
  }
  expect(seqs(early).length).toBeGreaterThan(5000);
  const events = await eventsOf(lane);
  expect(events.length).toBeLessThan(520);
  expect(events.map(({ event }) => event.seq)).toContain(seqOf(lane.view().head));
  const held = (await textOfFile(home.disk, `${epochPath(lane.id)}/events.jsonl`)).split('\n').length;
  expect(held).toBeLessThan(520);
});

describe('a trimmed log', () => {
  it('21: keeps the last 400 in one rewrite, begins after the last one dropped, and numbers on', async () => {
    const home = await started();
    const lane = await laneOf(home);
    let most = 0;
    await lane.attach(null, () => {
      if (seqOf(lane.view().retained) === 0) most = seqOf(lane.view().head);
    });
    await trimmed(lane);
    // The trim goes on beside the turn that made it due.
    expect(most).toBeGreaterThan(500);
    expect(most).toBeLessThan(520);
    const { retained, head } = lane.view();
    const events = await eventsOf(lane);
    expect(events.length).toBeGreaterThanOrEqual(400);
    expect(events.length).toBeLessThan(420);
    expect(events.map(({ event }) => event.seq)).toEqual(run(seqOf(retained) + 1, seqOf(head)));
    await say(lane, 'after');
    expect((await eventsOf(lane, head))[0]!.event.seq).toBe(seqOf(head) + 1);
    const [header] = (await textOfFile(home.disk, `${epochPath(lane.id)}/events.jsonl`)).split('\n');
    expect(JSON.parse(header!)).toMatchObject({ log: 1, epoch: 1, after: { seq: seqOf(retained) } });
  });

  it('23: goes on from a cursor at the boundary, and tells one below it where that is', async () => {
    const home = await started();
    const lane = await laneOf(home);
    const frames: Frame[] = [];
    const off = await lane.attach(null, frame => frames.push(frame));
    await trimmed(lane);
    off();
    const { retained } = lane.view();
    const kept = (await eventsOf(lane)).map(({ event }) => event.seq);
    expect((await eventsOf(lane, retained)).map(({ event }) => event.seq)).toEqual(kept);
    const below = frames.flatMap(frame =>
      frame.frame === 'event' && frame.event.seq === seqOf(retained) - 1 ? [frame.cursor] : [],
    );
    expect(await lane.page(below[0]!, 10)).toMatchObject({
      code: 'cursor_expired',
      resetCursor: retained,
      stateCursor: lane.view().head,
    });
    const late: Frame[] = [];
    await lane.attach(below[0]!, frame => late.push(frame));
    expect(late[0]).toMatchObject({ frame: 'recover', recovery: { code: 'cursor_expired' } });
    expect(seqs(late)).toEqual(kept);
  });

  it('25: is read from its boundary by whoever brings no cursor, and nothing is said to have expired', async () => {
    const lane = await laneOf(await started());
    await trimmed(lane);
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    expect(frames.every(({ frame }) => frame === 'event')).toBe(true);
    expect(seqs(frames)[0]).toBe(seqOf(lane.view().retained) + 1);
  });

  it('26: answers an old cursor the same, wherever the trim was stopped', async () => {
    const home = await started();
    const lane = await laneOf(home);
    while (seqOf(lane.view().head) < 490) await say(lane, 'more');
    const before = home.disk.crash({ seed: 1 });
    for (let call = 1, stopped = true; stopped; call += 5) {
      const disk = before.crash({ seed: 1 });
      const at = await laneOf(await started({ disk }));
      const old = (await eventsOf(at))[0]!.cursor;
      disk.crashBefore(disk.calls + call);
      for (let turn = 0; turn < 3; turn += 1) await say(at, 'on').catch(() => undefined);
      stopped = disk.stoppedBefore !== null;
      for (const seed of [0, 1, 2]) {
        const again = await laneOf(await started({ disk: disk.crash({ seed }) }));
        const page = await again.page(old, 1000);
        const gone = seqOf(again.view().retained) > seqOf(old);
        if (gone) expect(page).toMatchObject({ code: 'cursor_expired' });
        else expect('events' in page && page.events[0]!.event.seq).toBe(seqOf(old) + 1);
      }
    }
  });
});

describe('numbers', () => {
  it('22: rise over trims, restarts and resets, and none is given twice', async () => {
    const home = await started();
    let at = home;
    const seen: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const lane = await laneOf(at);
      await lane.attach(null, frame => {
        if (frame.frame === 'event' && frame.event.seq > (seen.at(-1) ?? 0)) seen.push(frame.event.seq);
      });
      await trimmed(lane);
      await lane.reset(bare());
      await at.conversations.closeAll();
      at = await started({ disk: home.disk, clock: home.clock });
    }
    expect(seen).toEqual(run(1, seen.length));
    expect(seen.length).toBeGreaterThan(1200);
  });

  it('24: beyond the head, garbage and another conversation’s are told apart', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await say(lane, 'one');
    const { head } = lane.view();
    const ahead = formatCursor({ ...parseCursor(head)!, seq: seqOf(head) + 1 });
    const codes = await Promise.all(
      [ahead, 'x', '1.2', `1.1.${'a'.repeat(10_000)}`].map(async cursor => lane.page(cursor, 10)),
    );
    expect(codes.map(page => ('code' in page ? page.code : 'events'))).toEqual([
      'cursor_ahead',
      'cursor_invalid',
      'cursor_invalid',
      'cursor_invalid',
    ]);
    await expect(home.conversations.lane('c_0000000000000000000000000z')).rejects.toMatchObject({
      code: 'unknown_conversation',
    });
  });
});

describe('a stop', () => {
  it('27: with a torn last line is mended before the next append, and what it cut off can be read at once', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await say(lane, 'one');
    const files = ['events.jsonl', 'transcript.jsonl'];
    await home.conversations.closeAll();
    for (const file of files) {
      const path = `${epochPath(lane.id)}/${file}`;
      const text = await textOfFile(home.disk, path);
      await home.disk.write(path, new TextEncoder().encode(`${text}{"v":1,"seq":9`));
    }
    const again = await laneOf(await started({ disk: home.disk }));
    await say(again, 'two');
    expect((await eventsOf(again)).map(({ event }) => event.seq)).toEqual(run(1, seqOf(again.view().head)));
    for (const file of files) {
      const lines = (await textOfFile(home.disk, `${epochPath(lane.id)}/${file}`)).trimEnd().split('\n');
      for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  it('28: before any call while the record is written leaves the conversation', async () => {
    const home = await started();
    const { view } = await home.conversations.create({ ...bare(), scope: { kind: 'global' }, title: 'A' });
    await home.conversations.closeAll();
    for (let call = 1, stopped = true; stopped; call += 1) {
      const disk = home.disk.crash({ seed: 1 });
      const lane = await (await started({ disk })).conversations.lane(view.id);
      disk.crashBefore(disk.calls + call);
      await lane.change({ ...bare(), title: 'B' }).catch(() => undefined);
      stopped = disk.stoppedBefore !== null;
      const { conversations } = await started({ disk: disk.crash({ seed: call % 4 }) });
      const { rows, damaged } = await conversations.list({});
      expect(damaged).toEqual([]);
      expect(['A', 'B']).toContain(rows.find(row => row.id === view.id)?.title);
      await conversations.lane(view.id);
    }
    expect(await home.disk.list(`${HOME}/quarantine`)).toEqual([]);
  });
});
