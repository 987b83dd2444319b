import type { Frame } from '@hearth/protocol/frame.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Attachment } from './attachment.ts';
import { HOME, message, type Sample, started, textOfFile } from './testing/sample-home.ts';

const encoder = new TextEncoder();

/** A home whose conversation has had some turns; `path` is its epoch's directory. */
async function spoken(turns: number): Promise<Sample & { path: string }> {
  const home = await started();
  const id = await home.conversations.default();
  const lane = await home.conversations.lane(id);
  for (let turn = 1; turn <= turns; turn += 1) {
    await lane.send(message(`message ${turn}`));
    await lane.settled();
  }
  return { ...home, path: `${HOME}/conversations/${id}/epochs/1` };
}

async function reopened(home: Sample) {
  const { conversations } = await started({ disk: home.disk, clock: home.clock });
  return conversations.lane(await conversations.default());
}

type Lane = Awaited<ReturnType<typeof reopened>>;

async function story(lane: Lane) {
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  return { events: page.events, words: (await lane.history(null, 1000)).items, view: lane.view() };
}

/** A home that stopped with commits in its journal. */
async function unsettled(): Promise<Sample & { path: string }> {
  const home = await spoken(2);
  const lane = await home.conversations.lane(await home.conversations.default());
  home.disk.failNext('rename', 'disk_failed');
  await lane.send(message('last'));
  await lane.settled();
  expect((await home.disk.list(home.path)).filter(name => name.startsWith('journal'))).toHaveLength(1);
  return home;
}

describe.each(['events.jsonl', 'transcript.jsonl'])('%s', name => {
  it('that lost its unsynced end anywhere is refilled from the journal', async () => {
    const home = await unsettled();
    const path = `${home.path}/${name}`;
    const whole = await textOfFile(home.disk, path);
    const reference = await story(await reopened({ ...home, disk: home.disk.crash({ seed: 1 }) }));
    const snapshot: { seq: number } = JSON.parse(await textOfFile(home.disk, `${home.path}/snapshot.json`));
    const synced = whole
      .split('\n')
      .findIndex(
        line =>
          line.includes('"seq":') &&
          !line.includes('"log"') &&
          Number(/"seq":(\d+)/.exec(line)?.[1]) > snapshot.seq,
      );
    const start = whole.split('\n').slice(0, synced).join('\n').length + 1;
    for (let cut = start; cut < whole.length; cut += 37) {
      const disk = home.disk.crash({ seed: 1 });
      await disk.truncate(path, cut);
      expect(await story(await reopened({ ...home, disk }))).toEqual(reference);
    }
    // A write that was lost with a later one kept reads as zeros.
    const disk = home.disk.crash({ seed: 1 });
    await disk.write(
      path,
      encoder.encode(`${whole.slice(0, start)}${'\0'.repeat(40)}${whole.slice(start + 40)}`),
    );
    expect(await story(await reopened({ ...home, disk }))).toEqual(reference);
  });
});

describe('events.jsonl', () => {
  it('that is gone begins anew at the snapshot, and the words stay', async () => {
    const home = await spoken(2);
    const words = (
      await (await home.conversations.lane(await home.conversations.default())).history(null, 10)
    ).items;
    await home.conversations.closeAll();
    await home.disk.remove(`${home.path}/events.jsonl`);
    const lane = await reopened(home);
    expect((await lane.history(null, 10)).items).toEqual(words);
    const { events } = await story(lane);
    expect(events).toMatchObject([{ event: { type: 'notice', code: 'event_log_lost' } }]);
    expect(await lane.page('1.3.aaaaaa', 10)).toMatchObject({ code: 'cursor_expired' });
  });

  it('with a damaged line inside never skips it silently', async () => {
    const home = await spoken(2);
    await home.conversations.closeAll();
    const path = `${home.path}/events.jsonl`;
    const lines = (await textOfFile(home.disk, path)).split('\n');
    lines[6] = lines[6]!.replace('"seq"', '"sq"');
    await home.disk.write(path, encoder.encode(lines.join('\n')));
    const lane = await reopened(home);
    const frames: Frame[] = [];
    await lane.attach('1.0.000000', frame => frames.push(frame));
    expect(frames.map(frame => frame.frame)).toContain('recover');
    const after = frames.slice(frames.findIndex(frame => frame.frame === 'recover') + 1);
    expect(after.map(frame => frame.frame === 'event' && frame.event.seq)).toEqual(
      after.map((_, index) => 7 + index),
    );
    expect((await home.disk.list(`${HOME}/quarantine`)).length).toBe(1);
  });
});

