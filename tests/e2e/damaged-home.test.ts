import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* A damaged home in which no service works, looked at by processes of their own: nothing else keeps those alive. */

afterAll(removeTemps);

it.each([
  ['verify', /^Damage: home\.json cannot be read\.\nDamage was found in /],
  ['doctor', /^error {4}home .*home\.json/m],
])('%s waits for its second look and tells the damage', async (command, said) => {
  const home = tempDirectory('damaged-home');
  writeFileSync(join(home, 'home.json'), '{', { mode: 0o600 });
  const ran = await new Hearth(home, home).run([command]);
  expect(ran.err).toBe('');
  expect(ran.out).toMatch(said);
  expect(ran.code).toBe(4);
});
