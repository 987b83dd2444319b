import { afterAll, it } from 'vitest';
import { expectKeptOn, hasNamespaces, onCountedDisk, onTmpfs } from '../support/small-disk.ts';
import { progress } from '../support/progress.ts';
import { removeTemps } from '../support/temp.ts';

afterAll(removeTemps);

/** The append of the message, and what its turn writes after it. */
const BYTES = 2500;
/** Offsets for one service, so that its conversation stays of a size to read back. */
const BATCH = 500;

const batches = Array.from({ length: BYTES / BATCH }, (_, batch) => batch * BATCH);
const offsets = (from: number): readonly number[] => Array.from({ length: BATCH }, (_, n) => from + n);

it.each(batches)('a disk that is full at each of 500 offsets from %i on', async from => {
  const disk = await onCountedDisk();
  try {
    await expectKeptOn(disk, offsets(from));
    progress(`full at every offset below ${from + BATCH} of ${BYTES}`);
  } finally {
    await disk.service.stop();
  }
});

it('B25: a file system of its own that is full, wherever its page ends', async () => {
  const disk = hasNamespaces() ? await onTmpfs() : await onCountedDisk();
  try {
    await expectKeptOn(disk, offsets(0).slice(0, 200));
  } finally {
    await disk.service.stop();
  }
});
