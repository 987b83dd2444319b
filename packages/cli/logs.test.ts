import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typed } from './testing/typed.ts';

const home = mkdtempSync(join(tmpdir(), 'hearth-logs-'));
const logs = (...words: string[]) => typed(['logs', ...words], home, '', { HEARTH_HOME: home });

test('without a log it says so', async () => {
  expect(await logs()).toMatchObject({ code: 1, out: '' });
});

test('lines are shown for people, and as JSON for programs', async () => {
  mkdirSync(join(home, 'logs'));
  const lines = [
    '{"at":"2026-01-01T10:00:00.000Z","level":"info","event":"started","port":4310}',
    'torn \u001b[31m',
    '{"at":"2026-01-01T10:00:01.000Z","level":"error","event":"internal","where":"x"}',
  ];
  writeFileSync(join(home, 'logs', 'service.log'), `${lines.join('\n')}\n`);
  const shown = await logs();
  expect(shown.out.split('\n')).toEqual([
    '2026-01-01 10:00:00.000  info     started  port=4310',
    expect.not.stringContaining('\u001b') as string,
    '2026-01-01 10:00:01.000  error    internal  where=x',
    '',
  ]);
  expect((await logs('--json')).out).toBe(`${lines[0]}\n${lines[2]}\n`);
  expect((await logs('-n', '1')).out).toContain('internal');
  expect((await logs('-n', 'x')).code).toBe(64);
});

test('what is less telling, and other conversations, are left out on demand', async () => {
  const lines = [
    '{"at":"2026-01-01T10:00:00.000Z","level":"debug","event":"node","conversation":"c_aaa"}',
    '{"at":"2026-01-01T10:00:00.000Z","level":"info","event":"turn","conversation":"c_aaa"}',
    '{"at":"2026-01-01T10:00:00.000Z","level":"warning","event":"turn","conversation":"c_bbb"}',
  ];
  writeFileSync(join(home, 'logs', 'service.log'), `${lines.join('\n')}\n`);
  expect((await logs('--json', '--level', 'info')).out).toBe(`${lines[1]}\n${lines[2]}\n`);
  expect((await logs('--json', '-c', 'aaa')).out).toBe(`${lines[0]}\n${lines[1]}\n`);
  expect((await logs('--json', '-c', 'c_aaa', '--level', 'info', '-n', '1')).out).toBe(`${lines[1]}\n`);
  expect((await logs('--level', 'loud')).code).toBe(64);
});