describe('the journal', () => {
  it('with damage inside opens before it, sets the rest aside, says so, and gives no number out twice', async () => {
    const home = await unsettled();
    const [name] = (await home.disk.list(home.path)).filter(file => file.startsWith('journal'));
    const path = `${home.path}/${name}`;
    const before = await story(await reopened({ ...home, disk: home.disk.crash({ seed: 1 }) }));
    const text = await textOfFile(home.disk, path);
    const lines = text.split('\n');
    expect(lines.length).toBeGreaterThan(3);
    lines[1] = lines[1]!.replace('"n":', '"m":');
    await home.disk.write(path, encoder.encode(lines.join('\n')));
    const lane = await reopened(home);
    const { events, view } = await story(lane);
    expect(view.pauses).toMatchObject([{ kind: 'recovery', cause: 'damaged' }]);
    const first = events[0]!.event.seq;
    expect(first).toBeGreaterThan(before.events.at(-1)!.event.seq);
    expect(await lane.page(before.events.at(-1)!.cursor, 10)).toMatchObject({ code: 'epoch_changed' });
    expect(await lane.page(before.events[0]!.cursor, 10)).toMatchObject({ code: 'cursor_expired' });
    const [set] = await home.disk.list(`${HOME}/quarantine`);
    expect(await textOfFile(home.disk, `${HOME}/quarantine/${set}/${name}`)).toContain('"m":');
    const again = await started({ disk: home.disk, clock: home.clock });
    const asked = await again.conversations.lane(lane.id);
    expect((await story(asked)).events).toEqual(events);
    // What was under way may have run in the lost part, so nothing runs before a person has said so.
    expect(again.backend.turns).toHaveLength(0);
    const { commandId, actor } = message('');
    await asked.decide({
      commandId,
      actor,
      pause: view.pauses[0]!.id,
      act: { do: 'answer', option: 'go_on' },
    });
    await asked.settled();
    expect(again.backend.turns).toHaveLength(1);
  });

  it('that grows past its limit is cut by a snapshot although something runs', async () => {
    const gate = Promise.withResolvers<void>();
    const home = await started({
      async *script() {
        yield { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };
        for (let step = 0; step < 24; step += 1) yield { type: 'narration', text: 'x'.repeat(60_000) };
        await gate.promise;
      },
    });
    const lane = await home.conversations.lane(await home.conversations.default());
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    await lane.send(message('go'));
    while (frames.filter(frame => frame.frame === 'event' && frame.event.type === 'narration').length < 24) {
      await new Promise(resolve => setImmediate(resolve));
    }
    await new Promise(resolve => setImmediate(resolve));
    const path = `${HOME}/conversations/${lane.id}/epochs/1`;
    const journals = (await home.disk.list(path)).filter(name => name.startsWith('journal'));
    expect(journals).toEqual(['journal.2.jsonl']);
    expect((await home.disk.stat(`${path}/journal.2.jsonl`))!.bytes).toBeLessThan(1024 * 1024);
    const crashed = await reopened({ ...home, disk: home.disk.crash({ seed: 0 }) });
    expect(crashed.view().pauses).toMatchObject([{ kind: 'recovery' }]);
    expect((await story(crashed)).events.filter(({ event }) => event.type === 'narration')).toHaveLength(24);
  });
});

