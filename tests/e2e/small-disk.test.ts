import { afterAll, afterEach, describe, it } from 'vitest';
import {
  expectKeptOn,
  hasNamespaces,
  onCountedDisk,
  onTmpfs,
  type SmallDisk,
} from '../support/small-disk.ts';
import { removeTemps } from '../support/temp.ts';

/* A disk that is full in the middle of an append, under a real service. The long run tries every offset. */

describe('B25: a disk that is full', { timeout: 300_000 }, () => {
  const disks: SmallDisk[] = [];
  afterEach(async () => {
    for (const disk of disks.splice(0)) await disk.service.stop();
  });
  afterAll(removeTemps);
  const kept = async (disk: SmallDisk, offsets: readonly number[]): Promise<void> => {
    disks.push(disk);
    await expectKeptOn(disk, offsets);
  };

  it('at offsets all over an append, whose bytes are counted', async () => {
    await kept(await onCountedDisk(), [0, 1, 2, 57, 300, 555, 777, 900, 1100, 1600, 2200]);
  });

  it('on a file system of the service’s own, wherever its page ends', async () => {
    // Where a process gets none, the disk that is counted stands for it, at the places where a page would end.
    const disk = hasNamespaces() ? await onTmpfs() : await onCountedDisk();
    await kept(disk, [100, 1200, 2300, 3400]);
  });
});
