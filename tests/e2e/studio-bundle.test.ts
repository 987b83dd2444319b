import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

describe('the studio of a build', () => {
  const built = tempDirectory('dist');
  const elsewhere = tempDirectory('installed');
  const launcher = join(elsewhere, 'bin/hearth.js');
  const hearth = new Hearth(tempDirectory('home'), tempDirectory('folder'), {}, launcher);

  afterAll(async () => {
    await hearth.stop();
    removeTemps();
  });

  it('came along whole and needs no tool to be shown', async () => {
    execFileSync(process.execPath, [BUILD, built], { stdio: 'ignore' });
    cpSync(built, elsewhere, { recursive: true });
    const { code, out } = await hearth.run(['studio']);
    expect(code).toBe(0);
    const { origin } = new URL(out.trim());
    const html = await (await fetch(origin)).text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) expect((await fetch(origin + path)).status).toBe(200);
  });
});
