import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { describe, expect, test } from 'vitest';
import { prepareHome } from './home.ts';
import { homeToken } from './token.ts';

const root = (): string => mkdtempSync(join(tmpdir(), 'hearth-home-'));
const mode = (path: string): number => statSync(path).mode & 0o777;

describe('a home that passes', () => {
  test('is made with its parents, mode 0700', async () => {
    const path = join(root(), 'a', 'home');
    expect(await prepareHome(path)).toBe(path);
    expect(mode(path)).toBe(0o700);
  });

  test('may be an empty directory, which is tightened', async () => {
    const path = root();
    chmodSync(path, 0o755);
    await prepareHome(path);
    expect(mode(path)).toBe(0o700);
  });

  test('may be one whose initialisation was cut short', async () => {
    const path = root();
    writeFileSync(join(path, 'lock.sqlite'), '');
    writeFileSync(join(path, '.home.json.12-3.tmp'), '');
    mkdirSync(join(path, 'conversations'));
    await expect(prepareHome(path)).resolves.toBe(path);
  });

  test('is found through a link', async () => {
    const base = root();
    mkdirSync(join(base, 'real'));
    symlinkSync(join(base, 'real'), join(base, 'link'));
    expect(await prepareHome(join(base, 'link'))).toBe(join(base, 'real'));
  });
});

describe('a home that is refused, untouched', () => {
  test("somebody's other folder", async () => {
    const path = root();
    writeFileSync(join(path, 'thesis.txt'), 'words');
    chmodSync(path, 0o755);
    await expect(prepareHome(path)).rejects.toMatchObject({ code: 'not_a_home' });
    expect(mode(path)).toBe(0o755);
  });

  test('a file', async () => {
    const path = join(root(), 'file');
    writeFileSync(path, '');
    await expect(prepareHome(path)).rejects.toMatchObject({ code: 'not_a_directory' });
  });

  test('below a file', async () => {
    const path = join(root(), 'file');
    writeFileSync(path, '');
    await expect(prepareHome(join(path, 'home'))).rejects.toMatchObject({ code: 'not_a_directory' });
  });

  test('below a directory that can hold none', async () => {
    await expect(prepareHome('/proc/hearth/home')).rejects.toMatchObject({ name: 'HomeError' });
  });

  test('a format of another version', async () => {
    const path = root();
    writeFileSync(join(path, 'home.json'), '{"format": 2}');
    await expect(prepareHome(path)).rejects.toMatchObject({ code: 'newer_format' });
  });

  test('a record that cannot be read', async () => {
    const path = root();
    writeFileSync(join(path, 'home.json'), '{');
    await expect(prepareHome(path)).rejects.toMatchObject({ code: 'home_damaged' });
  });

  test('a record that is a directory, and says how it is made anew', async () => {
    const path = root();
    mkdirSync(join(path, 'home.json'));
    await expect(prepareHome(path)).rejects.toMatchObject({
      code: 'home_damaged',
      message: expect.stringContaining('move it away') as string,
    });
  });
});

describe('the token', () => {
  test('is made once, 0600, and kept', async () => {
    const home = root();
    const token = await homeToken(nodeDisk, home);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(mode(join(home, 'token'))).toBe(0o600);
    expect(await homeToken(nodeDisk, home)).toBe(token);
  });

  test('is tightened when others could read it', async () => {
    const home = root();
    await homeToken(nodeDisk, home);
    chmodSync(join(home, 'token'), 0o644);
    await homeToken(nodeDisk, home);
    expect(mode(join(home, 'token'))).toBe(0o600);
  });

  test('is never replaced when it cannot be read as one', async () => {
    const home = root();
    writeFileSync(join(home, 'token'), 'secret');
    await expect(homeToken(nodeDisk, home)).rejects.toMatchObject({ code: 'home_damaged' });
    expect(readFileSync(join(home, 'token'), 'utf8')).toBe('secret');
    expect(existsSync(join(home, 'token'))).toBe(true);
  });

  test('that is a directory is told, with what to do', async () => {
    const home = root();
    mkdirSync(join(home, 'token'));
    await expect(homeToken(nodeDisk, home)).rejects.toMatchObject({
      code: 'home_damaged',
      message: expect.stringContaining('remove it') as string,
    });
  });
});
