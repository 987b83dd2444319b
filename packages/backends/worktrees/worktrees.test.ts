import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { GitWorktrees } from './worktrees.ts';

const conversation = 'c_00000000000000000000000001';
let root = '';
let work = '';
let worktrees: GitWorktrees;

const git = (directory: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: directory,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-worktrees-')));
  work = join(root, 'work');
  mkdirSync(work);
  git(work, 'init', '-q', '-b', 'main');
  writeFileSync(join(work, 'a.txt'), 'one\n');
  writeFileSync(join(work, '.gitignore'), 'built\n');
  git(work, 'add', '.');
  git(work, 'commit', '-q', '-m', 'first');
  worktrees = fresh();
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const fresh = (): GitWorktrees => new GitWorktrees(nodeDisk, join(root, 'home'));

async function open(run: 'r1' | 'r2' = 'r1'): Promise<{ path: string; branch: string; made: boolean }> {
  const opened = await worktrees.open({ conversation, run, workspace: work });
  if (opened.is === 'none') throw new Error(opened.why);
  return opened;
}

const branches = (): string => git(work, 'branch', '--list', 'hearth/*', '--format=%(refname:short)');

describe('a worktree', () => {
  it('holds what is committed, is the same one when asked again, and another for another run', async () => {
    writeFileSync(join(work, 'a.txt'), 'not committed\n');
    const first = await open();
    expect(first).toMatchObject({ made: true, branch: `hearth/${conversation}/r1` });
    expect(readFileSync(join(first.path, 'a.txt'), 'utf8')).toBe('one\n');
    worktrees = fresh();
    expect(await open()).toEqual({ ...first, made: false });
    expect((await open('r2')).path).not.toBe(first.path);
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('not committed\n');
  });

  it('without changes is removed with its branch once its run has ended, and not before', async () => {
    const { path } = await open();
    mkdirSync(join(path, 'built'));
    writeFileSync(join(path, 'built', 'x'), 'made anew at any time');
    expect(await worktrees.tidy(conversation, 'r1')).toEqual([]);
    expect(existsSync(path)).toBe(true);
    expect(await worktrees.tidy(conversation, null)).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(branches()).toBe('');
    expect(existsSync(`${path}.json`)).toBe(false);
  });

  test.each<[string, (path: string) => void]>([
    ['a file that git does not know', path => writeFileSync(join(path, 'new.txt'), 'x')],
    ['a file that was changed', path => writeFileSync(join(path, 'a.txt'), 'two\n')],
    ['a commit', path => git(path, 'commit', '-q', '--allow-empty', '-m', 'more')],
    [
      'a commit on no branch',
      path => {
        git(path, 'checkout', '-q', '--detach');
        git(path, 'commit', '-q', '--allow-empty', '-m', 'more');
      },
    ],
    [
      'a commit that is only on its branch, which is not checked out',
      path => {
        git(path, 'commit', '-q', '--allow-empty', '-m', 'more');
        git(path, 'checkout', '-q', '--detach', 'main');
      },
    ],
    ['what git cannot tell about', path => writeFileSync(join(path, '.git'), 'broken')],
  ])('with %s is kept, and given until it was told', async (_, change) => {
    const { path, branch } = await open();
    change(path);
    expect(await worktrees.tidy(conversation, null)).toEqual([{ path, branch }]);
    expect(await worktrees.tidy(conversation, 'r2')).toEqual([{ path, branch }]);
    await worktrees.told({ path, branch });
    expect(await worktrees.tidy(conversation, null)).toEqual([]);
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
    expect(branches()).toBe(branch);
  });

  it('whose commits are on another branch too is removed', async () => {
    const { path, branch } = await open();
    git(path, 'commit', '-q', '--allow-empty', '-m', 'more');
    git(work, 'merge', '-q', branch);
    expect(await worktrees.tidy(conversation, null)).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  test.each(['nothing', 'a part of the files', 'a branch and a part of the files'])(
    'that a crash left half made, with %s there, is made anew or removed',
    async what => {
      const halve = (path: string): void => {
        const note: object = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
        writeFileSync(`${path}.json`, JSON.stringify({ ...note, state: 'making' }));
        if (what === 'nothing') git(work, 'worktree', 'remove', path);
        else rmSync(join(path, 'a.txt'));
        if (what === 'a part of the files') rmSync(join(path, '.git'));
      };
      const { path } = await open();
      halve(path);
      worktrees = fresh();
      expect(await open()).toMatchObject({ path, made: true });
      expect(git(path, 'status', '--porcelain')).toBe('');
      halve(path);
      expect(await fresh().tidy(conversation, null)).toEqual([]);
      expect([existsSync(path), branches()]).toEqual([false, '']);
    },
  );

  it('that somebody removed comes back with what was committed in it', async () => {
    const { path } = await open();
    writeFileSync(join(path, 'b.txt'), 'mine');
    git(path, 'add', '.');
    git(path, 'commit', '-q', '-m', 'more');
    rmSync(path, { recursive: true });
    expect(await open()).toMatchObject({ path, made: true });
    expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('mine');
  });

  it('R13.31: is not made over something else, nor on a branch of somebody', async () => {
    const { path } = await open();
    rmSync(`${path}.json`);
    await expect(open()).rejects.toThrow(/is no worktree of this run/);
    git(work, 'branch', `hearth/${conversation}/r2`);
    await expect(open('r2')).rejects.toThrow(/No git worktree of .* could be made: .*already exists/);
  });
});

test('where there is no checkout, or no commit, there is none, and it is said why', async () => {
  const inside = join(work, 'inside');
  mkdirSync(inside);
  const empty = join(root, 'empty');
  mkdirSync(empty);
  git(empty, 'init', '-q');
  const why = async (workspace: string): Promise<unknown> =>
    await worktrees.open({ conversation, run: 'r1', workspace });
  expect(await why(inside)).toEqual({ is: 'none', why: 'it is not the root of a git checkout' });
  expect(await why(empty)).toEqual({ is: 'none', why: 'its repository has no commit yet' });
  expect(await why(join(root, 'missing'))).toMatchObject({
    is: 'none',
    why: expect.stringContaining('not there'),
  });
});
