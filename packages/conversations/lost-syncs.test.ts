import type { Reply } from '@hearth/protocol/receipt.ts';
import type { AppendHandle } from '@hearth/store/disk.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
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

type Call = 'appendSync' | 'syncFile';

/** The disk as one process has it: once that is `gone` no call of it does anything, or comes back. */
function process(disk: SimDisk, call: Call, counted: () => void): { disk: SimDisk; end: () => void } {
  let gone = false;
  const never = new Promise<never>(() => undefined);
  const count = (called: string): void => {
    if (called === call) counted();
  };
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    return {
      write: bytes => (gone ? never : handle.write(bytes)),
      sync: () => (count('appendSync'), gone ? never : handle.sync()),
      close: () => (gone ? never : handle.close()),
    };
  };
  const view = new Proxy(disk, {
    get(target, name) {
      const member: unknown = name === 'append' ? append : Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        count(String(name));
        return gone ? never : member.apply(target, args);
      };
    },
  });
  return { disk: view, end: () => void (gone = true) };
}

const accepted = (): boolean => false;

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
  it.each([
    ['whose process was killed', true],
    ['whose process goes on', false],
  ])('%s, a loss of power takes nothing', async (_, killed) => {
    for (let nth = 1, failed = true; failed; nth += 1) {
      const disk = new SimDisk();
      let left = Number.POSITIVE_INFINITY;
      const count = (): void => {
        left -= 1;
        if (left === 0) disk.failNext(call, 'disk_failed');
      };
      const has = (): boolean => left <= 0;
      let running = process(disk, call, count);
      let home = await started({ disk: running.disk });
      left = nth;
      const taken: Step[] = [];
      const cut = async (): Promise<void> => {
        for (const seed of has() ? [0, 2, 3] : [])
          await judge(disk.crash({ seed }), taken, `${call} ${nth}, ${taken.length} taken, seed ${seed}`);
      };
      for (const step of [says('before'), resets(), says('one'), says('two'), says('three')]) {
        const was = has();
        const refused = await step.send(await laneOf(home)).then(accepted, () => true);
        if (!refused) await (await laneOf(home)).settled();
        // A snapshot that fails refuses nobody.
        if (killed && has() && !was) {
          running.end();
          running = process(disk, call, () => undefined);
          home = await started({ disk: running.disk });
        }
        if (refused) await step.send(await laneOf(home));
        taken.push(step);
        await cut();
        await (await laneOf(home)).settled();
        await cut();
      }
      failed = has();
    }
  });
});