describe('a snapshot that fails', () => {
  it.each(['rename', 'syncDirectory', 'remove', 'syncFile', 'write'] as const)(
    'at %s loses nothing',
    async call => {
      const home = await spoken(1);
      const lane = await home.conversations.lane(await home.conversations.default());
      // The chat pause opens in the commit that the snapshot follows.
      const off = await lane.attach(lane.view().head, frame => {
        if (frame.frame === 'event' && frame.event.type === 'pause.opened')
          home.disk.failNext(call, 'disk_failed');
      });
      await lane.send(message('message 2'));
      await lane.settled();
      off();
      const reply = await lane.send(message('message 3'));
      await lane.settled();
      expect(reply.refused).toBeUndefined();
      for (const seed of [0, 1, 2]) {
        const survivor = await reopened({ ...home, disk: home.disk.crash({ seed }) });
        const said = (await survivor.history(null, 10)).items.flatMap(line =>
          line.is === 'said' ? [line.text] : [],
        );
        expect(said).toEqual(['message 1', 'message 2', 'message 3']);
        expect(survivor.view()).toMatchObject({ state: 'idle', turn: null });
      }
    },
  );
});

describe('a log that cannot be written', () => {
  it('is read from memory until it can', async () => {
    const home = await spoken(1);
    const lane = await home.conversations.lane(await home.conversations.default());
    const real = home.disk.append.bind(home.disk);
    let broken = true;
    home.disk.append = path =>
      broken && path.endsWith('events.jsonl') ? Promise.reject(new Error('no room')) : real(path);
    const { head } = lane.view();
    await lane.send(message('message 2'));
    const page = await lane.page(head, 500);
    expect('events' in page && page.events[0]?.event).toMatchObject({ type: 'message', text: 'message 2' });
    broken = false;
    await lane.settled();
    await lane.ready();
    await lane.send(message('message 3'));
    await lane.settled();
    expect((await story(lane)).events.map(({ event }) => event.seq)).toEqual(
      Array.from({ length: parseCursor(lane.view().head)!.seq }, (_, index) => index + 1),
    );
  });
});

describe('attaching', () => {
  it('never shows a gap or a double, however reading and writing interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30 }),
        fc.array(fc.constantFrom('publish', 'yield', 'lose'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (before, acts, hops) => {
          const log: number[] = Array.from({ length: before }, (_, index) => index + 1);
          const listeners = new Set<(frame: Frame) => void>();
          const frameOf = (seq: number): Frame => ({
            frame: 'event',
            cursor: `1.${seq}.aaaaaa`,
            event: { v: 1, seq, at: '', type: 'notice', code: 'x', severity: 'info', text: '' },
          });
          const seen: number[] = [];
          const attached = Attachment.begin(
            {
              async page(after, limit) {
                const from = after === null ? 0 : parseCursor(after)!.seq;
                const events = log.slice(from, from + Math.min(limit, 7)).map(seq => {
                  const frame = frameOf(seq);
                  if (frame.frame !== 'event') throw new Error();
                  return { cursor: frame.cursor, event: frame.event };
                });
                const head = `1.${log.length}.aaaaaa`;
                for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
                return {
                  events,
                  next: events.at(-1)?.cursor ?? `1.${from}.aaaaaa`,
                  head,
                  retained: '1.0.000000',
                };
              },
              subscribe(on) {
                listeners.add(on);
                return () => listeners.delete(on);
              },
            },
            null,
            { on: frame => frame.frame === 'event' && seen.push(frame.event.seq) },
          );
          for (const act of acts) {
            if (act === 'yield') await Promise.resolve();
            else {
              log.push(log.length + 1);
              if (act === 'publish') for (const on of listeners) on(frameOf(log.length));
            }
          }
          await attached;
          // Whatever the bus lost is found when the next frame shows that it is missing.
          log.push(log.length + 1);
          for (const on of listeners) on(frameOf(log.length));
          for (let hop = 0; hop < 100; hop += 1) await Promise.resolve();
          expect(seen).toEqual(log);
        },
      ),
      { numRuns: 300 },
    );
  });
});
