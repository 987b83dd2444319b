import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { holdHome } from './held-home.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-held-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What another process is told that wants the same home; a lock is between processes. */
function toldElsewhere(home: string): string {
  const script = `
    import { holdHome } from ${JSON.stringify(new URL('./held-home.ts', import.meta.url).href)};
    await holdHome(${JSON.stringify(home)}).then(() => console.log('held'), error => console.log(error.code, error.message));
  `;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

it('a home is one process’s until it is given back', async () => {
  const home = join(root, 'made');
  const held = await holdHome(home);
  expect(held.home).toBe(home);
  expect(toldElsewhere(home)).toBe(
    `already_running A service already serves the home ${home}: use that one, or stop it with "hearth stop".`,
  );
  held.release();
  held.release();
  expect(toldElsewhere(home)).toBe('held');
});
