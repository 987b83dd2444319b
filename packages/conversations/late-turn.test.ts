import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it } from 'vitest';
import { laneOf } from './testing/lanes.ts';
import { message, SampleBots, started } from './testing/sample-home.ts';

/* What a turn asks of the disk is the same however many were before it; nobody rests in between. */

/** What was asked of a disk over some turns. */
interface Asked {
  calls: number;
  read: number;
  /** Of a snapshot there is one for each journal that is removed. */
  snapshots: number;
}

/** Fewer than lie between two snapshots. */
const TURNS = 16;
/** What one look into a log reads at most. */
const LOOK_BYTES = 64 * 1024;

class CountingDisk extends SimDisk {
  asked: Asked = { calls: 0, read: 0, snapshots: 0 };

  override async readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
    const found = await super.readRange(path, offset, length);
    this.asked.read += found.length;
    return found;
  }
  override remove(path: string): Promise<void> {
    if (path.includes('/journal.')) this.asked.snapshots += 1;
    return super.remove(path);
  }
}

/** Plays turns one after the other, without a moment of rest. */
async function player(disk: CountingDisk): Promise<(turns: number) => Promise<Asked>> {
  const lane = await laneOf(await started({ disk, bots: new SampleBots(chatPlan({ cap: 1_000_000 })) }));
  let settle = (): void => undefined;
  // Attached once: what a turn asks for is not what it takes to come and look.
  await lane.attach(lane.view().head, frame => {
    if (frame.frame === 'event' && frame.event.type === 'turn' && frame.event.change === 'completed')
      settle();
  });
  return async turns => {
    const before = disk.calls;
    disk.asked = { calls: 0, read: 0, snapshots: 0 };
    for (let turn = 0; turn < turns; turn += 1) {
      const settled = Promise.withResolvers<void>();
      settle = settled.resolve;
      await lane.send(message('w'.repeat(256)));
      await settled.promise;
    }
    return { ...disk.asked, calls: disk.calls - before };
  };
}

it('a turn of a long conversation asks for no more of the disk than one of a young one', async () => {
  const disk = new CountingDisk();
  const play = await player(disk);
  // The first turns make what every conversation needs once.
  await play(2);
  const young = await play(TURNS);
  // More than any list that is kept: of closed pauses, of turns for a recap, of events.
  await play(120);
  while ((await play(1)).snapshots === 0);
  const late = await play(TURNS);
  expect(young).toMatchObject({ read: 0, snapshots: 0 });
  expect(late.snapshots).toBe(0);
  // A trim, every ten turns or so, looks up the event at which the log then begins.
  expect(late.read).toBeLessThanOrEqual(2 * LOOK_BYTES);
  // Two such looks, and lines of the log that are written when some have gathered.
  expect(late.calls).toBeLessThanOrEqual(young.calls + 10);
});
