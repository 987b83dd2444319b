import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { expect, test } from 'vitest';
import { DefaultModel } from './default-model.ts';
import { readSettings } from './settings.ts';

function homeWith(settings: object | null): string {
  const home = mkdtempSync(join(tmpdir(), 'hearth-model-'));
  if (settings !== null) writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  return home;
}

async function standardOf(home: string, env: Record<string, string> = {}): Promise<DefaultModel> {
  return new DefaultModel(nodeDisk, home, env, (await readSettings(nodeDisk, home)).model);
}

test('it is what the settings name, changes at once, and outlives a restart', async () => {
  const home = homeWith({ retention: { days: 3 } });
  const standard = await standardOf(home, { OTHER: 'x' });
  expect(standard.facts).toEqual({ model: 'auto', by: 'settings' });
  const { env } = standard;
  await standard.change(' ollama/phi ');
  expect({ ...env }).toEqual({ OTHER: 'x', HEARTH_MODEL: 'ollama/phi' });
  const again = await standardOf(home);
  expect(again.facts).toEqual({ model: 'ollama/phi', by: 'settings' });
  // Whatever else somebody has set stays.
  expect((await readSettings(nodeDisk, home)).retention.days).toBe(3);
  expect(statSync(join(home, 'settings.json')).mode & 0o777).toBe(0o600);
  await again.change('');
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toEqual({
    retention: { days: 3 },
    model: 'auto',
  });
});

test('the environment goes before it', async () => {
  const standard = await standardOf(homeWith(null), { HEARTH_MODEL: 'openai/gpt-4o' });
  await standard.change('ollama/phi');
  expect(standard.env['HEARTH_MODEL']).toBe('openai/gpt-4o');
  expect(standard.facts).toEqual({ model: 'openai/gpt-4o', by: 'environment' });
});

test('settings that somebody has broken meanwhile are left as they are', async () => {
  const home = homeWith(null);
  const standard = await standardOf(home);
  writeFileSync(join(home, 'settings.json'), '{"retention"');
  await expect(standard.change('ollama/phi')).rejects.toMatchObject({ code: 'settings_invalid' });
  expect(readFileSync(join(home, 'settings.json'), 'utf8')).toBe('{"retention"');
  expect(standard.facts.model).toBe('auto');
});
