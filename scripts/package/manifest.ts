import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const Root = z.object({ version: z.string(), description: z.string(), license: z.string() });

/**
 * The manifest of the published package. It has no dependencies, since everything is bundled, and its version is that of
 * the root, which is also the one that `hearth --version` reads in it.
 */
export async function packageManifest(): Promise<string> {
  const path = new URL('../../package.json', import.meta.url);
  const { version, description, license } = Root.parse(JSON.parse(await readFile(path, 'utf8')));
  const manifest = {
    name: '@hearth-bots/hearth',
    version,
    description,
    keywords: ['agents', 'bots', 'cli', 'conversations'],
    license,
    type: 'module',
    bin: { hearth: 'bin/hearth.js' },
    exports: { './client': { types: './client/client.d.ts', default: './client/client.js' } },
    files: ['bin', 'bots', 'client', 'editors', 'packages', 'THIRD-PARTY-NOTICES'],
    engines: { node: '>=22.18' },
    // A name with a scope would be private otherwise.
    publishConfig: { access: 'public' },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
