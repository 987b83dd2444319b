import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import {
  ada,
  HOME,
  message,
  sample,
  type Sample,
  session,
  started,
  textOfFile,
} from './testing/sample-home.ts';

/* Homes whose files are not of one moment: copies that were taken while Hearth wrote, backups, files that were lost. */

const encoder = new TextEncoder();
const copy = (disk: SimDisk): SimDisk => disk.crash({ seed: 1 });

async function laneOf(home: Sample) {
  return home.conversations.lane(await home.conversations.default());
}
async function path(home: Sample): Promise<string> {
  return `${HOME}/conversations/${await home.conversations.default()}/epochs/1`;
}
async function boot(disk: SimDisk) {
  const home = await started({ disk });
  return { home, lane: await laneOf(home) };
}
type Lane = Awaited<ReturnType<typeof laneOf>>;
async function eventsOf(lane: Lane) {
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  return page.events;
}
const words = async (lane: Lane): Promise<readonly TranscriptLine[]> =>
  (await lane.history(null, 1000)).items;
const said = (lines: readonly TranscriptLine[]): unknown[] =>
  lines.flatMap(line => (line.is === 'said' ? [line.text] : []));
const unplaced = (line: TranscriptLine): unknown => ({ ...line, seq: 0 });
const seqOf = (cursor: string): number => parseCursor(cursor)!.seq;

async function say(lane: Lane, text: string) {
  const command = message(text);
  const reply = await lane.send(command);
  await lane.settled();
  return { command, reply };
}

/** Two homes of one history: as it was after one message, and as it went on with commits still in its journal. */
async function grown() {
  const home = await started();
  const lane = await laneOf(home);
  await say(lane, 'one');
  const earlier = copy(home.disk);
  home.disk.failNext('rename', 'disk_failed');
  const two = await say(lane, 'two');
  const head = lane.view().head;
  return { earlier, later: copy(home.disk), two, head, at: await path(home), before: await eventsOf(lane) };
}

/** Puts files of one home over those of another. */
async function mixed(base: SimDisk, over: SimDisk, files: readonly string[]): Promise<SimDisk> {
  const disk = copy(base);
  for (const file of files) {
    const bytes = await over.read(file);
    if (bytes === null) await disk.remove(file);
    else await disk.write(file, bytes);
  }
  return disk;
}

async function journals(disk: SimDisk, at: string): Promise<string[]> {
  return (await disk.list(at)).filter(name => name.startsWith('journal')).map(name => `${at}/${name}`);
}

describe.each([
  ['the log was copied after the journal', ['events.jsonl']],
  ['the transcript was copied after the journal', ['transcript.jsonl']],
  ['both were copied after the journal', ['events.jsonl', 'transcript.jsonl']],
])('when %s', (_, names) => {
  it('a number is never given out again, what was lost is told and set aside, and the home goes on', async () => {
    const { earlier, later, two, head, at } = await grown();
    const disk = await mixed(
      earlier,
      later,
      names.map(name => `${at}/${name}`),
    );
    const { home, lane } = await boot(disk);
    expect(lane.view().pauses).toMatchObject([
      { kind: 'chat' },
      { kind: 'recovery', cause: 'damaged', detail: expect.stringContaining('more than its journal holds') },
    ]);
    const fresh = await eventsOf(lane);
    expect(fresh[0]!.event.seq).toBeGreaterThan(seqOf(head));
    expect(said(await words(lane))).toEqual(['one']);
    expect((await home.conversations.list({})).damaged).toMatchObject([
      { name: expect.stringContaining('ahead') },
    ]);
    // Whoever had seen the part that is gone is told that this is another history; whoever had not has only missed some.
    expect(await lane.page(head, 10)).toMatchObject({
      code: 'epoch_changed',
      view: { head: lane.view().head },
    });
    expect(await lane.page('1.1.000000', 10)).toMatchObject({ code: 'cursor_expired' });

    const [, damaged] = lane.view().pauses;
    const act = { do: 'answer', option: 'go_on' } as const;
    await lane.decide({ commandId: message('').commandId, actor: ada, pause: damaged!.id, act });
    // The lost command was lost whole: sent again it happens, once.
    expect(await lane.send(two.command)).toMatchObject({ replayed: false });
    await lane.settled();
    expect(said(await words(lane))).toEqual(['one', 'two']);
    await home.conversations.closeAll();

    const again = await boot(disk);
    expect(await eventsOf(again.lane)).toEqual([
      ...fresh,
      ...(await eventsOf(again.lane)).slice(fresh.length),
    ]);
    expect(again.lane.view().pauses.filter(pause => pause.kind === 'recovery')).toEqual([]);
    expect((await again.home.conversations.list({})).damaged).toHaveLength(1);
  });
});

