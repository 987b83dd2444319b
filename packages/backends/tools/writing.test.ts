import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash } from './bash.ts';
import { editFile } from './edit-file.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { offersNamespaces } from './namespaces.ts';
import { readFile } from './read-file.ts';
import { readText, writeText } from './text-file.ts';
import { walk } from './walk.ts';
import { writeFile } from './write-file.ts';

let outer = '';
let workspace = '';

beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-writing-')));
  workspace = join(outer, 'project');
  mkdirSync(join(workspace, 'src'), { recursive: true });
  mkdirSync(join(workspace, '.git'));
  writeFileSync(join(workspace, 'src/main.ts'), 'one\ntwo\ntwo\n');
  writeFileSync(join(outer, 'secret.txt'), 'outside\n');
  symlinkSync(outer, join(workspace, 'out'));
  symlinkSync(join(outer, 'nowhere.txt'), join(workspace, 'dangling'));
});

afterEach(() => rmSync(outer, { recursive: true, force: true }));

function call(tool: Tool, args: JsonObject, signal = new AbortController().signal): Promise<ToolResult> {
  return tool.run(args, { effect: 'e1', node: 'dev', workspace, author: 'Dev', signal });
}

const text = (name: string): string => readFileSync(join(workspace, name), 'utf8');

describe('write_file', () => {
  test('makes a file with its directories, then replaces it and keeps its mode', async () => {
    expect(await call(writeFile, { path: 'docs/a/b.md', content: 'é\n' })).toEqual({
      content: { path: 'docs/a/b.md', bytes: 3, created: true },
    });
    chmodSync(join(workspace, 'docs/a/b.md'), 0o755);
    expect(await call(writeFile, { path: join(workspace, 'docs/a/b.md'), content: 'new' })).toMatchObject({
      content: { created: false },
    });
    expect(text('docs/a/b.md')).toBe('new');
    expect(statSync(join(workspace, 'docs/a/b.md')).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(workspace, 'docs/a'))).toEqual(['b.md']);
  });

  test.each([
    '../x.txt',
    'src/../../x.txt',
    'out/x.txt',
    'out/deep/x.txt',
    '/etc/hearth-x',
    'dangling',
    '.git/hooks/pre-commit',
    '.GIT/hooks/pre-commit',
    'src/node_modules/x.js',
    'src',
    'src/main.ts/below.txt',
    'new\0name',
  ])('never writes %j', async path => {
    expect((await call(writeFile, { path, content: 'x' })).error).toEqual(expect.any(String));
    expect(readdirSync(outer).sort()).toEqual(['project', 'secret.txt']);
    expect(readdirSync(join(workspace, '.git'))).toEqual([]);
    expect(text('src/main.ts')).toBe('one\ntwo\ntwo\n');
  });
});

test('what could not be read again is not written', async () => {
  const large = { path: 'src/main.ts', content: 'é'.repeat(3 * 1024 * 1024) };
  expect((await call(writeFile, large)).error).toMatch(/would be larger than 4 MiB/);
  const grown = { path: 'src/main.ts', old_text: 'two', new_text: 'x'.repeat(3 * 1024 * 1024), every: true };
  expect((await call(editFile, grown)).error).toMatch(/would be larger than 4 MiB/);
  expect(text('src/main.ts')).toBe('one\ntwo\ntwo\n');
});

test('a link that is put in the place of a directory between the look and the act leads nowhere', async () => {
  const place = join(workspace, 'src');
  const path = join(place, 'secret.txt');
  expect(await readText(path, 'secret.txt')).toHaveProperty('refused');
  renameSync(place, join(workspace, 'moved'));
  symlinkSync(outer, place);
  expect(await readText(path, 'secret.txt')).toEqual({ refused: '"secret.txt" cannot be read.' });
  expect(await writeText(join(place, 'made.txt'), 'made.txt', 'x')).toHaveProperty('refused');
  expect(await writeText(join(place, 'new/made.txt'), 'made.txt', 'x')).toHaveProperty('refused');
  const found: string[] = [];
  const signal = new AbortController().signal;
  for await (const { name } of walk({ path: place, name: 'src' }, { workspace }, signal)) found.push(name);
  expect(found).toEqual([]);
  expect(readdirSync(outer).sort()).toEqual(['project', 'secret.txt']);
});

