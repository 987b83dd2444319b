import { mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeOf } from './place.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-place-')));
writeFileSync(join(root, 'file'), '');
symlinkSync(root, join(root, 'link'));

test.each(['', '../../etc', 'rel', join(root, 'file'), join(root, 'nothing')])(
  '"%s" is no workspace',
  async path => {
    await expect(placeOf(path)).rejects.toMatchObject({ code: 'invalid_workspace' });
  },
);

test('a directory is known by its real path', async () => {
  expect(await placeOf(join(root, 'link'))).toBe(root);
});
