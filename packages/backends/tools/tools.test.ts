import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool, ToolContext, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gitLog } from './git-log.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { readFile } from './read-file.ts';
import { skillTool } from './skill.ts';
import { workspaceTools } from './workspace-tools.ts';

let outer = '';
let workspace = '';

function call(tool: Tool, args: JsonObject, where = workspace): Promise<ToolResult> {
  const context: ToolContext = {
    effect: 'e1',
    node: 'nexie',
    workspace: where,
    author: 'Nexie',
    signal: new AbortController().signal,
  };
  return tool.run(args, context);
}

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  const env = {
    PATH: process.env['PATH'],
    HOME: outer,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_COMMITTER_DATE: '2020-05-01T10:00:00Z',
  };
  execFileSync('git', [...identity, ...args], { cwd: workspace, stdio: 'pipe', env });
}

beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), 'hearth-tools-'));
  workspace = join(outer, 'project');
  mkdirSync(join(workspace, 'src/deep'), { recursive: true });
  mkdirSync(join(workspace, 'node_modules/thing'), { recursive: true });
  writeFileSync(join(outer, 'secret.txt'), 'token\n');
  writeFileSync(join(workspace, 'README.md'), 'one\ntwo\nthree\n');
  writeFileSync(join(workspace, 'src/main.ts'), 'export const answer = 42;\n// TODO tidy\n');
  writeFileSync(join(workspace, 'src/deep/more.ts'), '// TODO later\n');
  writeFileSync(join(workspace, 'src/slow.txt'), `${'a'.repeat(60)}!\n`);
  writeFileSync(join(workspace, 'a'.repeat(200)), '');
  writeFileSync(join(workspace, 'picture.bin'), Buffer.from([1, 0, 2, 84, 79, 68, 79]));
  writeFileSync(join(workspace, 'node_modules/thing/index.ts'), '// TODO not ours\n');
  symlinkSync(join(outer, 'secret.txt'), join(workspace, 'escape.txt'));
  symlinkSync(outer, join(workspace, 'out'));
  symlinkSync('README.md', join(workspace, 'inner-link.md'));
  git('init', '-q');
  git('add', 'README.md');
  git('commit', '-q', '-m', 'Write the readme', '-m', 'Closes HB-4.\n\nTwo paragraphs.');
  git('add', 'src/main.ts');
  git('commit', '-q', '-m', 'Answer | with; odd "marks" $(x)');
});

afterAll(() => rmSync(outer, { recursive: true, force: true }));

describe('what every workspace tool promises', () => {
  const writing = ['write_file', 'edit_file', 'bash'];
  test.each(workspaceTools.map(tool => [tool.name, tool] as const))(
    '%s says whether it writes, and refuses wrong arguments in words',
    async (_, tool) => {
      const mutates = writing.includes(tool.name);
      expect(tool).toMatchObject({ mutates, idempotent: !mutates });
      expect(tool.input).toMatchObject({ type: 'object' });
      const answer = await call(tool, { path: 7, pattern: 7, limit: 'many' });
      expect(answer.error).toContain(`${tool.name} cannot use these arguments`);
    },
  );
});

describe('confinement', () => {
  const outside = [
    '../secret.txt',
    'src/../../secret.txt',
    '/etc/passwd',
    'escape.txt',
    'out/secret.txt',
    '..',
    'src\\..\\..\\x',
    'a\0b',
  ];
  const closed = ['.git/config', 'node_modules/thing/index.ts'];
  test.each([...outside, ...closed])('%j is not read', async path => {
    const answer = await call(readFile, { path });
    expect(answer.error).toBeTypeOf('string');
    expect(JSON.stringify(answer)).not.toContain('token');
    expect((await call(grep, { pattern: '.', path })).error).toBeTypeOf('string');
    expect((await call(gitLog, { path })).error).toBeTypeOf('string');
  });

  test('a link inside the workspace and an absolute path inside it are read', async () => {
    expect((await call(readFile, { path: 'inner-link.md' })).content).toMatchObject({
      path: 'README.md',
      lines: 3,
    });
    expect((await call(readFile, { path: join(workspace, 'README.md') })).content).toMatchObject({
      path: 'README.md',
    });
  });
});

describe('read_file', () => {
  test('reads a file that was handed over, wherever it is, and no other outside the workspace', async () => {
    const handed = join(outer, 'secret.txt');
    const context: ToolContext = {
      effect: 'e1',
      node: 'nexie',
      workspace,
      author: 'Nexie',
      attached: path => path === handed,
      signal: new AbortController().signal,
    };
    expect((await readFile.run({ path: handed }, context)).content).toMatchObject({ text: 'token' });
    expect((await call(readFile, { path: handed })).error).toContain('outside the workspace');
    expect((await readFile.run({ path: `${outer}/project/../secret.txt` }, context)).error).toBeDefined();
  });

  test('gives a page of lines and says whether more follow', async () => {
    expect((await call(readFile, { path: 'README.md', offset: 2, limit: 1 })).content).toEqual({
      path: 'README.md',
      from: 2,
      to: 2,
      lines: 3,
      text: 'two',
      more: true,
    });
  });
  test.each([
    ['src', 'is a directory'],
    ['picture.bin', 'not a text file'],
    ['absent.md', 'There is no "absent.md"'],
  ])('%s: %s', async (path, why) => {
    expect((await call(readFile, { path })).error).toContain(why);
  });
  test('an offset past the end says how long the file is', async () => {
    expect((await call(readFile, { path: 'README.md', offset: 9 })).error).toContain('only 3 lines');
  });
});

