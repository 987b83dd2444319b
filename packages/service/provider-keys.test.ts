import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HomeSecrets } from './home-secrets.ts';
import { Redactor } from './secrets.ts';

const NAME = 'ANTHROPIC_API_KEY';

function homeWith(mode: number): string {
  const home = mkdtempSync(join(tmpdir(), 'hearth-keys-'));
  mkdirSync(join(home, 'secrets'));
  writeFileSync(join(home, 'secrets', NAME), 'sk-from-a-file-0123\n');
  chmodSync(join(home, 'secrets', NAME), mode);
  return home;
}

test('a provider’s key comes from a file of the home where the environment has none, and is told to nobody', async () => {
  const redactor = new Redactor({});
  const secrets = new HomeSecrets(homeWith(0o600), {}, redactor);
  expect(await secrets.keys([NAME, 'OPENAI_API_KEY'])).toEqual({ [NAME]: 'sk-from-a-file-0123' });
  expect(redactor.value({ said: 'it is sk-from-a-file-0123' }).said).not.toContain('0123');
});

test('the environment goes before it', async () => {
  const secrets = new HomeSecrets(homeWith(0o600), { [NAME]: 'sk-env' }, new Redactor({}));
  expect(await secrets.keys([NAME])).toEqual({});
});

test('one that others can read is refused', async () => {
  const secrets = new HomeSecrets(homeWith(0o640), {}, new Redactor({}));
  await expect(secrets.keys([NAME])).rejects.toMatchObject({ code: 'settings_invalid' });
});
