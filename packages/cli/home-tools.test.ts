import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { CommandError, type Io } from './command.ts';
import { offerRestart } from './restart-offer.ts';
import { type Ran, typed } from './testing/typed.ts';

/* Export, import, verify, doctor and token as they are typed, on one home with a real service. */

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-tools-')));
const home = join(base, 'home');
const env = { ...process.env, HEARTH_HOME: home, OLLAMA_HOST: 'http://127.0.0.1:9' };
const hearth = (...words: string[]): Promise<Ran> => typed(words, base, '', env);
const token = (): string => readFileSync(join(home, 'token'), 'utf8').trim();

afterAll(async () => {
  await hearth('stop', '--now');
  rmSync(base, { recursive: true, force: true });
});

test('before there is a home, doctor and verify say so and make none', async () => {
  expect(await hearth('verify')).toMatchObject({ code: 4, out: '' });
  const looked = await hearth('doctor', '--json');
  expect(looked.code).toBe(4);
  expect(JSON.parse(looked.out)).toMatchObject({ ok: false, home });
});

test('a conversation goes out and comes in, and nothing is overwritten', async () => {
  const c = (await hearth('new', '--bot', 'hello', '--title', 'Talk')).out.trim();
  expect((await hearth('send', '-c', c, 'hello')).code).toBe(0);
  const exported = await hearth('export', c, 'talk.tar', '--json');
  expect(exported.code).toBe(0);
  const { path, bytes } = JSON.parse(exported.out) as { path: string; bytes: number };
  expect([path, bytes, statSync(path).mode & 0o777]).toEqual([
    join(base, 'talk.tar'),
    statSync(path).size,
    0o600,
  ]);
  const again = await hearth('export', c, 'talk.tar');
  expect([again.code, again.err]).toEqual([
    1,
    `hearth: There is a file ${path} already: name another one.\n`,
  ]);
  expect((await hearth('export', c, base)).err).toContain(`${base} is a directory: name a file in it`);
  expect((await hearth('export', 'c_nothing', 'none.tar')).code).toBe(1);
  expect(await hearth('open', 'c_zz')).toMatchObject({
    code: 1,
    err: 'hearth: There is no conversation "c_zz": see "hearth list".\n',
  });
  expect((await hearth('open', c)).err).toContain('needs a terminal');

  const imported = (await hearth('import', 'talk.tar')).out.trim();
  expect(imported).toMatch(/^c_/);
  expect(imported).not.toBe(c);
  expect((await hearth('show', imported)).out).toContain('hello');
  expect(await hearth('import', 'nothing.tar')).toMatchObject({ code: 1, out: '' });
});

test('verify and doctor find nothing, and then what was damaged', async () => {
  expect((await hearth('verify')).out).toContain('All is whole');
  expect((await hearth('verify', 'nothing')).code).toBe(1);
  expect((await hearth('doctor')).code).toBe(0);
  const mark = readFileSync(join(home, 'home.json'));
  writeFileSync(join(home, 'home.json'), '{');
  const verified = await hearth('verify', '--json');
  expect(verified.code).toBe(4);
  expect(JSON.parse(verified.out)).toMatchObject({
    ok: false,
    findings: [{ path: 'home.json', severity: 'damage' }],
  });
  expect((await hearth('doctor', '--repair')).code).toBe(4);
  writeFileSync(join(home, 'home.json'), mark);
});

test('another token is not printed, and commands go on with it', async () => {
  const before = token();
  const ran = await hearth('token', 'rotate');
  expect(ran.code).toBe(0);
  expect(token()).not.toBe(before);
  for (const secret of [before, token()]) expect(ran.out + ran.err).not.toContain(secret);
  expect((await hearth('list')).code).toBe(0);
});

test.each(['n\n', '\n', 'perhaps\n'])('a restart is offered and not done without a yes: %j', async said => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const io: Io = {
    env,
    cwd: base,
    stdin,
    stdout: new PassThrough(),
    stderr,
    interrupted: new AbortController().signal,
    interruption: { message: '' },
  };
  const error = new CommandError(4, 'version_mismatch', 'It is Hearth 9.');
  stdin.end(said);
  await expect(offerRestart(error, io)).rejects.toBe(error);
  expect(String(stderr.read())).toContain('Restart it now?');
  const other = new Error('another');
  await expect(offerRestart(other, io)).rejects.toBe(other);
});
