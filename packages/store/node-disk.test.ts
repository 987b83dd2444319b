import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { diskErrorFrom } from './disk-fault.ts';
import { nodeDisk } from './node-disk.ts';

let root: string;
const at = (name: string): string => join(root, name);
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hearth-node-disk-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('modes', () => {
  it.each([0o000, 0o022, 0o077, 0o377])('are 0600 and 0700 under umask %o', async umask => {
    const { execFile } = await import('node:child_process');
    const script = `
      process.umask(${umask});
      const { nodeDisk } = await import(${JSON.stringify(new URL('./node-disk.ts', import.meta.url).href)});
      await nodeDisk.makeDirectory(${JSON.stringify(at('a/b'))});
      await nodeDisk.write(${JSON.stringify(at('a/b/written'))}, Buffer.from('1'));
      await (await nodeDisk.append(${JSON.stringify(at('a/b/appended'))})).close();`;
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, ['--input-type=module', '-e', script], failure =>
        failure ? reject(failure) : resolve(),
      );
    });
    expect(await modeOf(at('a'))).toBe(0o700);
    expect(await modeOf(at('a/b'))).toBe(0o700);
    expect(await modeOf(at('a/b/written'))).toBe(0o600);
    expect(await modeOf(at('a/b/appended'))).toBe(0o600);
  });

  it('tightens a file that it writes or appends to, and leaves directories that were there alone', async () => {
    await mkdir(at('open'), { mode: 0o755 });
    await writeFile(at('open/a'), '1', { mode: 0o644 });
    await writeFile(at('open/b'), '1', { mode: 0o644 });
    await nodeDisk.makeDirectory(at('open/inside'));
    await nodeDisk.write(at('open/a'), Buffer.from('2'));
    await (await nodeDisk.append(at('open/b'))).close();
    expect(await modeOf(at('open/a'))).toBe(0o600);
    expect(await modeOf(at('open/b'))).toBe(0o600);
    expect(await modeOf(at('open'))).toBe(0o755);
  });
});

describe('links', () => {
  it('are neither followed by stat nor by remove', async () => {
    await mkdir(at('target'));
    await writeFile(at('target/kept'), '1');
    await symlink(at('target'), at('link'));
    expect((await nodeDisk.stat(at('link')))?.kind).toBe('other');
    await nodeDisk.remove(at('link'));
    expect(await readFile(at('target/kept'), 'utf8')).toBe('1');
  });
});

describe('a link', () => {
  it('is neither read among many nor counted, and a pipe is not waited for', async () => {
    const { execFileSync } = await import('node:child_process');
    await mkdir(at('inside'));
    await writeFile(at('outside'), 'x'.repeat(1000));
    await writeFile(at('inside/own'), 'own');
    await symlink(at('outside'), at('inside/link'));
    await symlink(root, at('inside/up'));
    execFileSync('mkfifo', [at('inside/pipe')]);
    expect(await nodeDisk.usage(at('inside'))).toBe(3);
    expect(await nodeDisk.usage(at('inside/link'))).toBe(0);
    expect(await nodeDisk.readMany([at('inside/link'), at('inside/pipe')])).toMatchObject([
      { code: 'disk_failed' },
      { code: 'disk_failed' },
    ]);
  });
});

it('lets other work go on while many small directories are measured one after another', async () => {
  await mkdir(at('small'));
  let others = 0;
  const count = (): void => {
    others += 1;
    if (others < 20) setImmediate(count);
  };
  setImmediate(count);
  for (let n = 0; n < 20; n += 1) await nodeDisk.usage(at('small'));
  expect(others).toBeGreaterThan(10);
});

describe('a link in the place of a file or a directory', () => {
  it('is refused by whatever would follow it, in words', async () => {
    await mkdir(at('target'));
    await writeFile(at('file'), 'words');
    await symlink(at('file'), at('to-file'));
    await symlink(at('target'), at('to-directory'));
    const refused = [
      nodeDisk.read(at('to-file')),
      nodeDisk.readRange(at('to-file'), 0, 1),
      nodeDisk.syncFile(at('to-file')),
      nodeDisk.write(at('to-file'), Buffer.from('x')),
      nodeDisk.append(at('to-file')),
      nodeDisk.truncate(at('to-file'), 0),
      nodeDisk.list(at('to-directory')),
      nodeDisk.syncDirectory(at('to-directory')),
    ];
    for (const one of await Promise.allSettled(refused)) {
      expect(one).toMatchObject({
        reason: { code: 'disk_failed', message: expect.stringContaining('is a link') as string },
      });
    }
    expect(await readFile(at('file'), 'utf8')).toBe('words');
  });
});

describe('a mark', () => {
  afterEach(() => void vi.useRealTimers());

  it('is not given to what changed a moment ago, and never given again to what replaces a file', async () => {
    const time = new Date('2026-01-01');
    await writeFile(at('a'), 'one');
    await utimes(at('a'), time, time);
    expect(await nodeDisk.marksOf([at('a')])).toEqual([null]);
    expect(await nodeDisk.readMany([at('a')])).toMatchObject([{ mark: null }]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const [before] = await nodeDisk.marksOf([at('a')]);
    expect(before).toEqual(expect.any(String));
    expect(await nodeDisk.readMany([at('a')])).toMatchObject([{ mark: before }]);
    await writeFile(at('b'), 'two');
    await utimes(at('b'), time, time);
    await rename(at('b'), at('a'));
    const [after] = await nodeDisk.marksOf([at('a')]);
    expect(after).toEqual(expect.any(String));
    expect(after).not.toBe(before);
  });

  it('is none for a link', async () => {
    await symlink(process.execPath, at('link'));
    expect(await nodeDisk.marksOf([at('link'), process.execPath])).toEqual([null, expect.any(String)]);
  });
});

describe('errors of the system', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'read_only'],
    ['EACCES', 'no_permission'],
    ['EPERM', 'no_permission'],
    ['EIO', 'disk_failed'],
    ['EMFILE', 'disk_failed'],
  ])('%s is %s, in one sentence that names the path', (code, expected) => {
    const failure = diskErrorFrom(Object.assign(new Error('raw words'), { code }), '/home/x');
    expect(failure.code).toBe(expected);
    expect(failure.message).toContain('"/home/x"');
    expect(failure.message).not.toContain('raw words');
    expect(failure.message).not.toContain('\n');
  });

  it('keeps a DiskError as it is', () => {
    const first = diskErrorFrom(new Error('odd'), '/a');
    expect(diskErrorFrom(first, '/b')).toBe(first);
  });
});
