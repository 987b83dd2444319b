import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/*
 * The home of another user, and what may be asked of a home that takes no writes. Root gives its own away and runs without
 * its powers; anybody else looks at a directory that is root's, and takes the rights of their own home away.
 */

const PROGRAM = fileURLToPath(new URL('../support/unprivileged-cli.ts', import.meta.url));
const root = process.getuid?.() === 0;

describe('without root’s powers', () => {
  const hearth = new Hearth(join(tempDirectory('foreign'), 'home'), makeProject());
  const foreign = root ? hearth.home : '/usr';
  const run = (home: string, ...words: readonly string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...words], {
      env: { ...hearth.env, HEARTH_HOME: home },
      encoding: 'utf8',
      input: '',
    });

  beforeAll(async () => {
    expect(await hearth.run(['send', 'hello'])).toMatchObject({ code: 0 });
    chmodSync(dirname(hearth.home), 0o755);
  });
  afterAll(async () => {
    execFileSync('chmod', ['-R', 'u+w', hearth.home]);
    await hearth.stop();
    removeTemps();
  });

  // A directory that anybody may read says by itself that no service runs for it.
  it.each(root ? ['status', 'stop', 'list'] : ['list', 'new'])(
    '%s of a home that is another’s says whose it is',
    word => {
      const ran = run(foreign, word);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toMatch(
        /^hearth: The home [^\n]+ belongs to another user \(uid 0\)[^\n]+HEARTH_HOME\.\n$/,
      );
      expect(ran.status).toBe(4);
    },
  );

  it('doctor says the same and repairs nothing there', () => {
    const before = readdirSync(foreign);
    const ran = run(foreign, 'doctor', '--repair');
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^error +home +The home belongs to another user \(uid 0\)/m);
    expect(ran.status).toBe(4);
    expect(readdirSync(foreign)).toEqual(before);
  });

  it('a home that takes no writes is told by doctor, with a repair that could not be made; stop finds nothing', async () => {
    await hearth.stop();
    const record = join(hearth.home, 'home.json');
    chmodSync(record, 0o644);
    if (root) {
      execFileSync('chown', ['-R', '65534:65534', hearth.home]);
      // Even its owner may not change the rights of what is another's.
      execFileSync('chown', ['0:0', record]);
    }
    execFileSync('chmod', ['-R', 'a-w', hearth.home]);
    const ran = run(hearth.home, 'doctor', '--repair');
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^error +disk +The home cannot be written/m);
    if (root) expect(ran.stdout).toMatch(/^error +permissions +.* It was tried and failed: .*home\.json/m);
    expect(ran.status).toBe(4);
    expect(run(hearth.home, 'stop')).toMatchObject({ status: 0, stderr: '' });
  });
});
