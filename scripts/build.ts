import { cp, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, studioFiles } from './package/bundle.ts';
import { writeClient } from './package/client.ts';
import { packageManifest } from './package/manifest.ts';
import { notices } from './package/notices.ts';
import { buildStudio } from './studio.ts';

/*
 * Makes the package that is published, in `dist/` or the directory that is named: the launcher, the two programs, the
 * client for others, the studio and the bots, with a manifest that asks npm for nothing else.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const out = resolve(process.argv[2] ?? join(ROOT, 'dist'));

/** Native parts of the library that draws the console, which tell keys apart; the bundled library looks for them here. */
const NATIVE = 'node_modules/@earendil-works/pi-tui/native';

/** Files that go along as they are, and where from. */
const COPIES: Readonly<Record<string, string>> = {
  LICENSE: 'LICENSE',
  'README.md': 'scripts/package/README.md',
  'bin/hearth.js': 'bin/hearth-packed.js',
  bots: 'bots',
  editors: 'editors',
  'packages/cli/native/darwin/prebuilds': `${NATIVE}/darwin/prebuilds`,
  'packages/cli/native/win32/prebuilds': `${NATIVE}/win32/prebuilds`,
};

await rm(out, { recursive: true, force: true });
const programs = await bundlePrograms(out);
const client = await writeClient(out);
const studio = await buildStudio();
const pages = join(out, 'packages/studio/dist');
await cp(studio, join(pages, basename(studio)), { recursive: true });
await writeFile(join(pages, 'current'), `${basename(studio)}\n`);
for (const [to, from] of Object.entries(COPIES))
  await cp(join(ROOT, from), join(out, to), { recursive: true });
await writeFile(join(out, 'package.json'), await packageManifest());
await writeFile(
  join(out, 'THIRD-PARTY-NOTICES'),
  await notices([...programs, ...client, ...(await studioFiles())]),
);
console.log(`Built ${out}`);
