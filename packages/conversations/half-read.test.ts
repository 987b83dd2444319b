import type { Reply } from '@hearth/protocol/receipt.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it } from 'vitest';
import { processOn } from './testing/process.ts';
import { ada, HOME, message, type Sample, sample, started } from './testing/sample-home.ts';
import { verifyConversation } from './verification.ts';

/* A disk that fails once to read a file of a conversation that is opened: what the journal says may not be shown then. */

const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());
const one = message('one');
const failing = (): void => undefined;
const accepted = (): boolean => false;

/** A disk with a conversation whose process was killed while its journal held a message and a turn. */
async function ground(): Promise<SimDisk> {
  const disk = new SimDisk();
  const first = processOn(disk, 'rename', 'is killed');
  const home = await started({ disk: first.disk });
  const lane = await laneOf(home);
  await lane.send(message('zero'));
  await lane.settled();
  await lane.send(one);
  first.fail(1, '.tmp');
  await Promise.race([lane.settled(), first.killed]);
  return disk;
}

const ACTS = ['says after a second', 'resets after a second', 'resets at once'] as const;

it.each(['/receipts.jsonl', '/events.jsonl', '/transcript.jsonl'])(
  'gives no number out twice, whichever read of %s fails',
  async file => {
    for (const act of ACTS) {
      for (let nth = 1, failed = true; failed; nth += 1) {
        const disk = await ground();
        const process = processOn(disk, 'readRange', 'goes on');
        const home = sample({ disk: process.disk });
        const { conversations, clock } = home;
        const id = await conversations.default();
        process.fail(nth, file);
        await conversations.initialise();
        await conversations.resume();
        const said = message('two');
        const reset = { commandId: message('').commandId, actor: ada };
        const done = async (of: Sample): Promise<Reply> => {
          const lane = await laneOf(of);
          return act === 'says after a second' ? lane.send(said) : lane.reset(reset);
        };
        // Time for its state to be written.
        if (act !== 'resets at once') {
          await laneOf(home).then(lane => lane.settled(), failing);
          clock.advance(2000);
        }
        const refused = await done(home).then(accepted, () => true);
        if (refused) await done(home);
        await (await laneOf(home)).settled();
        const next = await started({ disk: disk.crash({ seed: 1 }) });
        const where = `${act}, read ${nth}`;
        expect(await (await laneOf(next)).send(one), where).toMatchObject({ replayed: true });
        expect(await done(next), where).toMatchObject({ replayed: true });
        const root = `${HOME}/conversations/${id}`;
        expect(await verifyConversation(next.disk, root, id), where).toEqual([]);
        failed = process.failed();
      }
    }
  },
);
