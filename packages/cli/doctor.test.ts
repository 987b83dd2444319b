import { mkdtempSync, readFileSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, typed } from './testing/typed.ts';

/* What doctor says and mends beside a running service, and when there is none any more. */

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-doctor-')));
const home = join(base, 'home');
const env = { ...process.env, HEARTH_HOME: home, OLLAMA_HOST: 'http://127.0.0.1:9' };
const hearth = (...words: string[]): Promise<Ran> => typed(words, base, '', env);
let other = '';

beforeAll(async () => {
  other = (await hearth('new', '--bot', 'hello', '--title', 'Talk')).out.trim();
});
afterAll(async () => {
  await hearth('stop', '--now');
  rmSync(base, { recursive: true, force: true });
});

test('a service that works is told by its process', async () => {
  const ran = await hearth('doctor');
  const { pid } = JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as { pid: number };
  expect(ran.out).toContain(`A service works in the home (process ${pid}).`);
  expect(ran.code).toBe(0);
});

test('one whose publication is gone is told, and status has it back', async () => {
  unlinkSync(join(home, 'service.json'));
  const ran = await hearth('doctor');
  expect(ran.out).toMatch(/^warning +lock +.* "hearth status" has it written anew\./m);
  expect((await hearth('status')).code).toBe(0);
  expect((await hearth('doctor')).out).not.toMatch(/^warning +lock/m);
});

test('beside a service no record and no half written file is touched; once it has stopped, both are mended', async () => {
  const record = join(home, 'conversations', other, 'conversation.json');
  const left = join(home, '.home.json.17-1.tmp');
  writeFileSync(
    record,
    JSON.stringify({ ...(JSON.parse(readFileSync(record, 'utf8')) as object), default: true }),
  );
  writeFileSync(left, '{', { mode: 0o600 });
  const before = readFileSync(record, 'utf8');
  const beside = await hearth('doctor', '--repair');
  expect(beside.code).toBe(4);
  expect(beside.out).toMatch(/^error +default +2 conversations claim .* repair it after "hearth stop"\./m);
  expect(readFileSync(record, 'utf8')).toBe(before);
  expect(readFileSync(left, 'utf8')).toBe('{');

  expect((await hearth('stop')).code).toBe(0);
  const mended = await hearth('doctor', '--repair');
  expect(mended.code).toBe(0);
  expect(mended.out).toContain('Repaired: it removes what was half written.');
  const again = await hearth('doctor', '--json');
  expect(JSON.parse(again.out)).toMatchObject({ ok: true });
  expect((await hearth('list')).out).toMatch(/^\*.*Nexie/m);
});
