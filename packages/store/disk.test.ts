import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, DiskError, type FileRead, NOTHING } from './disk.ts';
import { nodeDisk } from './node-disk.ts';
import { SimDisk } from './sim-disk.ts';

/** What every `Disk` does, whatever is behind it. */
const kinds = [
  {
    name: 'NodeDisk',
    make: async () => {
      const root = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
      return { disk: nodeDisk, root, end: () => rm(root, { recursive: true, force: true }) };
    },
  },
  {
    name: 'SimDisk',
    make: async () => {
      const disk = new SimDisk();
      await disk.makeDirectory('/home');
      return { disk, root: '/home', end: async () => undefined };
    },
  },
];

const text = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

describe.each(kinds)('$name', ({ make }) => {
  let disk: Disk;
  let root: string;
  let end: () => Promise<unknown>;
  const at = (...names: string[]): string => join(root, ...names);

  beforeEach(async () => {
    ({ disk, root, end } = await make());
  });
  afterEach(() => end());

  it('answers with nothing where there is nothing', async () => {
    expect(await disk.read(at('none'))).toBeNull();
    expect(await disk.stat(at('none'))).toBeNull();
    expect(await disk.list(at('none'))).toEqual([]);
    await disk.remove(at('none'));
  });

  it('writes, replaces, reads and describes a file', async () => {
    await disk.write(at('a'), bytesOf('longer text'));
    await disk.write(at('a'), bytesOf('words'));
    await disk.syncFile(at('a'));
    await disk.syncDirectory(root);
    expect(text(await disk.read(at('a')))).toBe('words');
    expect(await disk.stat(at('a'))).toEqual({ bytes: 5, kind: 'file' });
    expect((await disk.stat(root))?.kind).toBe('directory');
  });

  it('reads many files at once, each with its own fate', async () => {
    await disk.write(at('a'), bytesOf('words'));
    await disk.makeDirectory(at('b'));
    const found = await disk.readMany([at('a'), at('none'), at('b')]);
    expect(text((found[0] as FileRead).bytes)).toBe('words');
    expect(found[1]).toBeNull();
    expect(found[2]).toBeInstanceOf(DiskError);
  });

  it('marks nothing, and promises nothing of what is no file', async () => {
    await disk.makeDirectory(at('b'));
    expect(await disk.marksOf([at('none'), at('b', 'none'), at('b')])).toEqual([NOTHING, NOTHING, null]);
  });

  it('counts the bytes of everything below a path', async () => {
    await disk.makeDirectory(at('a', 'b'));
    await disk.write(at('a', 'x'), bytesOf('12345'));
    await disk.write(at('a', 'b', 'y'), bytesOf('123'));
    expect(await disk.usage(at('a'))).toBe(8);
    expect(await disk.usage(at('a', 'x'))).toBe(5);
    expect(await disk.usage(at('none'))).toBe(0);
  });

  it.each([
    [0, 3, 'wor'],
    [2, 2, 'rd'],
    [3, 100, 'ds'],
    [5, 4, ''],
    [9, 4, ''],
    [1, 0, ''],
  ])('reads the range at %i of %i bytes', async (offset, length, expected) => {
    await disk.write(at('a'), bytesOf('words'));
    expect(text(await disk.readRange(at('a'), offset, length))).toBe(expected);
  });

  it('gives out bytes that later writes do not change, and keeps none of the caller’s', async () => {
    const mine = bytesOf('one');
    await disk.write(at('a'), mine);
    mine.fill(0);
    const read = await disk.read(at('a'));
    await disk.write(at('a'), bytesOf('two'));
    expect(text(read)).toBe('one');
  });

  it('lists names by code unit', async () => {
    for (const name of ['b', 'a', 'B', 'ä']) await disk.write(at(name), bytesOf(''));
    await disk.makeDirectory(at('c'));
    expect(await disk.list(root)).toEqual(['B', 'a', 'b', 'c', 'ä']);
  });

  it('makes a directory with its parents, and again without harm', async () => {
    await disk.makeDirectory(at('x', 'y', 'z'));
    await disk.write(at('x', 'y', 'kept'), bytesOf('1'));
    await disk.makeDirectory(at('x', 'y', 'z'));
    expect(await disk.list(at('x', 'y'))).toEqual(['kept', 'z']);
  });

  it('appends after what is there', async () => {
    await disk.write(at('a'), bytesOf('one '));
    const handle = await disk.append(at('a'));
    await handle.write(bytesOf('two '));
    await handle.write(bytesOf('three'));
    await handle.sync();
    await handle.close();
    expect(text(await disk.read(at('a')))).toBe('one two three');
  });

  it('creates a file by appending, and goes on at its new end after a cut', async () => {
    const handle = await disk.append(at('a'));
    await handle.write(bytesOf('abcdef'));
    await disk.truncate(at('a'), 2);
    await handle.write(bytesOf('!'));
    await handle.close();
    expect(text(await disk.read(at('a')))).toBe('ab!');
  });

  it('takes nothing through a closed handle', async () => {
    const handle = await disk.append(at('a'));
    await handle.close();
    await expect(handle.write(bytesOf('x'))).rejects.toBeInstanceOf(DiskError);
    await expect(handle.sync()).rejects.toBeInstanceOf(DiskError);
    expect(text(await disk.read(at('a')))).toBe('');
  });

  it('renames over a file, and moves a directory with what is in it', async () => {
    await disk.write(at('old'), bytesOf('old'));
    await disk.write(at('new'), bytesOf('new'));
    await disk.rename(at('new'), at('old'));
    expect(text(await disk.read(at('old')))).toBe('new');
    expect(await disk.read(at('new'))).toBeNull();

    await disk.makeDirectory(at('from', 'deep'));
    await disk.write(at('from', 'deep', 'a'), bytesOf('1'));
    await disk.rename(at('from'), at('to'));
    expect(text(await disk.read(at('to', 'deep', 'a')))).toBe('1');
    expect(await disk.stat(at('from'))).toBeNull();
  });

  it('removes a file, and a directory with all that is in it', async () => {
    await disk.makeDirectory(at('d', 'e'));
    await disk.write(at('d', 'e', 'a'), bytesOf('1'));
    await disk.write(at('f'), bytesOf('1'));
    await disk.remove(at('d'));
    await disk.remove(at('f'));
    expect(await disk.list(root)).toEqual([]);
  });

  it.each<[string, (disk: Disk) => Promise<unknown>]>([
    ['reading a directory', () => disk.read(root)],
    ['a range of nothing', () => disk.readRange(at('none'), 0, 1)],
    ['writing into no directory', () => disk.write(at('none', 'a'), bytesOf('x'))],
    ['writing over a directory', () => disk.write(root, bytesOf('x'))],
    ['appending in no directory', () => disk.append(at('none', 'a'))],
    ['syncing nothing', () => disk.syncFile(at('none'))],
    ['syncing no directory', () => disk.syncDirectory(at('none'))],
    ['renaming nothing', () => disk.rename(at('none'), at('b'))],
    ['cutting nothing', () => disk.truncate(at('none'), 0)],
  ])('rejects %s with a DiskError that names the path', async (_, act) => {
    const failure = await act(disk).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(failure).toBeInstanceOf(DiskError);
    expect((failure as DiskError).code).toBe('disk_failed');
    expect((failure as DiskError).message).toContain((failure as DiskError).path);
  });

  it.each<[string, (at: (...names: string[]) => string) => Promise<unknown>]>([
    ['a directory where a file is', path => disk.makeDirectory(path('file'))],
    ['a directory below a file', path => disk.makeDirectory(path('file', 'x'))],
    ['a file over a full directory', path => disk.rename(path('file'), path('full'))],
    ['a directory over a full one', path => disk.rename(path('empty'), path('full'))],
  ])('refuses %s and changes nothing', async (_, act) => {
    await disk.write(at('file'), bytesOf('1'));
    await disk.makeDirectory(at('empty'));
    await disk.makeDirectory(at('full'));
    await disk.write(at('full', 'a'), bytesOf('1'));
    await expect(act(at)).rejects.toBeInstanceOf(DiskError);
    expect(await disk.list(root)).toEqual(['empty', 'file', 'full']);
    expect(await disk.list(at('full'))).toEqual(['a']);
  });
});
