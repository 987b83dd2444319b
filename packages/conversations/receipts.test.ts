import { CommandId, Digest } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import { type SimCall, SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { Receipts } from './receipts.ts';

const PATH = '/c/receipts.jsonl';
const receipt = (seq: number): Receipt => ({
  commandId: CommandId.parse(`command-${String(seq).padStart(12, '0')}`),
  command: 'rename',
  payload: Digest.parse(`sha256:${'0'.repeat(64)}`),
  at: `1.${seq}.abcdef`,
  did: {},
});

async function ground(...seqs: readonly number[]): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.makeDirectory('/c');
  const lines = seqs.map(seq => `${JSON.stringify(receipt(seq))}\n`).join('');
  if (lines !== '') await disk.write(PATH, new TextEncoder().encode(lines));
  return disk.crash({ seed: 1 });
}
async function found(receipts: Receipts, upTo: number): Promise<number[]> {
  const seqs: number[] = [];
  for (let seq = 1; seq <= upTo; seq += 1)
    if ((await receipts.find(receipt(seq).commandId)) !== null) seqs.push(seq);
  return seqs;
}

describe('receipts that are forgotten', () => {
  it.each([
    ['in the order of their numbers', [1, 2, 3, 4, 5], 3, [1, 2, 3]],
    ['some of them twice', [1, 2, 3, 4, 5, 4, 5], 4, [1, 2, 3, 4]],
    ['twice, the second time not all', [1, 2, 3, 8, 9, 4, 5], 5, [1, 2, 3, 4, 5]],
    ['none of them', [1, 2, 3], 3, [1, 2, 3]],
    ['all of them', [1, 2, 3], 0, []],
  ])('are found no more and leave the file: %s', async (_, seqs, seq, left) => {
    const disk = await ground(...seqs);
    const receipts = new Receipts(disk, PATH);
    await receipts.last();
    receipts.forgetAfter(seq, 'lost');
    expect(await found(receipts, 9)).toEqual(left);
    await receipts.settle();
    expect(await found(new Receipts(disk, PATH), 9)).toEqual(left);
  });

  it.each(['readRange', 'write', 'syncFile', 'rename', 'syncDirectory'] as const satisfies SimCall[])(
    'stay so when a %s failed, and what is kept afterwards is durable',
    async call => {
      const disk = await ground(1);
      const first = new Receipts(disk, PATH);
      first.add(receipt(2));
      disk.failNext('appendSync', 'disk_failed');
      await expect(first.keep()).rejects.toMatchObject({ code: 'disk_failed' });
      // The process is killed; in the next one the disk fails once more.
      const next = new Receipts(disk, PATH);
      await next.last();
      next.forgetAfter(1, 'in the journal');
      disk.failNext(call, 'disk_failed');
      await expect(next.settle()).rejects.toMatchObject({ code: 'disk_failed' });
      expect(await found(next, 3)).toEqual([1]);
      for (const seq of [2, 3]) next.add(receipt(seq));
      await next.keep();
      for (let seed = 0; seed < 8; seed += 1)
        expect(await found(new Receipts(disk.crash({ seed }), PATH), 3), `seed ${seed}`).toEqual([1, 2, 3]);
    },
  );

  it('stay in the file where there is no room for another one, if the journal has them, and others are written behind', async () => {
    const disk = await ground(1, 2);
    const receipts = new Receipts(disk, PATH);
    receipts.forgetAfter(1, 'in the journal');
    for (const seq of [2, 3]) receipts.add(receipt(seq));
    disk.failNext('write', 'disk_full');
    await receipts.keep();
    await receipts.settle();
    expect(await found(new Receipts(disk, PATH), 3)).toEqual([1, 2, 3]);
  });

  it('keep the file as it is where there is no room for another one, if they are lost', async () => {
    const disk = await ground(1, 2);
    const receipts = new Receipts(disk, PATH);
    receipts.forgetAfter(1, 'lost');
    receipts.add(receipt(3));
    disk.failNext('write', 'disk_full');
    await expect(receipts.keep()).rejects.toMatchObject({ code: 'disk_full' });
    expect(await found(receipts, 3)).toEqual([1, 3]);
    await receipts.keep();
    expect(await found(new Receipts(disk, PATH), 3)).toEqual([1, 3]);
  });
});
