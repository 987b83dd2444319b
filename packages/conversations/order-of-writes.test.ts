import type { AppendHandle } from '@hearth/store/disk.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { message, type Sample, started, textOfFile } from './testing/sample-home.ts';

/* What must be on the disk before what, and what is held open when nothing happens. */

const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());
const moment = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const at = async (home: Sample): Promise<string> =>
  `/hearth/conversations/${await home.conversations.default()}/epochs/1`;

/** A disk that writes its calls down, counts the handles that are open, and can be held before a sync. */
class TellingDisk extends SimDisk {
  readonly told: string[] = [];
  readonly open = new Set<string>();
  hold: Promise<void> = Promise.resolve();

  override async append(path: string): Promise<AppendHandle> {
    const handle = await super.append(path);
    this.open.add(path);
    return {
      write: async bytes => {
        this.told.push(`write ${path}`);
        await handle.write(bytes);
      },
      sync: async () => {
        await this.hold;
        await handle.sync();
      },
      close: async () => {
        this.open.delete(path);
        await handle.close();
      },
    };
  }
  override rename(from: string, to: string): Promise<void> {
    this.told.push(`rename ${to}`);
    return super.rename(from, to);
  }
  override syncDirectory(path: string): Promise<void> {
    this.told.push(`sync ${path}`);
    return super.syncDirectory(path);
  }
  override remove(path: string): Promise<void> {
    this.told.push(`remove ${path}`);
    return super.remove(path);
  }
}

describe('a conversation at rest', () => {
  it('holds no file open', async () => {
    const disk = new TellingDisk();
    const home = await started({ disk });
    const lane = await laneOf(home);
    await lane.send(message('one'));
    expect(disk.open.size).toBeGreaterThan(0);
    await lane.settled();
    expect([...disk.open]).toEqual([]);
  });
});

describe('a long text', () => {
  it('is on the disk before the commit that refers to it', async () => {
    const disk = new TellingDisk();
    const home = await started({ disk });
    const lane = await laneOf(home);
    disk.told.length = 0;
    await lane.send(message('x'.repeat(100_000)));
    const blob = disk.told.findIndex(call => call.startsWith('rename') && call.includes('/blobs/'));
    const named = disk.told.findIndex((call, index) => index > blob && /^sync .*\/blobs$/.test(call));
    const commit = disk.told.findIndex(call => /^write .*\/journal\./.test(call));
    expect(blob).toBeGreaterThanOrEqual(0);
    expect(named).toBeGreaterThan(blob);
    expect(commit).toBeGreaterThan(named);
  });

  it('that cannot be kept is refused with its message', async () => {
    const home = await started();
    const lane = await laneOf(home);
    home.disk.failNext('write', 'disk_full');
    await expect(lane.send(message('x'.repeat(100_000)))).rejects.toMatchObject({ code: 'disk_full' });
    await lane.ready();
    expect((await lane.history(null, 10)).items).toEqual([]);
  });
});

describe('a journal that a snapshot has replaced', () => {
  async function stale() {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    await home.conversations.closeAll();
    const path = `${await at(home)}/journal.1.jsonl`;
    await home.disk.write(path, new TextEncoder().encode('left from before the snapshot\n'));
    const disk = new TellingDisk();
    await copy(home.disk, disk, '/hearth');
    disk.told.length = 0;
    return { disk, path, root: await at(home) };
  }

  it('goes only after the snapshot has its name for sure', async () => {
    const { disk, path, root } = await stale();
    const lane = await laneOf(await started({ disk }));
    const gone = disk.told.indexOf(`remove ${path}`);
    expect(gone).toBeGreaterThanOrEqual(0);
    expect(disk.told.slice(0, gone)).toContain(`sync ${root}`);
    expect((await lane.history(null, 10)).items[0]).toMatchObject({ text: 'one' });
  });

  it('stays when that cannot be had', async () => {
    const { disk, path } = await stale();
    disk.failNext('syncDirectory', 'disk_failed');
    await laneOf(await started({ disk }));
    expect(disk.told).not.toContain(`remove ${path}`);
    expect(await textOfFile(disk, path)).toContain('left from before');
  });
});

describe('a refusal', () => {
  it('that rests on what is not durable yet is told only when that is', async () => {
    const disk = new TellingDisk();
    const lane = await laneOf(await started({ disk }));
    const gate = Promise.withResolvers<void>();
    disk.hold = gate.promise;
    const order: string[] = [];
    const first = lane.send(message('one')).then(() => order.push('accepted'));
    await moment();
    const second = lane.send(message('two', { delivery: 'reject' })).then(reply => {
      order.push(reply.refused?.code ?? 'accepted');
    });
    for (let count = 0; count < 10; count += 1) await moment();
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['accepted', 'turn_active']);
  });

  it('is none when what it rested on was lost', async () => {
    const disk = new TellingDisk();
    const lane = await laneOf(await started({ disk }));
    const gate = Promise.withResolvers<void>();
    disk.hold = gate.promise;
    const first = lane.send(message('one'));
    await moment();
    const second = lane.send(message('two', { delivery: 'reject' }));
    await moment();
    disk.failNext('appendSync', 'disk_failed');
    gate.resolve();
    await expect(first).rejects.toMatchObject({ code: 'disk_failed' });
    await expect(second).rejects.toMatchObject({ code: 'disk_failed' });
  });
});

/** Everything of one disk under a directory, durable on another. */
async function copy(from: SimDisk, to: SimDisk, path: string): Promise<void> {
  const found = await from.stat(path);
  if (found?.kind === 'file') {
    await to.write(path, (await from.read(path)) ?? new Uint8Array());
    await to.syncFile(path);
    return;
  }
  await to.makeDirectory(path);
  for (const name of await from.list(path)) await copy(from, to, `${path}/${name}`);
  await to.syncDirectory(path);
}
