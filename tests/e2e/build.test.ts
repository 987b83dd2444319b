import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

describe('the build', () => {
  const built = tempDirectory('dist');
  const elsewhere = tempDirectory('installed');
  const hearth = new Hearth(
    tempDirectory('home'),
    tempDirectory('folder'),
    {},
    join(elsewhere, 'bin/hearth.js'),
  );

  afterAll(async () => {
    await hearth.stop();
    removeTemps();
  });

  it('runs from anywhere with nothing but Node, service included', async () => {
    execFileSync(process.execPath, [BUILD, built], { stdio: 'ignore' });
    cpSync(built, elsewhere, { recursive: true });
    const sent = await hearth.run(['send', 'hello']);
    expect(sent).toMatchObject({ code: 0, err: '' });
    expect(sent.out).toContain('Rehearsal');
    expect(await hearth.run(['check', join(elsewhere, 'bots/hello')])).toMatchObject({ code: 0 });
  });
});