describe('a journal that was', () => {
  it.each(['deleted', 'cut'])('%s takes nobody along who waits, and its numbers stay used', async how => {
    const { later, two, head, at } = await grown();
    const disk = copy(later);
    const [journal] = await journals(disk, at);
    if (how === 'deleted') await disk.remove(journal!);
    else {
      const text = await textOfFile(disk, journal!);
      await disk.truncate(journal!, text.indexOf('\n') + 1);
    }
    const { lane } = await boot(disk);
    expect(lane.view().pauses).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'recovery', cause: 'damaged' })]),
    );
    const events = await eventsOf(lane);
    expect(events[0]!.event.seq).toBeGreaterThan(seqOf(head));
    expect(await lane.page(head, 10)).toMatchObject({ code: 'epoch_changed' });
    // A message waits where a person sees why, and is not waited for in vain.
    const reply = await lane.send(how === 'deleted' ? two.command : message('three'));
    expect(reply).toMatchObject({
      replayed: false,
      receipt: { did: { as: 'queued' } },
      view: { state: 'waiting' },
    });
  });
});

describe('a home that was restored from a backup', () => {
  it('answers a cursor of the other history by its check', async () => {
    const { earlier, head } = await grown();
    const lane = await laneOf(
      await started({ disk: copy(earlier), clock: new SimClock(Date.UTC(2026, 1, 1)) }),
    );
    expect(await lane.page(head, 10)).toMatchObject({ code: 'cursor_ahead' });
    for (let more = 0; seqOf(lane.view().head) <= seqOf(head); more += 1) await say(lane, `other ${more}`);
    expect(await lane.page(head, 10)).toMatchObject({ code: 'epoch_changed', view: { state: 'idle' } });
  });
});

describe('files that are not of one moment', () => {
  it('on a disk that takes no writes still open, show only what the journal holds, and take no command', async () => {
    const { earlier, later, at } = await grown();
    const disk = await mixed(earlier, later, [`${at}/events.jsonl`, `${at}/transcript.jsonl`]);
    disk.room(0);
    const { lane } = await boot(disk);
    expect(said(await words(lane))).toEqual(['one']);
    await expect(lane.send(message('three'))).rejects.toMatchObject({ code: 'disk_full' });
    disk.room(null);
    await lane.send(message('three'));
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat' }, { cause: 'damaged' }]);
  });

  it('keep what the journal lacks, wherever the bringing in line is stopped', async () => {
    const { earlier, later, at } = await grown();
    const files = [`${at}/events.jsonl`, `${at}/transcript.jsonl`];
    const mixture = await mixed(earlier, later, files);
    for (let call = 1, stopped = true; stopped; call += 1) {
      const disk = copy(mixture);
      const { store, conversations } = sample({ disk });
      const id = await conversations.default();
      disk.crashBefore(call);
      await store.open(id).catch(() => undefined);
      stopped = disk.stoppedBefore !== null;
      const { home, lane } = await boot(copy(disk));
      expect(said(await words(lane)), `stopped before call ${call}`).toEqual(['one']);
      const kept = (await home.disk.list(`${HOME}/quarantine`)).filter(name => name.includes('ahead'));
      const texts = await Promise.all(
        kept.map(name => textOfFile(home.disk, `${HOME}/quarantine/${name}/ahead.jsonl`)),
      );
      expect(texts.join(''), `stopped before call ${call}`).toContain('two');
    }
  });

  it.each(['write', 'syncFile', 'rename', 'no room'] as const)(
    'lose no words that could not be set aside because of a failed %s',
    async call => {
      const home = await started();
      const before = await laneOf(home);
      await say(before, 'one');
      const earlier = copy(home.disk);
      await say(before, 'two');
      const mixture = await mixed(earlier, home.disk, [`${await path(home)}/transcript.jsonl`]);
      const disk = copy(mixture);
      if (call === 'no room') disk.room(0);
      else disk.failNext(call, 'disk_failed');
      const first = sample({ disk });
      const id = await first.conversations.default();
      await first.store.open(id);
      const { items } = await first.store.history(id, null, 100);
      expect(said(items)).toEqual(['one']);
      disk.mend();
      const again = await boot(copy(disk));
      expect(said(await words(again.lane))).toEqual(['one']);
      expect(again.lane.view().pauses).toMatchObject([{ kind: 'chat' }, { cause: 'damaged' }]);
      const texts = await Promise.all(
        (await again.home.disk.list(`${HOME}/quarantine`)).map(name =>
          textOfFile(again.home.disk, `${HOME}/quarantine/${name}/ahead.jsonl`),
        ),
      );
      expect(texts.join('')).toContain('two');
    },
  );

  it.each(['write', 'syncFile', 'rename', 'syncDirectory', 'no room'] as const)(
    'keep what receipts tell of numbers, and who sends again is not told that it was done, after a failed %s',
    async call => {
      const home = await started();
      const before = await laneOf(home);
      await say(before, 'one');
      const earlier = copy(home.disk);
      const two = await say(before, 'two');
      const id = await home.conversations.default();
      const receipts = `${HOME}/conversations/${id}/receipts.jsonl`;
      const disk = copy(await mixed(earlier, home.disk, [receipts]));
      const used = Math.max(
        ...(await textOfFile(disk, receipts))
          .trimEnd()
          .split('\n')
          .map(line => seqOf((JSON.parse(line) as { at: string }).at)),
      );
      if (call === 'no room') disk.room(0);
      else disk.failNext(call, 'disk_failed');
      const first = sample({ disk });
      const opened = await first.store.open(id);
      expect(await first.store.receipt(id, two.command.commandId)).toBeNull();
      expect(seqOf(opened!.head)).toBeGreaterThan(used);
      disk.mend();
      const { lane } = await boot(copy(disk));
      expect(lane.view().pauses).toMatchObject([{ kind: 'chat' }, { cause: 'damaged' }]);
      expect(seqOf(lane.view().head)).toBeGreaterThan(used);
      expect(await lane.send(two.command)).toMatchObject({ replayed: false });
    },
  );

  it('are told of again when the first telling did not get through', async () => {
    const { earlier, later, at } = await grown();
    const disk = await mixed(earlier, later, [`${at}/events.jsonl`]);
    // Everything is brought in line, but the commit that tells of it is lost.
    const first = sample({ disk });
    await first.store.open(await first.conversations.default());
    const { lane } = await boot(copy(disk));
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat' }, { cause: 'damaged' }]);
  });
});