test('no tool enters a home of Hearth that lies in the workspace', async () => {
  const home = join(workspace, '.hearth');
  mkdirSync(join(home, 'worktrees/one'), { recursive: true });
  writeFileSync(join(home, 'token'), 'the token\n');
  const within = (tool: Tool, args: JsonObject, where = workspace): Promise<ToolResult> => {
    const signal = new AbortController().signal;
    return tool.run(args, {
      effect: 'e1',
      node: 'dev',
      workspace: where,
      author: 'Dev',
      closed: [home],
      signal,
    });
  };
  const settings = { path: '.hearth/settings.json', content: '{}' };
  expect((await within(readFile, { path: '.hearth/token' })).error).toContain('closed');
  expect((await within(writeFile, settings)).error).toContain('closed');
  expect((await within(grep, { pattern: 'token' })).content).toEqual({ matches: [], more: false });
  expect((await within(glob, { pattern: '**/token' })).content).toEqual({ files: [], more: false });
  // Where the system offers no namespaces there is no bash, and so no output either.
  const listed = await within(bash, { command: 'ls -A .hearth; echo x > .hearth/settings.json' });
  expect(Object(listed.content).output ?? '').toBe('');
  expect(readdirSync(home).sort()).toEqual(['token', 'worktrees']);
  // A worktree of a run lies in it, and is a workspace as any other.
  const worktree = join(home, 'worktrees/one');
  expect((await within(writeFile, { path: 'a.txt', content: 'a' }, worktree)).error).toBeUndefined();
  const inside = await within(bash, { command: 'cat a.txt; ls -A ../..' }, worktree);
  expect(Object(inside.content).output ?? '').not.toContain('token');
  expect(Object(inside.content).exit).toBe((await offersNamespaces()) ? 0 : undefined);
});

describe('edit_file', () => {
  test.each<[string, JsonObject, string | RegExp]>([
    ['one passage', { old_text: 'one\n', new_text: '1\n' }, '1\ntwo\ntwo\n'],
    ['each passage', { old_text: 'two', new_text: '$&', every: true }, 'one\n$&\n$&\n'],
    ['one that stands twice', { old_text: 'two', new_text: '2' }, /stands 2 times/],
    ['one that is not there', { old_text: 'three', new_text: '3' }, /does not stand/],
  ])('%s', async (_, args, expected) => {
    const result = await call(editFile, { path: 'src/main.ts', ...args });
    if (typeof expected === 'string') expect(text('src/main.ts')).toBe(expected);
    else {
      expect(result.error).toMatch(expected);
      expect(text('src/main.ts')).toBe('one\ntwo\ntwo\n');
    }
  });
  test('nothing outside', async () => {
    expect(
      (await call(editFile, { path: 'out/secret.txt', old_text: 'o', new_text: 'x', every: true })).error,
    ).toContain('outside');
  });
});

