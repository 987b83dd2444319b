import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, test } from 'vitest';
import { lastPort, rememberPort } from './last-port.ts';

test('the last port is remembered, and nothing is written when it is the same', async () => {
  const disk = new SimDisk();
  await disk.makeDirectory('/home');
  expect(await lastPort(disk, '/home')).toBeNull();
  await rememberPort(disk, '/home', 4310);
  await rememberPort(disk, '/home', 4311);
  expect(await lastPort(disk, '/home')).toBe(4311);
  disk.failNext('write', 'disk_failed');
  await rememberPort(disk, '/home', 4311);
  await expect(disk.write('/home/other', new Uint8Array())).rejects.toMatchObject({ code: 'disk_failed' });
});

test('a disk that takes nothing and a file that holds nothing keep no service from starting', async () => {
  const disk = new SimDisk();
  await disk.makeDirectory('/home/surfaces');
  disk.failNext('write', 'disk_full');
  await expect(rememberPort(disk, '/home', 4310)).resolves.toBeUndefined();
  await disk.write('/home/surfaces/studio.json', new TextEncoder().encode('{"port": 0}'));
  expect(await lastPort(disk, '/home')).toBeNull();
});
