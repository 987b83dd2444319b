// Bundles Hearth for a machine that has only Node: `dist/` holds the launcher, the two programs, the studio and the bots. The
// places of files relative to one another stay those of the sources, so that nothing has to ask where it runs.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildStudio } from './studio.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(root, 'dist'));

/** A file that is started by name is called `.js` in the bundle. */
const startedByName = {
  name: 'started-by-name',
  setup(building) {
    building.onLoad({ filter: /packages\/cli\/launch\.ts$/ }, async ({ path }) => {
      const contents = (await readFile(path, 'utf8')).replace("'./serve-entry.ts'", "'./serve-entry.js'");
      return { contents, loader: 'ts' };
    });
  },
};

await rm(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['packages/cli/main.ts', 'packages/cli/serve-entry.ts'],
  outdir: join(out, 'packages/cli'),
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  plugins: [startedByName],
  // Libraries in CommonJS ask for `require`, which a module does not have.
  banner: {
    js: "import { createRequire as hearthRequire } from 'node:module';const require = hearthRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const launcher = await readFile(join(root, 'bin/hearth.js'), 'utf8');
await mkdir(join(out, 'bin'), { recursive: true });
await writeFile(
  join(out, 'bin/hearth.js'),
  launcher.replace('../packages/cli/main.ts', '../packages/cli/main.js'),
  {
    mode: 0o755,
  },
);
await writeFile(
  join(out, 'package.json'),
  `${JSON.stringify({ name: 'hearth', type: 'module', private: true })}\n`,
);
const studio = await buildStudio();
const page = join(out, 'packages/studio/dist');
await cp(studio, join(page, basename(studio)), { recursive: true });
await writeFile(join(page, 'current'), `${basename(studio)}\n`);
await cp(join(root, 'bots'), join(out, 'bots'), { recursive: true });
await cp(join(root, 'LICENSE'), join(out, 'LICENSE'));
console.log(`Built ${dirname(join(out, 'x'))}`);