describe('bash', () => {
  /** Whether there is none by itself, because the system offers no namespaces; then it says so, and nothing has run. */
  async function isOff(): Promise<boolean> {
    if (await offersNamespaces()) return false;
    expect((await call(bash, { command: 'touch ran' })).error).toMatch(
      /offers no namespaces[^]*HEARTH_BASH=open/,
    );
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
    return true;
  }

  test('gives output, errors and the exit code, from inside the workspace', async () => {
    if (await isOff()) return;
    const result = await call(bash, { command: 'pwd; echo wrong >&2; exit 3' });
    expect(result).toEqual({ content: { exit: 3, output: `${workspace}\n`, errors: 'wrong\n' } });
  });

  test('sees no key of the service', async () => {
    if (await isOff()) return;
    const secrets = {
      ANTHROPIC_API_KEY: 'sk-1',
      OPENAI_BASE_URL: 'sk-2',
      GH_TOKEN: 'sk-3',
      DB_PASSWORD: 'sk-4',
      NPM_AUTHTOKEN: 'sk-5',
      PGPASSWORD: 'sk-7',
      MYSQL_PWD: 'sk-8',
      DATABASE_URL: 'postgres://ada:sk-6@db/orchard',
    };
    Object.assign(process.env, secrets);
    try {
      const result = await call(bash, { command: 'env' });
      expect(JSON.stringify(result)).not.toContain('sk-');
      expect(JSON.stringify(result)).toContain('PATH=');
    } finally {
      for (const name of Object.keys(secrets)) delete process.env[name];
    }
  });

  test('keeps the beginning and the end of a long output', async () => {
    if (await isOff()) return;
    const result = await call(bash, {
      command: 'echo first; head -c 200000 /dev/zero | tr "\\0" x; echo; echo last',
    });
    const output = String(Object(result.content).output);
    expect(output.length).toBeLessThan(31_000);
    expect(output).toMatch(/^first\n[^]*bytes left out[^]*last\n$/);
  });

  test('sees the workspace and nothing else of the person’s, and has no network', async () => {
    if (await isOff()) return;
    writeFileSync(join(workspace, 'own.txt'), 'own\n');
    const outside = join(dirname(workspace), 'outside.txt');
    writeFileSync(outside, 'secret');
    const command = `cat own.txt; echo new > made.txt; ls "$HOME"; cat ${outside} ${homedir()}/.bashrc; touch /usr/x; echo > /dev/tcp/127.0.0.1/1; ls /proc | grep -c '^[0-9]'`;
    const { output, errors } = Object(await call(bash, { command })).content;
    expect(output).toMatch(/^own\n[\w-]*\s*[1-9]\n$/);
    expect(errors).toMatch(/outside.txt: No such file[^]*Read-only file system[^]*unreachable/);
    expect(text('made.txt')).toBe('new\n');
  });

  test('cannot take apart what keeps it inside, nor leave it', async () => {
    if (await isOff()) return;
    const attempts = [
      'chroot / true && echo left',
      'mount -t tmpfs none /tmp && echo mounted',
      'mount -o remount,bind,rw /usr && echo opened',
      'unshare --user --map-root-user true && echo nested',
      'printf 0 > /proc/sys/kernel/printk_delay && echo set',
      'head -c 8 /etc/shadow',
      'grep -h ^CapEff: /proc/self/status /proc/1/status',
      'df --output=size -B1M / | tail -1',
    ];
    const { output } = Object(await call(bash, { command: attempts.join('; ') })).content;
    expect(output).toMatch(/^(CapEff:\t0{16}\n){2} *1024\n$/);
  });

  test('cannot change what git runs by itself, nor put another repository in its place', async () => {
    if (await isOff()) return;
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    const git = join(workspace, '.git');
    rmSync(join(git, 'hooks'), { recursive: true });
    const attempts = [
      'echo x > .git/hooks/post-commit',
      'git config core.pager evil',
      'umount .git/hooks',
      'mv .git .other && cp -r .other .git',
      'rm -rf .git/hooks .git/config',
      'mkdir evil && cp .git/config evil/ && echo ../evil > .git/commondir',
      'git add -A src && echo added',
    ];
    const { output, errors } = Object(await call(bash, { command: attempts.join('; ') })).content;
    expect(errors).toMatch(/post-commit: Read-only[^]*config[^]*superuser[^]*busy/);
    // Its own git reads the configuration from there; nobody else's does afterwards.
    expect(output === '' || output === 'added\n').toBe(true);
    expect(readdirSync(join(git, 'hooks'))).toEqual([]);
    expect(existsSync(join(git, 'commondir'))).toBe(false);
    expect(execFileSync('git', ['config', '--list', '--local'], { cwd: workspace }).toString()).not.toContain(
      'evil',
    );
    expect((await call(bash, { command: 'git add -A && echo added' })).content).toMatchObject({
      output: 'added\n',
    });
  });

  test('in a worktree commits, and leaves alone where git finds the repository', async () => {
    if (await isOff()) return;
    const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    execFileSync('git', [...as, 'commit', '-q', '--allow-empty', '-m', 'one'], { cwd: workspace });
    const worktree = join(outer, 'worktree');
    execFileSync('git', ['worktree', 'add', '-q', worktree], { cwd: workspace });
    const common = join(workspace, '.git/worktrees/worktree/commondir');
    const attempts = [
      'echo "gitdir: evil" > .git',
      `echo evil > ${common}`,
      `mv ${dirname(common)} ${dirname(common)}2`,
      `git ${as.join(' ')} commit -q --allow-empty -m two && git log --format=%s`,
    ];
    const context = {
      effect: 'e1',
      node: 'dev',
      workspace: worktree,
      board: workspace,
      author: 'Dev',
    } as const;
    const result = await bash.run(
      { command: attempts.join('; ') },
      { ...context, signal: new AbortController().signal },
    );
    expect(Object(result.content).errors).toMatch(/\.git: Read-only[^]*commondir: Read-only[^]*busy/);
    expect(Object(result.content).output).toBe('two\none\n');
    expect(text('.git/worktrees/worktree/commondir')).toBe('../..\n');
  });

  describe('that a person has opened', () => {
    beforeEach(() => {
      process.env['HEARTH_BASH'] = 'open';
    });
    afterEach(() => {
      delete process.env['HEARTH_BASH'];
    });

    test('R13.37: ends with everything that it started, when the turn is stopped', async () => {
      const stop = new AbortController();
      const running = call(bash, { command: `(sleep 300; touch late) & echo $! > pid; wait` }, stop.signal);
      await expect.poll(() => existsSync(join(workspace, 'pid')) && text('pid') !== '').toBe(true);
      stop.abort();
      expect((await running).content).toMatchObject({ ended: 'the turn was stopped' });
      await expect.poll(() => alive(Number(text('pid')))).toBe(false);
    });

    test('and when it ends by itself', async () => {
      await call(bash, { command: 'sleep 300 & echo $! > pid' });
      await expect.poll(() => alive(Number(text('pid')))).toBe(false);
    });

    test('and when its time is over', async () => {
      const result = await call(bash, { command: 'echo begun; sleep 300', seconds: 1 });
      expect(result.content).toMatchObject({ exit: null, output: 'begun\n', ended: 'its time was over' });
    });

    test('waits for nobody who left its group and holds the output', async () => {
      const result = await call(bash, {
        command: `setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 0.3; echo done`,
      });
      process.kill(Number(text('pid')));
      expect(result.content).toMatchObject({ exit: 0, output: 'done\n' });
    });
  });

  test('confined, nothing that it starts outlives it', async () => {
    if (await isOff()) return;
    const result = await call(bash, { command: 'setsid sleep 300 & (sleep 300) & echo done' });
    expect(result.content).toMatchObject({ exit: 0, output: 'done\n' });
  });

  test('a command that cannot be a command is explained', async () => {
    expect((await call(bash, { command: 'echo a\0b' })).error).toContain('NUL');
  });
});

/** Whether a process runs; one that only waits to be collected does not. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
