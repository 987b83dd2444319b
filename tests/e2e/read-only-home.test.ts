import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* A home that its owner may read and not write: commands that only look do so, every other one refuses and says why. */

const PROGRAM = fileURLToPath(new URL('../support/unprivileged-cli.ts', import.meta.url));

describe('a read-only home, without root’s powers', () => {
  const hearth = new Hearth(join(tempDirectory('read-only'), 'home'), makeProject());

  beforeAll(async () => {
    expect(await hearth.run(['send', 'hello'])).toMatchObject({ code: 0 });
    await hearth.stop();
    chmodSync(dirname(hearth.home), 0o755);
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', hearth.home]);
    execFileSync('chmod', ['-R', 'a-w', hearth.home]);
  });
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', hearth.home]);
    removeTemps();
  });

  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...words], { env: hearth.env, encoding: 'utf8', input: '' });

  it.each([
    [['status'], 1, /^No service runs/],
    [['logs'], 0, /\bstarted\b[\s\S]*\bstopped\b/],
    [['verify'], 0, /^All is whole/],
  ])('%j looks', (words, code, said) => {
    const ran = run(...words);
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(said);
    expect(ran.status).toBe(code);
  });

  it.each([['list'], ['show'], ['send', 'hello again'], ['new'], ['retention', '--dry-run'], ['serve']])(
    '%s refuses in one line',
    (...words) => {
      const ran = run(...words);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toMatch(/^hearth: The home [^\n]+ cannot be written: [^\n]+\n$/);
      expect(ran.stderr).toContain(hearth.home);
      expect(ran.status).toBe(4);
    },
  );
});
