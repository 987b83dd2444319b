import { mkdirSync, mkdtempSync, readFileSync, realpathSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@hearth/service/main.ts';
import { beforeEach, expect, test } from 'vitest';
import { typed } from './testing/typed.ts';

let base = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-init-')));
});

test('makes a bot that compiles without a word and is formatted', async () => {
  const ran = await typed(['init', 'bots/greeter'], base);
  expect(ran).toMatchObject({ code: 0, err: '' });
  for (const path of ['main.bot', 'manifest.yaml', 'prompts/manner.md']) {
    expect(ran.out).toContain(`Made ${join('bots/greeter', path)}\n`);
  }
  const checked = await typed(['check', '--json', 'bots/greeter'], base);
  expect(JSON.parse(checked.out)).toEqual({ path: 'bots/greeter', ok: true, diagnostics: [] });
  expect(await typed(['fmt', '--check', 'bots'], base)).toMatchObject({ code: 0, out: '' });
});

test('makes it here when no directory is named, and takes a name', async () => {
  mkdirSync(join(base, 'My Bot'));
  const here = join(base, 'My Bot');
  const refused = await typed(['init'], here);
  expect(refused).toMatchObject({ code: 64, out: '' });
  expect(refused.err).toMatch(/"My Bot" cannot name a bot: .*--name/);
  expect((await typed(['init', '--name', 'my-bot'], here)).code).toBe(0);
  expect(readFileSync(join(here, 'manifest.yaml'), 'utf8')).toMatch(/^name: "my-bot"\n/);
  expect(JSON.parse((await typed(['check', '--json', '.'], here)).out)).toMatchObject({ ok: true });
});

test('overwrites nothing, and then makes nothing', async () => {
  mkdirSync(join(base, 'greeter'));
  writeFileSync(join(base, 'greeter', 'manifest.yaml'), 'mine');
  const ran = await typed(['init', 'greeter'], base);
  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.err).toMatch(/^hearth: There is a manifest\.yaml in [^\n]+\n$/);
  expect(readdirSync(join(base, 'greeter'))).toEqual(['manifest.yaml']);
  expect(readFileSync(join(base, 'greeter', 'manifest.yaml'), 'utf8')).toBe('mine');
});

test('the new bot talks', async () => {
  await typed(['init', 'greeter'], base);
  const home = join(base, 'home');
  const env = { HEARTH_HOME: home, HEARTH_BACKEND: 'rehearsal' };
  const service = await startService({ home, env });
  try {
    const made = await typed(['new', '--bot', './greeter'], base, '', env);
    expect(made).toMatchObject({ code: 0, err: '' });
    const said = await typed(['send', '-c', made.out.trim(), '--json', 'Is the door blue?'], base, '', env);
    expect(said.code).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({
      state: 'settled',
      reply: expect.stringContaining('Is the door blue?'),
    });
  } finally {
    await service.stop();
  }
});
