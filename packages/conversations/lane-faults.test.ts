import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { botOf, message, sample, started } from './testing/sample-home.ts';
import { gated, laneOf, seqs } from './testing/lanes.ts';

/* A lane whose disk refuses a write, and one whose bot changes or is gone. */

describe('a failed write', () => {
  it.each(['appendWrite', 'appendSync'] as const)('at %s is told, undone, and mended at once', async call => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    const before = lane.view();
    home.disk.failNext(call, 'disk_full', 10);
    const lost = message('two');
    await expect(lane.send(lost)).rejects.toMatchObject({ code: 'disk_full' });
    expect(lane.view()).toMatchObject({ head: before.head, trouble: { code: 'disk_full' } });
    await lane.ready();
    // That the disk takes writes again was tried with an empty commit.
    expect(lane.view()).toEqual({ ...before, revision: before.revision + 1 });
    // Whoever is attached is told and let go, and comes back where it stood.
    const cut = frames.pop();
    expect(cut).toMatchObject({
      frame: 'cut',
      code: 'not_saved',
      resumeFrom: before.head,
      problem: { code: 'disk_full' },
    });
    await lane.attach(before.head, frame => frames.push(frame));
    expect(await lane.send(lost)).toMatchObject({ replayed: false, receipt: { did: { turn: 't2' } } });
    await lane.settled();
    expect(seqs(frames)).toEqual(seqs(frames).map((_, index) => index + 1));
    const said = (await lane.history(null, 10)).items.filter(line => line.is === 'said');
    expect(said).toHaveLength(2);
  });

  it('on a disk that stays full leaves the conversation to be read', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    home.disk.room(20);
    await expect(lane.send(message('two'))).rejects.toMatchObject({ code: 'disk_full' });
    await expect(lane.send(message('three'))).rejects.toMatchObject({ code: 'disk_full' });
    expect((await lane.history(null, 5)).items.length).toBeGreaterThan(0);
    const page = await lane.page(null, 500);
    expect('events' in page && page.events.length).toBeGreaterThan(5);
    home.disk.room(null);
    expect(await lane.send(message('four'))).toMatchObject({ receipt: { did: { as: 'started' } } });
  });

  it('in the middle of a turn becomes a recovery', async () => {
    const slow = gated();
    const home = await started({ script: slow.script });
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await slow.begun;
    home.disk.failNext('appendSync', 'disk_failed');
    slow.open();
    await expect.poll(() => lane.settled().then(() => true)).toBe(true);
    await lane.ready();
    expect(lane.view().pauses).toMatchObject([
      {
        kind: 'recovery',
        cause: 'interrupted',
        code: 'not_saved',
        detail: expect.stringContaining('The disk took no writes'),
      },
    ]);
  });
});

describe('the bot', () => {
  it('that changed is taken up by the next message', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    const next = botOf(chatPlan({ cap: 5 }));
    home.bots.bots.set('whats-next', next);
    await lane.send(message('two'));
    expect(lane.view().run?.plan).toBe(next.digest);
    await lane.settled();
    await home.conversations.closeAll();
    const again = await laneOf(await started({ disk: home.disk, bots: home.bots }));
    expect(again.view()).toEqual(lane.view());
  });

  it('that cannot be loaded leaves the conversation with the plan it had', async () => {
    const home = await started();
    await (await laneOf(home)).send(message('one'));
    await (await laneOf(home)).settled();
    await home.conversations.closeAll();
    home.bots.bots.clear();
    const again = await started({ disk: home.disk, bots: home.bots });
    const lane = await laneOf(again);
    await lane.send(message('two'));
    await lane.settled();
    const page = await lane.page(null, 500);
    expect(JSON.stringify(page)).toContain('"code":"unknown_bot"');
    expect((await lane.history(null, 1)).items.at(-1)).toMatchObject({ is: 'replied', text: 'heard two' });
  });

  it('that never could be loaded is a clear error, and the conversation still opens', async () => {
    const home = sample();
    home.bots.bots.clear();
    await home.conversations.initialise();
    const lane = await laneOf(home);
    await expect(lane.send(message('hi'))).rejects.toMatchObject({ code: 'unknown_bot' });
    expect(lane.view().state).toBe('idle');
  });
});
