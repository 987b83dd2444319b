import { CommandId } from '@hearth/protocol/ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { instant } from '@hearth/store/clock.ts';
import { describe, expect, it } from 'vitest';
import { type HomeReceipt, HomeReceipts, KEPT_DAYS } from './home-receipts.ts';
import { message } from './testing/sample-home.ts';

const PATH = '/hearth/receipts.jsonl';
const clock = new SimClock();
const receipt = (): HomeReceipt => ({
  commandId: CommandId.parse(message('').commandId),
  payload: `sha256:${'0'.repeat(64)}`,
  at: instant(clock),
  done: true,
});

async function ground(): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.makeDirectory('/hearth');
  return disk.crash({ seed: 1 });
}
const opened = (disk: SimDisk): HomeReceipts => new HomeReceipts(disk, PATH, clock);

async function expectAll(disk: SimDisk, lines: readonly HomeReceipt[]): Promise<void> {
  for (let seed = 0; seed < 8; seed += 1) {
    const found = opened(disk.crash({ seed }));
    for (const line of lines) expect(await found.find(line.commandId), `seed ${seed}`).toEqual(line);
  }
}

describe('receipts of a home', () => {
  it('that were put at the same moment are all kept', async () => {
    const disk = await ground();
    const receipts = opened(disk);
    const lines = [receipt(), receipt(), receipt()];
    await Promise.all(lines.map(line => receipts.put(line)));
    await expectAll(disk, lines);
  });

  it('whose sync failed are no danger to those that the next process writes', async () => {
    const disk = await ground();
    const receipts = opened(disk);
    const lines = [receipt(), receipt()];
    for (const line of lines) await receipts.put(line);
    disk.failNext('appendSync', 'disk_failed');
    const refused = receipt();
    await expect(receipts.put(refused)).rejects.toMatchObject({ code: 'disk_failed' });
    // The process is killed before it has cut that off.
    const next = opened(disk);
    lines.push(receipt(), receipt());
    for (const line of lines.slice(2)) await next.put(line);
    await expectAll(disk, lines);
  });

  it.each(['write', 'syncFile', 'rename', 'syncDirectory', 'appendWrite', 'appendSync'] as const)(
    'are kept, and taken again, after a %s that failed',
    async call => {
      for (const before of [0, 1]) {
        const disk = await ground();
        const receipts = opened(disk);
        const lines = [receipt(), receipt(), receipt()];
        for (const line of lines.slice(0, before)) await receipts.put(line);
        disk.failNext(call, 'disk_failed', 10);
        for (const line of lines.slice(before)) await receipts.put(line).catch(() => receipts.put(line));
        await expectAll(disk, lines);
      }
    },
  );

  it('that are too old leave the file when they are most of it, and what cannot be read only then', async () => {
    const disk = await ground();
    const before = opened(disk);
    const old = receipt();
    await before.put(old);
    for (let nth = 0; nth < 120; nth += 1) await before.put(receipt());
    const odd = '{"commandId":"of a later Hearth"}\n';
    await (await disk.append(PATH)).write(new TextEncoder().encode(odd));
    const textOf = async (): Promise<string> =>
      new TextDecoder().decode((await disk.read(PATH)) ?? undefined);
    const lines = [receipt(), receipt(), receipt()];
    await opened(disk).put(lines[0]!);
    expect(await textOf()).toContain(odd);
    clock.advance((KEPT_DAYS + 1) * 24 * 60 * 60 * 1000);
    const [, second, third] = lines.map(line => ({ ...line, at: instant(clock) }));
    const receipts = opened(disk);
    await receipts.put(second!);
    await receipts.put(third!);
    await expectAll(disk, [second!, third!]);
    expect(await textOf()).not.toContain(old.commandId);
  });

  it('are taken where there is room for a line and not for another file', async () => {
    const disk = await ground();
    const lines = [receipt(), receipt()];
    await opened(disk).put(lines[0]!);
    disk.failNext('write', 'disk_full');
    await opened(disk).put(lines[1]!);
    await expectAll(disk, lines);
  });

  it('that were put already are not put again', async () => {
    const disk = await ground();
    const receipts = opened(disk);
    const line = receipt();
    for (let nth = 0; nth < 5; nth += 1) await receipts.put({ ...line });
    expect(new TextDecoder().decode((await disk.read(PATH)) ?? undefined).split('\n')).toHaveLength(2);
  });

  it('that were found are durable when they are told, where the disk takes that', async () => {
    const disk = await ground();
    const first = opened(disk);
    const lines = [receipt(), receipt()];
    await first.put(lines[0]!);
    disk.failNext('appendSync', 'disk_failed');
    await expect(first.put(lines[1]!)).rejects.toMatchObject({ code: 'disk_failed' });
    disk.failNext('write', 'read_only');
    expect(await opened(disk).find(lines[1]!.commandId)).toEqual(lines[1]);
    expect(await opened(disk).find(lines[1]!.commandId)).toEqual(lines[1]);
    await expectAll(disk, lines);
  });
});
