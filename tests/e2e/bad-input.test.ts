import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hearth, type Ran } from '../support/hearth.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

const UNPRIVILEGED = fileURLToPath(new URL('../support/unprivileged.ts', import.meta.url));

/** One clear line and nothing else: what is wrong, and never a stack. */
function expectOneLine(ran: Ran, code: number, words: RegExp): void {
  expect(ran.code).toBe(code);
  expect(ran.out).toBe('');
  expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
  expect(ran.err).toMatch(words);
  expect(ran.err).not.toMatch(/\bat .*:\d+:\d+|Error:/);
}

describe('bad input', () => {
  const project = makeProject();
  const hearth = new Hearth(tempDirectory('home'), project);

  beforeAll(async () => {
    expect(await hearth.run(['board', 'add', 'A first ticket'])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await hearth.stop();
    removeTemps();
  });

  it('a bot with errors', async () => {
    const bot = tempDirectory('bot');
    writeFileSync(
      join(bot, 'main.bot'),
      'agent a:\n  session: sticky\n\nworkflow w:\n  entry: ghost\n  a -> done\n',
    );
    const made = await hearth.run(['new', '--bot', bot]);
    expect(made.code).toBe(1);
    expect(made.err).toMatch(/^hearth: The bot .* has \d errors and cannot run/);
    const checked = await hearth.run(['check', bot]);
    expect(checked.code).toBe(1);
    expect(`${checked.out}${checked.err}`).toMatch(/main\.bot:2:\d+ E020 error/);
  });

  it('an unknown conversation', async () => {
    const unknown = 'c_01m8p000000000000000000000';
    expectOneLine(
      await hearth.run(['send', 'hello', '--conversation', unknown]),
      1,
      /no conversation|unknown/i,
    );
    expectOneLine(await hearth.run(['show', unknown]), 1, /no conversation|unknown/i);
  });

  it('a question that was never asked', async () => {
    expectOneLine(await hearth.run(['answer', 'p999', '--choice', 'yes']), 1, /no p999/);
    const told = await hearth.json<{ error: { code: string } }>(['answer', 'p999', '--choice', 'yes']);
    expect(told).toMatchObject({ exit: 1, state: 'failed', error: { code: 'unknown_pause' } });
  });

  it('wrong usage', async () => {
    for (const words of [
      ['sing'],
      ['send'],
      ['send', 'a', '--loud'],
      ['answer', 'nine', '--choice', 'x'],
      ['board', 'fly'],
    ]) {
      const ran = await hearth.run(words);
      expect(ran).toMatchObject({ code: 64, out: '' });
      expect(ran.err).toMatch(/^hearth: /);
    }
  });

  it('an empty message and one of 5 MB', async () => {
    await hearth.run(['send', 'hello']);
    expectOneLine(await hearth.run(['send', '  ']), 1, /empty/);
    const large = 'x'.repeat(5 * 1024 * 1024);
    expectOneLine(await hearth.run(['send', '-'], { input: large }), 1, /1 MiB|larger|too large/);
    const { address } = hearth.service();
    const posted = await fetch(`${address}/v1/board/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hearth.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source: large }),
    });
    expect(posted.status).toBe(413);
    expect(await posted.json()).toMatchObject({ code: 'too_large' });
  });

  it('a wrong token', async () => {
    const { address } = hearth.service();
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${hearth.token()}` },
    ]) {
      const answer = await fetch(`${address}/v1/status`, { headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 'unauthorized' });
    }
    const foreign = { authorization: `Bearer ${hearth.token()}`, origin: 'http://example.org' };
    expect((await fetch(`${address}/v1/status`, { headers: foreign })).status).toBe(403);

    const path = join(hearth.home, 'token');
    const token = readFileSync(path);
    writeFileSync(path, 'f'.repeat(64));
    expectOneLine(await hearth.run(['list']), 4, /does not accept the token/);
    writeFileSync(path, token);
  });

  it('a port in use', async () => {
    const taken = createServer();
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const other = new Hearth(tempDirectory('home'), project);
    expectOneLine(await other.run(['serve', '--port', String(port)]), 4, new RegExp(`${port}`));
    taken.close();
  });

  it('a broken board file', async () => {
    const boards = join(hearth.home, 'boards');
    const [key = ''] = readdirSync(boards);
    const path = join(boards, key, 'tickets', 'HB-1.json');
    const whole = readFileSync(path);
    await hearth.run(['board', 'add', 'A second ticket']);
    writeFileSync(path, whole.subarray(0, 40));
    const listed = await hearth.run(['board', 'list']);
    expect(listed.out).toContain('A second ticket');
    expect(`${listed.out}${listed.err}`).toContain('HB-1.json');
    const shown = await hearth.run(['board', 'show', 'HB-1']);
    expectOneLine(shown, 4, /HB-1\.json/);
    writeFileSync(path, whole);
    expect((await hearth.run(['board', 'show', 'HB-1'])).out).toContain('A first ticket');
  });

  it('a home that is a file, or full of other things', async () => {
    const file = join(tempDirectory('bad'), 'home');
    writeFileSync(file, 'no directory');
    expectOneLine(await new Hearth(file, project).run(['list']), 4, /home/);
    expectOneLine(await new Hearth(project, project).run(['list']), 4, /home/);
    expect(readdirSync(project).toSorted()).toEqual(['.git', 'README.md', 'src']);
  });

  it('a home that is read-only or somebody else’s, without root’s powers', () => {
    const base = tempDirectory('bad');
    chmodSync(base, 0o755);
    const readOnly = join(base, 'read-only');
    const foreign = process.getuid?.() === 0 ? join(base, 'foreign') : '/';
    mkdirSync(readOnly);
    if (process.getuid?.() === 0) {
      mkdirSync(foreign, { mode: 0o777 });
      chownSync(readOnly, 65534, 65534);
    }
    chmodSync(readOnly, 0o500);
    const prepare = (home: string): { code: string; message: string } =>
      JSON.parse(execFileSync(process.execPath, [UNPRIVILEGED, home], { encoding: 'utf8' }));
    expect(prepare(readOnly)).toMatchObject({
      code: 'read_only',
      message: expect.stringContaining(readOnly),
    });
    expect(['not_yours', 'not_a_home']).toContain(prepare(foreign).code);
  });
});
