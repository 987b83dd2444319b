import { describe, expect, it } from 'vitest';
import { DiskError } from './disk.ts';
import { SimCrash, SimDisk } from './sim-disk.ts';

const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
const seeds = Array.from({ length: 60 }, (_, seed) => seed);

async function textOf(disk: SimDisk, path: string): Promise<string | null> {
  const bytes = await disk.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

/** A disk with a durable file `/d/a` that says `old`. */
async function ground(): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.makeDirectory('/d');
  await disk.write('/d/a', bytesOf('old'));
  return disk.crash({ seed: 1 });
}

async function outcomes(disk: SimDisk, look: (survivor: SimDisk) => Promise<unknown>): Promise<Set<string>> {
  const seen = new Set<string>();
  for (const seed of seeds) seen.add(JSON.stringify(await look(disk.crash({ seed }))));
  return seen;
}

describe('what survives a crash', () => {
  it('is everything that was synced, whatever the seed', async () => {
    const disk = await ground();
    const handle = await disk.append('/d/a');
    await handle.write(bytesOf(' new'));
    await handle.sync();
    await disk.write('/d/b', bytesOf('b'));
    await disk.syncFile('/d/b');
    await disk.syncDirectory('/d');
    expect(
      await outcomes(disk, async left => [await textOf(left, '/d/a'), await textOf(left, '/d/b')]),
    ).toEqual(new Set(['["old new","b"]']));
  });

  it('is any beginning of an unsynced append', async () => {
    const disk = await ground();
    await (await disk.append('/d/a')).write(bytesOf('123'));
    expect(await outcomes(disk, left => textOf(left, '/d/a'))).toEqual(
      new Set(['"old"', '"old1"', '"old12"', '"old123"']),
    );
  });

  it('may be a later write with zeros where an earlier one was lost', async () => {
    const disk = await ground();
    const handle = await disk.append('/d/a');
    await handle.write(bytesOf('1'));
    await handle.write(bytesOf('2'));
    expect(await outcomes(disk, left => textOf(left, '/d/a'))).toContain(JSON.stringify('old\u00002'));
  });

  it('may be a name without its contents, or no name at all', async () => {
    const disk = await ground();
    await disk.write('/d/b', bytesOf('b'));
    const seen = await outcomes(disk, left => textOf(left, '/d/b'));
    expect(seen).toEqual(new Set(['null', '""', '"b"']));
  });

  it('has no name whose directory was not synced, though the contents were', async () => {
    const disk = await ground();
    await disk.write('/d/b', bytesOf('b'));
    await disk.syncFile('/d/b');
    expect(await textOf(disk.crash({ seed: 0 }), '/d/b')).toBeNull();
  });

  it('is the old name or the new one of a rename, never both and never neither', async () => {
    const disk = await ground();
    await disk.rename('/d/a', '/d/b');
    expect(await outcomes(disk, left => left.list('/d'))).toEqual(new Set(['["a"]', '["b"]']));
  });

  it('is a rename between directories as a whole, certain once both are synced', async () => {
    const disk = await ground();
    await disk.makeDirectory('/e');
    await disk.syncDirectory('/');
    await disk.rename('/d/a', '/e/a');
    await disk.syncDirectory('/e');
    const look = async (left: SimDisk): Promise<unknown> => [await left.list('/d'), await left.list('/e')];
    expect(await outcomes(disk, look)).toEqual(new Set(['[["a"],[]]', '[[],["a"]]']));
    await disk.syncDirectory('/d');
    expect(await outcomes(disk, look)).toEqual(new Set(['[[],["a"]]']));
  });

  it('never has a change without the earlier ones to the same name', async () => {
    const disk = await ground();
    await disk.write('/d/b', bytesOf(''));
    await disk.rename('/d/b', '/d/c');
    await disk.remove('/d/c');
    expect(await outcomes(disk, left => left.list('/d'))).toEqual(
      new Set(['["a"]', '["a","b"]', '["a","c"]']),
    );
  });

  it('keeps a file that was moved away before another took its name', async () => {
    const disk = await ground();
    await disk.rename('/d/a', '/d/b');
    await disk.write('/d/a', bytesOf('new'));
    await disk.syncFile('/d/a');
    const look = async (left: SimDisk): Promise<unknown> => [
      await textOf(left, '/d/a'),
      await textOf(left, '/d/b'),
    ];
    expect(await outcomes(disk, look)).toEqual(new Set(['["old",null]', '[null,"old"]', '["new","old"]']));
  });

  it('may be a part of a removed directory', async () => {
    const disk = await ground();
    await disk.write('/d/b', bytesOf(''));
    await disk.syncDirectory('/d');
    await disk.remove('/d');
    const seen = await outcomes(disk, left => left.list('/d'));
    for (const names of ['["a","b"]', '["a"]', '["b"]', '[]']) expect(seen).toContain(names);
  });

  it('is the same for the same seed', async () => {
    const disk = await ground();
    const handle = await disk.append('/d/a');
    for (let index = 0; index < 20; index += 1) await handle.write(bytesOf(`line ${index}\n`));
    for (const seed of seeds) {
      expect(await textOf(disk.crash({ seed }), '/d/a')).toBe(await textOf(disk.crash({ seed }), '/d/a'));
    }
  });

  it('is not changed by what the old disk does afterwards', async () => {
    const disk = await ground();
    const left = disk.crash({ seed: 1 });
    await disk.write('/d/a', bytesOf('later'));
    await left.write('/d/b', bytesOf('b'));
    expect(await textOf(left, '/d/a')).toBe('old');
    expect(await textOf(disk, '/d/b')).toBeNull();
  });

  it('has its bytes for itself, though nothing was copied when it was made', async () => {
    const disk = await ground();
    const [one, other] = [disk.crash({ seed: 1 }), disk.crash({ seed: 0 })];
    await (await disk.append('/d/a')).write(bytesOf(' and on'));
    await one.truncate('/d/a', 1);
    await (await one.append('/d/a')).write(bytesOf('N'));
    const again = one.crash({ seed: 1 });
    await one.truncate('/d/a', 0);
    await other.write('/d/a', bytesOf('other'));
    const texts = [disk, one, other, again, disk.crash({ seed: 0 })].map(at => textOf(at, '/d/a'));
    expect(await Promise.all(texts)).toEqual(['old and on', '', 'other', 'oN', 'old']);
  });
});

