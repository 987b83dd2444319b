import type { Reply } from '@hearth/protocol/receipt.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { processOn } from './testing/process.ts';
import { ada, HOME, message, type Sample, started } from './testing/sample-home.ts';
import { verifyConversation } from './verification.ts';

/*
 * A sync that failed, of bytes that everybody can still read: no later sync writes them, and after a loss of power they
 * are gone. The process that was told may end before it has mended anything, and the next one is told nothing.
 */

const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());

/** A command, and the words in it; `null` for a reset. */
interface Step {
  readonly text: string | null;
  readonly send: (lane: Lane) => Promise<Reply>;
}
function says(text: string): Step {
  const command = message(text);
  return { text, send: lane => lane.send(command) };
}
function resets(): Step {
  const command = { commandId: message('').commandId, actor: ada };
  return { text: null, send: lane => lane.reset(command) };
}

/** What was taken before the power went is there afterwards, once, and all that is there can be read. */
async function judge(disk: SimDisk, taken: readonly Step[], where: string): Promise<void> {
  const home = await started({ disk });
  const lane = await laneOf(home);
  for (const step of taken) expect(await step.send(lane), where).toMatchObject({ replayed: true });
  await lane.settled();
  const { items } = await lane.history(null, 100);
  const since = taken.slice(taken.findIndex(({ text }) => text === null) + 1);
  const words = items.flatMap(line => (line.is === 'said' ? [line.text] : []));
  expect(words, where).toEqual(since.map(({ text }) => text));
  const page = await lane.page(null, 500);
  const told = 'events' in page ? page.events.map(({ event }) => event.type) : [];
  expect(told, where).not.toContain('notice');
  await home.conversations.closeAll();
  const id = await home.conversations.default();
  expect(await verifyConversation(home.disk, `${HOME}/conversations/${id}`, id), where).toEqual([]);
}

describe.each(['appendSync', 'syncFile'] as const)('after a failed %s', call => {
  it.each(['is killed', 'goes on'] as const)('whose process %s, a loss of power takes nothing', async how => {
    for (let nth = 1, failed = true; failed; nth += 1) {
      const disk = new SimDisk();
      const first = processOn(disk, call, how);
      let home = await started({ disk: first.disk });
      let alive = true;
      /** What became of it; after a kill there is a home of the next process. */
      const came = async (work: Promise<unknown>): Promise<'done' | 'refused' | 'killed'> => {
        const ended = work.then(
          () => 'done' as const,
          () => 'refused' as const,
        );
        const how = await (alive ? Promise.race([ended, first.killed]) : ended);
        if (how === 'killed') home = await started({ disk });
        alive &&= how !== 'killed';
        return how;
      };
      const taken: Step[] = [];
      const cut = async (): Promise<void> => {
        for (const seed of first.failed() ? [0, 3] : [])
          await judge(disk.crash({ seed }), taken, `${call} ${nth}, ${taken.length} taken, seed ${seed}`);
      };
      first.fail(nth);
      for (const step of [says('before'), resets(), says('one'), says('two'), says('three')]) {
        if ((await came(laneOf(home).then(lane => step.send(lane)))) !== 'done')
          await step.send(await laneOf(home));
        taken.push(step);
        await cut();
        await came(laneOf(home).then(lane => lane.settled()));
        await (await laneOf(home)).settled();
        await cut();
      }
      failed = first.failed();
    }
  });
});

it('receipts whose sync failed outlive the power, though the state was damaged meanwhile and mended', async () => {
  const disk = new SimDisk();
  const first = processOn(disk, 'appendSync', 'is killed');
  const home = await started({ disk: first.disk });
  const id = await home.conversations.default();
  const step = says('before');
  first.fail(1, '/receipts.jsonl');
  const lane = await laneOf(home);
  await step.send(lane);
  await Promise.race([lane.settled(), first.killed]);
  const snapshot = `${HOME}/conversations/${id}/epochs/1/snapshot.json`;
  await disk.write(snapshot, new Uint8Array([1]));
  await disk.syncFile(snapshot);
  expect(await step.send(await laneOf(await started({ disk })))).toMatchObject({ replayed: true });
  for (let seed = 0; seed < 8; seed += 1) {
    const next = await started({ disk: disk.crash({ seed }) });
    expect(await step.send(await laneOf(next)), `seed ${seed}`).toMatchObject({ replayed: true });
  }
});

it('a receipt that has no event of its own, whose sync failed, outlives the power', async () => {
  const disk = new SimDisk();
  const first = processOn(disk, 'appendSync', 'is killed');
  const lane = await laneOf(await started({ disk: first.disk }));
  await says('before').send(lane);
  await lane.settled();
  const { title } = lane.view();
  const same = { commandId: message('').commandId, actor: ada, title };
  first.fail(1, '/receipts.jsonl');
  await lane.change(same);
  await Promise.race([lane.settled(), first.killed]);
  const next = await laneOf(await started({ disk }));
  const step = says('after');
  await step.send(next);
  await next.settled();
  for (let seed = 0; seed < 8; seed += 1) {
    const last = await laneOf(await started({ disk: disk.crash({ seed }) }));
    expect(await last.change(same), `seed ${seed}`).toMatchObject({ replayed: true });
    expect(await step.send(last), `seed ${seed}`).toMatchObject({ replayed: true });
  }
});
