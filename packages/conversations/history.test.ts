import type { HistoryPage } from '@hearth/protocol/history.ts';
import { type AppendHandle, DiskError } from '@hearth/store/disk.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARCHIVES } from './archives.ts';
import type { Lane } from './lane.ts';
import { ada, HOME, message, type Sample, started, textOfFile } from './testing/sample-home.ts';

/* History goes back through the epochs that are kept, and says where it ends. */

const laneOf = async ({ conversations }: Sample): Promise<Lane> =>
  conversations.lane(await conversations.default());

async function say(lane: Lane, text: string): Promise<void> {
  await lane.send(message(text));
  await lane.settled();
}

const reset = (lane: Lane) => lane.reset({ commandId: message('').commandId, actor: ada });

/** A conversation whose epochs had so many turns. */
async function lived(turns: readonly number[]): Promise<{ home: Sample; lane: Lane }> {
  const home = await started();
  const lane = await laneOf(home);
  for (const [index, count] of turns.entries()) {
    if (index > 0) await reset(lane);
    for (let turn = 1; turn <= count; turn += 1) await say(lane, `${index + 1}.${turn}`);
  }
  return { home, lane };
}

/** All pages, the oldest first. */
async function paged(lane: Lane, turns: number): Promise<HistoryPage[]> {
  const pages: HistoryPage[] = [];
  for (let before: number | null = null; ; ) {
    const page = await lane.history(before, turns);
    pages.unshift(page);
    expect(page.hasOlder).toBe(page.previous !== null);
    expect(page.end === null).toBe(page.hasOlder);
    if (page.previous === null) return pages;
    before = page.previous;
  }
}

const saidIn = (pages: readonly HistoryPage[]) =>
  pages.flatMap(page => page.items.flatMap(line => (line.is === 'said' ? [line.text] : [])));

/** While it is stuck, no transcript can be synced. */
class StuckDisk extends SimDisk {
  stuck = false;
  override async append(path: string): Promise<AppendHandle> {
    const handle = await super.append(path);
    const refuse = (): boolean => this.stuck && path.endsWith('transcript.jsonl');
    const failure = new DiskError('disk_failed', path, 'stuck');
    return { ...handle, sync: () => (refuse() ? Promise.reject(failure) : handle.sync()) };
  }
}

describe('the history', () => {
  it('of any epochs, in pages of any size, is all that was said, each page of one epoch', {
    timeout: 60_000,
  }, async () => {
    const epochs = fc.array(fc.nat(4), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(epochs, fc.integer({ min: 1, max: 5 }), async (turns, size) => {
        const { lane } = await lived(turns);
        const pages = await paged(lane, size);
        const all = turns.flatMap((count, index) =>
          Array.from({ length: count }, (_, turn) => `${index + 1}.${turn + 1}`),
        );
        expect(saidIn(pages)).toEqual(all);
        for (const { epoch, items } of pages)
          for (const line of items)
            if (line.is === 'said') expect(line.text).toMatch(new RegExp(`^${epoch}\\.`));
        const marks = pages.flatMap(({ epoch, items }) =>
          items.flatMap((line, index) =>
            line.is === 'mark' && line.mark === 'reset' ? [[epoch, index]] : [],
          ),
        );
        expect(marks).toEqual(turns.slice(1).map((_, index) => [index + 2, 0]));
        expect(pages[0]?.end).toBe('beginning');
        expect(pages.at(-1)?.epoch).toBe(turns.length);
      }),
      { numRuns: 25 },
    );
  });

  it('ends where epochs were dropped, and says so', async () => {
    const { lane } = await lived(Array.from({ length: ARCHIVES + 3 }, () => 1));
    const pages = await paged(lane, 20);
    expect(pages[0]).toMatchObject({ epoch: 3, end: 'dropped' });
    expect(saidIn(pages)).toEqual(Array.from({ length: ARCHIVES + 1 }, (_, index) => `${index + 3}.1`));
  });

  it('writes nothing to an earlier epoch, torn as it may be', async () => {
    const { home, lane } = await lived([1, 1]);
    const path = `${HOME}/conversations/${lane.id}/epochs/1/transcript.jsonl`;
    const whole = await textOfFile(home.disk, path);
    await home.disk.write(path, new TextEncoder().encode(`${whole}{"is":"sa`));
    expect(saidIn(await paged(lane, 1))).toEqual(['1.1', '2.1']);
    expect(await textOfFile(home.disk, path)).toBe(`${whole}{"is":"sa`);
  });

  it('passes over an epoch whose words are lost', async () => {
    const { home, lane } = await lived([1, 1, 1]);
    await home.disk.remove(`${HOME}/conversations/${lane.id}/epochs/2/transcript.jsonl`);
    const pages = await paged(lane, 10);
    expect(pages.map(page => page.epoch)).toEqual([1, 3]);
    expect(saidIn(pages)).toEqual(['1.1', '3.1']);
  });

  it('keeps the long texts of earlier epochs', async () => {
    const { lane } = await lived([0]);
    const words = 'w'.repeat(100_000);
    await say(lane, words);
    await reset(lane);
    const [first] = await paged(lane, 10);
    const line = first?.items.find(one => one.is === 'said');
    if (line?.is !== 'said' || typeof line.text === 'string') throw new Error('it is no long text');
    expect(new TextDecoder().decode((await lane.blob(line.text.blob)) ?? new Uint8Array())).toBe(words);
    expect(await lane.blob(`sha256:${'0'.repeat(64)}`)).toBeNull();
  });

  it('has the words that no snapshot held when the conversation was reset, after a power cut too', async () => {
    const disk = new StuckDisk();
    const home = await started({ disk });
    const lane = await laneOf(home);
    await say(lane, 'early');
    disk.stuck = true;
    await say(lane, 'late');
    disk.stuck = false;
    await reset(lane);
    const after = await started({ disk: disk.crash({ seed: 0 }), clock: home.clock });
    expect(saidIn(await paged(await laneOf(after), 10))).toEqual(['early', 'late']);
  });
});
