import { mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { boardKey, Boards } from './boards.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'hearth-board-')));
});
afterEach(async () => rm(root, { recursive: true }));

function boards(): Boards {
  return new Boards({
    home: join(root, 'home'),
    disk: nodeDisk,
    clock: new SimClock(),
    realPath: path => realpath(path),
  });
}

test('a key is the first 16 hex digits of the SHA-256 of the path', () => {
  expect(boardKey('/project')).toBe('ea0135bca5e3bd81');
});

test('every way to a workspace leads to the one board, kept on a real disk', async () => {
  await nodeDisk.makeDirectory(join(root, 'project'));
  await nodeDisk.makeDirectory(join(root, 'other'));
  await symlink(join(root, 'project'), join(root, 'link'));
  const all = boards();
  const opened = await Promise.all(
    ['project', 'link', 'project/../link/'].map(name => all.open(join(root, name))),
  );
  expect(new Set(opened).size).toBe(1);
  expect(await all.open(join(root, 'other'))).not.toBe(opened[0]);

  await opened[0]!.add({ title: 'one' }, 'ada');
  const directory = join(root, 'home', 'boards', boardKey(join(root, 'project')));
  expect(await readdir(directory)).toEqual(['board.json', 'tickets', 'workspace.json']);
  expect(await readdir(join(directory, 'tickets'))).toEqual(['HB-1.json']);
  expect(JSON.parse(await readFile(join(directory, 'workspace.json'), 'utf8'))).toEqual({
    format: 1,
    path: join(root, 'project'),
  });
  expect(await (await boards().open(join(root, 'link'))).get('1')).toMatchObject({ title: 'one' });
});

test('a directory that is not there has no board, and gets one once it is', async () => {
  const all = boards();
  const missing = join(root, 'project');
  await expect(all.open(missing)).rejects.toMatchObject({
    code: 'unknown_workspace',
    message: expect.stringContaining(missing),
  });
  await nodeDisk.makeDirectory(missing);
  expect((await all.open(missing)).workspace).toBe(missing);
});

test('a board that is only read is not made', async () => {
  await nodeDisk.makeDirectory(join(root, 'project'));
  const board = await boards().open(join(root, 'project'));
  expect(await board.list()).toEqual({ tickets: [], damaged: [] });
  expect(await board.labels()).toEqual([]);
  await expect(board.get('1')).rejects.toMatchObject({ code: 'unknown_ticket' });
  await expect(board.move('1', 'ready', 'ada')).rejects.toMatchObject({ code: 'unknown_ticket' });
  expect(await readdir(root)).toEqual(['project']);
  expect(await board.add({ title: 'one' }, 'ada')).toMatchObject({ id: 'HB-1' });
  expect(await readdir(root)).toEqual(['home', 'project']);
});

test('what a crash left half-written is swept when the board is opened', async () => {
  await nodeDisk.makeDirectory(join(root, 'project'));
  const directory = join(root, 'home', 'boards', boardKey(join(root, 'project')));
  await nodeDisk.makeDirectory(join(directory, 'tickets'));
  await nodeDisk.write(join(directory, 'tickets', '.HB-1.json.77-1.tmp'), new Uint8Array([123]));
  await boards().open(join(root, 'project'));
  expect(await readdir(join(directory, 'tickets'))).toEqual([]);
});
