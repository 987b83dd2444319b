import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Studio } from './studio.ts';

const base = mkdtempSync(join(tmpdir(), 'hearth-studio-'));
const built = join(base, 'dist');
const NAME = '0123456789abcdef';
const NO_BUILDER = join(base, 'none.ts');

beforeAll(() => {
  mkdirSync(join(built, NAME, 'assets'), { recursive: true });
  writeFileSync(join(built, 'current'), `${NAME}\n`);
  writeFileSync(join(built, NAME, 'index.html'), '<!doctype html>');
  writeFileSync(join(built, NAME, 'assets', 'index-a1.js'), '1');
  writeFileSync(join(built, NAME, 'assets', 'notes.txt'), 'no');
  writeFileSync(join(built, NAME, 'secret.html'), 'no');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('the page comes with a policy that runs nothing but its own script', async () => {
  const page = await new Studio(built, NO_BUILDER).answer('/');
  expect(page?.status).toBe(200);
  expect(page?.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page?.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page?.headers.get('cache-control')).toBe('no-cache');
});

test('what has a digest in its name is kept by the browser', async () => {
  const script = await new Studio(built, NO_BUILDER).answer('/assets/index-a1.js');
  expect(script?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script?.headers.get('cache-control')).toContain('immutable');
});

test.each([
  '/secret.html',
  '/assets/notes.txt',
  '/assets/none.js',
  '/assets/../index.html',
  '/assets/..%2findex.html',
  '/../current',
  '/current',
  '/assets/.hidden.js',
  '//etc/passwd',
])('%s is no file of the studio', async path => {
  expect(await new Studio(built, NO_BUILDER).answer(path)).toBeNull();
});

test('before anything was built the page says what to do', async () => {
  const studio = new Studio(join(base, 'empty'), NO_BUILDER);
  const page = await studio.answer('/');
  expect(page?.status).toBe(503);
  expect(await page?.text()).toContain('hearth studio');
  await expect(studio.prepare()).rejects.toMatchObject({ code: 'studio_unbuilt' });
});

test('a build that came along is ready', async () => {
  await expect(new Studio(built, NO_BUILDER).prepare()).resolves.toBeUndefined();
});

test('a build that fails is told in a sentence', async () => {
  const builder = join(base, 'builder.mjs');
  writeFileSync(builder, 'throw new Error("a fault in the test");');
  await expect(new Studio(built, builder).prepare()).rejects.toMatchObject({
    code: 'studio_unbuilt',
    message: expect.not.stringContaining('a fault in the test'),
  });
});
