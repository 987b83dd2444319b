import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Builds the studio into `packages/studio/dist/<digest of its sources>` and names that in the file `current` beside it.
 * Sources that were built before are not built again, and a build appears whole or not at all, so any number of
 * services may ask for it at once.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const STUDIO = join(ROOT, 'packages/studio');
const BUILT = join(STUDIO, 'dist');

/** What the page is made of: packages with their sources, and the versions of everything else. */
const PACKAGES = ['client', 'protocol', 'studio'];
const FILES = ['package-lock.json', 'scripts/studio.ts'];

const NAME = /^[0-9a-f]{16}$/;

function sources(): readonly string[] {
  const inPackages = PACKAGES.flatMap(name =>
    readdirSync(join(ROOT, 'packages', name), { recursive: true, encoding: 'utf8' })
      .filter(path => !/(?:^|\/)(?:dist|node_modules|testing)\/|\.test\.tsx?$/.test(path))
      .filter(path => /\.(?:tsx?|css|html|svg|json)$/.test(path))
      .map(path => `packages/${name}/${path}`),
  );
  return [...FILES, ...inPackages].sort();
}

/** Names the sources as they are now. */
function digest(): string {
  const hash = createHash('sha256');
  for (const path of sources())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Builds what is not built yet; resolves to the directory that holds it. */
export async function buildStudio(): Promise<string> {
  const name = digest();
  const directory = join(BUILT, name);
  if (!existsSync(join(directory, 'index.html'))) await bundle(directory);
  if (readCurrent() !== name) {
    const fresh = join(BUILT, `.current-${process.pid}`);
    await writeFile(fresh, `${name}\n`);
    await rename(fresh, join(BUILT, 'current'));
  }
  const old = (await readdir(BUILT)).filter(other => NAME.test(other) && other !== name);
  for (const other of old) await rm(join(BUILT, other), { recursive: true, force: true });
  return directory;
}

function readCurrent(): string | null {
  const path = join(BUILT, 'current');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

async function bundle(directory: string): Promise<void> {
  const fresh = join(BUILT, `.new-${process.pid}`);
  await mkdir(BUILT, { recursive: true });
  await inProduction(() => bundleInto(fresh));
  try {
    await rename(fresh, directory);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(join(directory, 'index.html'))) throw error;
  }
}

/**
 * React's own build for production is meant, whatever the caller's environment is called. That is put back: whatever of
 * React the caller loads later would else be another build than what it compiles against.
 */
async function inProduction(work: () => Promise<void>): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

async function bundleInto(outDir: string): Promise<void> {
  // Loaded only now: most calls find that there is nothing to build.
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    root: STUDIO,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    mode: 'production',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      // What is inlined would be refused by the page's own policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      chunkSizeWarningLimit: 1024,
    },
  });
}

if (import.meta.main) console.log(await buildStudio());
