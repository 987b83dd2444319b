import { describe, expect, it } from 'vitest';
import { type CrashWork, enumerateCrashes } from './enumerate-crashes.ts';
import type { SimDisk } from './sim-disk.ts';

const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
interface Progress {
  done: boolean;
}

/** Work that forgets one sync each. */
const faulty: Record<string, (disk: SimDisk) => Promise<void>> = {
  'the file': async disk => {
    await disk.write('/d/a', bytesOf('words'));
    await disk.syncDirectory('/d');
  },
  'the directory': async disk => {
    await disk.write('/d/a', bytesOf('words'));
    await disk.syncFile('/d/a');
  },
};

function work(act: (disk: SimDisk) => Promise<void>): CrashWork<Progress> {
  return {
    setup: disk => disk.makeDirectory('/d'),
    progress: () => ({ done: false }),
    act: async (disk, progress) => {
      await act(disk);
      progress.done = true;
    },
    check: async (disk, progress) => {
      const bytes = await disk.read('/d/a');
      if (progress.done && (bytes === null || new TextDecoder().decode(bytes) !== 'words'))
        throw new Error('lost');
    },
  };
}

describe('enumerateCrashes', () => {
  it('visits a crash before every call and one after the last', async () => {
    const stops = new Set<number>();
    const count = await enumerateCrashes({
      progress: () => ({ calls: 0 }),
      act: async (disk, progress) => {
        for (const name of ['a', 'b', 'c']) {
          await disk.write(`/${name}`, bytesOf(name));
          progress.calls += 1;
        }
      },
      check: async (_, progress) => void stops.add(progress.calls),
      seeds: [0, 1],
    });
    expect(count).toEqual({ calls: 3, cases: 8 });
    expect([...stops]).toEqual([0, 1, 2, 3]);
  });

  it.each(Object.keys(faulty))(
    'finds that a sync of %s is missing, and says how to replay it',
    async name => {
      const act = faulty[name]!;
      const failure = await enumerateCrashes(work(act)).then(
        () => '',
        (thrown: Error) => thrown.message,
      );
      const [, call, seed] = /Replay with only: \{ call: (\d+), seed: (\d+) \}/.exec(failure) ?? [];
      expect(failure).toMatch(/^crash before call 3 of 2 \(the end\), seed 0: lost/);
      const only = { call: Number(call), seed: Number(seed) };
      await expect(enumerateCrashes({ ...work(act), only })).rejects.toThrow('lost');
    },
  );

  it('passes what syncs both', async () => {
    await enumerateCrashes(
      work(async disk => {
        await faulty['the file']?.(disk);
        await disk.syncFile('/d/a');
      }),
    );
  });

  it('crashes the recovery too', async () => {
    const recover = async (disk: SimDisk): Promise<void> => {
      // Takes the only copy away before the new one is safe.
      const bytes = (await disk.read('/a')) ?? bytesOf('');
      await disk.remove('/a');
      await disk.write('/a', bytes);
    };
    const base: CrashWork<null> = {
      setup: disk => disk.write('/a', bytesOf('words')),
      progress: () => null,
      act: async disk => void (await disk.stat('/a')),
      check: async disk => expect((await disk.read('/a'))?.length).toBe(5),
    };
    await enumerateCrashes(base);
    await expect(enumerateCrashes({ ...base, recover })).rejects.toThrow(/seed 1/);
  });

  it('passes on what the work itself throws', async () => {
    const broken = work(() => Promise.reject(new TypeError('a fault of the work')));
    await expect(enumerateCrashes(broken)).rejects.toThrow(TypeError);
  });
});