describe('glob', () => {
  test.each([
    ['**/*.ts', ['src/main.ts', 'src/deep/more.ts']],
    ['./src/*.ts', ['src/main.ts']],
    ['*.md', ['README.md']],
  ])('%s', async (pattern, files) => {
    expect((await call(glob, { pattern })).content).toEqual({ files, more: false });
  });
  test.each(['../*', '/etc/*'])('%s is refused', async pattern => {
    expect((await call(glob, { pattern })).error).toContain('leaves the workspace');
  });
  test.each([`${'*a'.repeat(12)}*b`, '{a,b}'.repeat(40)])('%s is cut off', async pattern => {
    expect((await call(glob, { pattern })).error).toContain('takes too long');
  });
  test('names the first two hundred, and says that there are more', async () => {
    const many = join(outer, 'many');
    mkdirSync(many);
    for (let at = 0; at < 600; at += 1) writeFileSync(join(many, `f${at}.ts`), '');
    const { content } = await call(glob, { pattern: '*.ts' }, many);
    expect(content).toMatchObject({ more: true, files: expect.objectContaining({ length: 200 }) });
  });
});

describe('grep', () => {
  test('finds lines of text files and enters neither links, packages nor binaries', async () => {
    expect((await call(grep, { pattern: 'TODO|token' })).content).toEqual({
      matches: [
        { path: 'src/main.ts', line: 2, text: '// TODO tidy' },
        { path: 'src/deep/more.ts', line: 1, text: '// TODO later' },
      ],
      more: false,
    });
  });
  test('searches one file or directory', async () => {
    expect((await call(grep, { pattern: 'TODO', path: 'src/deep' })).content).toMatchObject({
      matches: [{ path: 'src/deep/more.ts' }],
    });
    expect((await call(grep, { pattern: '^t', path: 'README.md' })).content).toMatchObject({
      matches: [{ line: 2 }, { line: 3 }],
    });
  });
  test('a pattern that is no regular expression is explained', async () => {
    expect((await call(grep, { pattern: '(' })).error).toContain('not a regular expression');
  });
  test('a pattern that never ends is cut off', async () => {
    expect((await call(grep, { pattern: '^(a+)+$', path: 'src/slow.txt' })).error).toContain(
      'takes too long',
    );
  });
});

describe('git_log', () => {
  test('tells commits, newest first, with whole messages', async () => {
    const { content } = await call(gitLog, {});
    expect(content).toMatchObject({
      commits: [
        { subject: 'Answer | with; odd "marks" $(x)', author: 'Ada', body: '' },
        { subject: 'Write the readme', body: 'Closes HB-4.\n\nTwo paragraphs.' },
      ],
    });
    expect(content).toMatchObject({
      commits: [
        { hash: expect.stringMatching(/^[0-9a-f]{40}$/), date: expect.stringMatching(/^\d{4}-/) },
        {},
      ],
    });
  });
  test.each([
    [{ grep: 'hb-4' }, 1],
    [{ grep: '$(x)' }, 1],
    [{ grep: 'a.*e' }, 0],
    [{ path: 'src' }, 1],
    [{ limit: 1 }, 1],
    [{ since: '2021-01-01' }, 0],
    [{ grep: '--all' }, 0],
  ])('%j gives %i', async (args, count) => {
    const { content } = await call(gitLog, args);
    expect(content).toMatchObject({ commits: { length: count } });
  });
  test('a directory without a repository, and one inside another repository, have no history', async () => {
    expect((await call(gitLog, {}, outer)).error).toContain('not a git repository');
    expect((await call(gitLog, {}, join(workspace, 'src'))).error).toContain('not a git repository');
  });
  test('starts no program that the repository names', async () => {
    const signed = join(outer, 'signed');
    const started = join(outer, 'started');
    const run = (args: readonly string[], input = ''): string =>
      execFileSync('git', args, { cwd: signed, encoding: 'utf8', input }).trim();
    mkdirSync(signed);
    writeFileSync(join(outer, 'verify.sh'), `#!/bin/sh\ntouch ${started}\n`, { mode: 0o755 });
    run(['init', '-q']);
    run(['config', 'log.showSignature', 'true']);
    run(['config', 'gpg.program', join(outer, 'verify.sh')]);
    const who = 'Ada <ada@example.org> 1588327200 +0000';
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abcd\n -----END PGP SIGNATURE-----';
    const tree = run(['mktree']);
    const commit = run(
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nSigned\n`,
    );
    run(['update-ref', 'HEAD', commit]);
    expect((await call(gitLog, {}, signed)).content).toMatchObject({ commits: [{ subject: 'Signed' }] });
    expect(existsSync(started)).toBe(false);
  });
  test('a repository without commits has an empty history', async () => {
    const fresh = join(outer, 'fresh');
    mkdirSync(fresh);
    execFileSync('git', ['init', '-q'], { cwd: fresh });
    expect((await call(gitLog, {}, fresh)).content).toEqual({ commits: [] });
  });
});

describe('skill', () => {
  const tool = skillTool([
    { name: 'obsolete-sweep', description: 'Finds tickets already done.', body: 'Read the log.' },
  ]);
  test('gives the body of a skill and lists the skills in its description', async () => {
    expect(tool.description).toContain('obsolete-sweep: Finds tickets already done.');
    expect((await call(tool, { name: 'obsolete-sweep' })).content).toEqual({
      name: 'obsolete-sweep',
      body: 'Read the log.',
    });
  });
  test('names the skills when asked for another', async () => {
    expect((await call(tool, { name: 'sweep' })).error).toContain('obsolete-sweep');
  });
});
