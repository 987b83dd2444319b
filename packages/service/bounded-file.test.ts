import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, test } from 'vitest';
import { BoundedFile } from './bounded-file.ts';

const PATH = '/home/logs/a.log';

async function textOf(disk: SimDisk): Promise<string> {
  return new TextDecoder().decode((await disk.read(PATH)) ?? new Uint8Array());
}

test('a line that comes after the end opens no file that nobody would close', async () => {
  const disk = new SimDisk();
  const file = new BoundedFile(disk, PATH, 1000);
  file.write(1);
  await file.close();
  file.write(2);
  await file.close();
  expect(await textOf(disk)).toBe('1\n');
});

test('a file at rest takes lines again', async () => {
  const disk = new SimDisk();
  const file = new BoundedFile(disk, PATH, 1000);
  file.write(1);
  await file.rest();
  file.write(2);
  await file.close();
  expect(await textOf(disk)).toBe('1\n2\n');
});