describe('stopping', () => {
  it('refuses the call with that number and every later one', async () => {
    const disk = await ground();
    disk.crashBefore(2);
    await disk.write('/d/b', bytesOf('b'));
    await expect(disk.syncFile('/d/b')).rejects.toBeInstanceOf(SimCrash);
    await expect(disk.read('/d/a')).rejects.toBeInstanceOf(SimCrash);
    expect(disk.calls).toBe(3);
    expect(disk.stoppedBefore).toBe('syncFile /d/b');
  });
});

describe('failures on order', () => {
  it('happen once, and leave the part of a write that was asked for', async () => {
    const disk = await ground();
    const handle = await disk.append('/d/a');
    disk.failNext('appendWrite', 'disk_full', 2);
    await expect(handle.write(bytesOf('1234'))).rejects.toMatchObject({ code: 'disk_full', path: '/d/a' });
    expect(await textOf(disk, '/d/a')).toBe('old12');
    await handle.write(bytesOf('!'));
    expect(await textOf(disk, '/d/a')).toBe('old12!');
  });

  it.each(['rename', 'syncDirectory', 'truncate', 'remove'] as const)('change nothing for %s', async call => {
    const disk = await ground();
    disk.failNext(call, 'read_only');
    const act = { rename: '/d/b', syncDirectory: '/d', truncate: '/d/a', remove: '/d/a' };
    const run = {
      rename: () => disk.rename('/d/a', act.rename),
      syncDirectory: () => disk.syncDirectory(act.syncDirectory),
      truncate: () => disk.truncate(act.truncate, 0),
      remove: () => disk.remove(act.remove),
    };
    await expect(run[call]()).rejects.toBeInstanceOf(DiskError);
    expect(await textOf(disk, '/d/a')).toBe('old');
    await run[call]();
  });

  it('bring nothing back that a later sync has replaced', async () => {
    const disk = new SimDisk();
    const first = await disk.append('/log');
    await first.write(bytesOf('old and lost'));
    disk.failNext('appendSync', 'disk_failed');
    await expect(first.sync()).rejects.toMatchObject({ code: 'disk_failed' });
    await disk.truncate('/log', 0);
    const second = await disk.append('/log');
    await second.write(bytesOf('new'));
    await second.sync();
    await disk.syncDirectory('/');
    for (const seed of [0, 1, 2, 3, 4]) expect(await textOf(disk.crash({ seed }), '/log')).toBe('new');
  });

  it('leave a file short or long for which a sync failed, and take nothing of what a later one has written', async () => {
    const disk = await ground();
    await disk.truncate('/d/a', 1);
    disk.failNext('syncFile', 'disk_failed');
    await expect(disk.syncFile('/d/a')).rejects.toBeInstanceOf(DiskError);
    expect(await outcomes(disk, left => textOf(left, '/d/a'))).toEqual(new Set(['"old"', '"o"']));
    const handle = await disk.append('/d/a');
    await handle.write(bytesOf('n'));
    await handle.sync();
    expect(await outcomes(disk, left => textOf(left, '/d/a'))).toEqual(new Set(['"ond"', '"on"']));
    await disk.truncate('/d/a', 2);
    await disk.syncFile('/d/a');
    expect(await outcomes(disk, left => textOf(left, '/d/a'))).toEqual(new Set(['"on"']));
  });

  it('make a failed sync end its handle, and no later sync vouch for the same bytes', async () => {
    const disk = await ground();
    const handle = await disk.append('/d/a');
    await handle.write(bytesOf('1'));
    disk.failNext('appendSync', 'disk_failed');
    await expect(handle.sync()).rejects.toBeInstanceOf(DiskError);
    await expect(handle.sync()).rejects.toBeInstanceOf(DiskError);
    await expect(handle.write(bytesOf('2'))).rejects.toBeInstanceOf(DiskError);
    await disk.syncFile('/d/a');
    expect(await textOf(disk, '/d/a')).toBe('old1');
    expect(await textOf(disk.crash({ seed: 0 }), '/d/a')).toBe('old');
  });

  it('fill the disk after so many bytes, until there is room again', async () => {
    const disk = await ground();
    disk.room(3);
    await expect(disk.write('/d/b', bytesOf('12345'))).rejects.toMatchObject({ code: 'disk_full' });
    expect(await textOf(disk, '/d/b')).toBe('123');
    disk.room(null);
    await disk.write('/d/b', bytesOf('12345'));
    expect(await textOf(disk, '/d/b')).toBe('12345');
  });
});
