import { afterAll, it } from 'vitest';
import { expectKeptOn, hasNamespaces, onCountedDisk, onTmpfs } from '../support/small-disk.ts';
import { progress } from '../support/progress.ts';
import { removeTemps } from '../support/temp.ts';

afterAll(removeTemps);

/** The append of the message, and what its turn writes after it. */
const BYTES = 2500;
/** Every offset; with `HEARTH_OFFSET_STEP=25` one in twenty-five. */
const STEP = Number(process.env['HEARTH_OFFSET_STEP'] ?? 1);
/** Offsets for one service, so that its conversation stays of a size to read back. */
const BATCH = 500;
/** Only a guard against hanging. */
const TIMEOUT = 2 * 3_600_000;

const batches = Array.from({ length: BYTES / BATCH }, (_, batch) => batch * BATCH);
const offsets = (from: number, step: number): readonly number[] =>
  Array.from({ length: Math.ceil(BATCH / step) }, (_, n) => from + n * step);

it.each(batches)(
  'a disk that is full at the offsets from %i on to the next 500',
  { timeout: TIMEOUT },
  async from => {
    const disk = await onCountedDisk();
    try {
      await expectKeptOn(disk, offsets(from, STEP));
      progress(`full at every ${STEP === 1 ? '' : `${STEP}th `}offset below ${from + BATCH} of ${BYTES}`);
    } finally {
      await disk.service.stop();
    }
  },
);

it('B25: a file system of its own that is full, wherever its page ends', { timeout: TIMEOUT }, async () => {
  const disk = hasNamespaces() ? await onTmpfs() : await onCountedDisk();
  try {
    await expectKeptOn(disk, offsets(0, STEP).slice(0, 200));
    progress('a file system of its own, full');
  } finally {
    await disk.service.stop();
  }
});