it('a record that is older than the last reset takes no words away with it', async () => {
  const home = await started();
  const lane = await laneOf(home);
  await say(lane, 'one');
  const record = `${HOME}/conversations/${lane.id}/conversation.json`;
  const older = await textOfFile(home.disk, record);
  await lane.reset({ commandId: message('').commandId, actor: ada });
  await say(lane, 'two');
  await home.conversations.closeAll();
  await home.disk.write(record, encoder.encode(older));

  const again = await boot(home.disk);
  expect(again.lane.view().pauses).toMatchObject([
    { kind: 'chat' },
    { kind: 'recovery', cause: 'damaged', detail: expect.stringContaining('older than its last reset') },
  ]);
  const [{ name } = { name: '' }] = (await again.home.conversations.list({})).damaged;
  expect(await textOfFile(home.disk, `${HOME}/quarantine/${name}/2/transcript.jsonl`)).toContain('two');
});

describe('a transcript', () => {
  async function* script() {
    yield session;
    yield {
      type: 'parked' as const,
      asks: [{ text: 'Which?', options: [{ id: 'a', label: 'A' }], allowFreeText: false }],
      permits: [],
    };
  }

  it.each(['deleted', 'cut in the middle'])(
    'that was %s is told of, and gets back what the log still tells',
    async how => {
      const home = await started();
      const lane = await laneOf(home);
      for (const text of ['one', 'two', 'three']) await say(lane, text);
      const whole = await words(lane);
      await home.conversations.closeAll();
      const file = `${await path(home)}/transcript.jsonl`;
      const text = await textOfFile(home.disk, file);
      if (how === 'deleted') await home.disk.remove(file);
      else await home.disk.truncate(file, Math.floor(text.length / 2));
      const { home: second, lane: again } = await boot(home.disk);
      const events = await eventsOf(again);
      expect(events.at(-1)).toMatchObject({ event: { type: 'notice', code: 'transcript_lost' } });
      const found = await words(again);
      expect(found.find(line => line.is === 'mark' && line.mark === 'lost')).toBeDefined();
      const kept = found.filter(line => line.is !== 'mark' || line.mark !== 'lost');
      expect(kept.map(unplaced)).toEqual(whole.map(unplaced));
      await say(again, 'four');
      await second.conversations.closeAll();
      // Told once, and whole from now on.
      const third = await boot(home.disk);
      expect(said(await words(third.lane))).toEqual(['one', 'two', 'three', 'four']);
      expect((await eventsOf(third.lane)).filter(({ event }) => event.type === 'notice')).toHaveLength(1);
    },
  );

  it('that lost questions and answers gets them back too', async () => {
    const home = await started({ script });
    const lane = await laneOf(home);
    await say(lane, 'go');
    const [question] = lane.view().pauses;
    const act = { do: 'cancel' } as const;
    await lane.decide({ commandId: message('').commandId, actor: ada, pause: question!.id, act });
    await lane.settled();
    const whole = await words(lane);
    expect(whole.map(line => line.is)).toEqual(expect.arrayContaining(['asked', 'decided']));
    await home.conversations.closeAll();
    await home.disk.write(`${await path(home)}/transcript.jsonl`, encoder.encode(''));
    const { lane: again } = await boot(home.disk);
    const found = await words(again);
    expect(found.slice(1).map(unplaced)).toEqual(whole.map(unplaced));
  });
});
