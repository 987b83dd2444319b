import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { withoutUnused } from '../../scripts/package/bundle.ts';
import { builtPackage } from './built.ts';
import { madeOnce, ROOT } from './product.ts';

const LAUNCHER = 'bin/hearth.js';
/** As deep as any module of a package, which finds what is beside it by that. */
const SERVICE = 'packages/service/fault-service.mjs';

/** Where the product was packed for these sources. */
const packed = (): Promise<string> => madeOnce('packed', pack);

async function pack(out: string): Promise<void> {
  cpSync(await builtPackage(), out, { recursive: true });
  await bundleService(out);
}

/**
 * The programs, the studio and the bots as they are published; resolves to the launcher. They start in half of the time
 * that the sources take, and hundreds are started.
 */
export async function packedLauncher(): Promise<string> {
  return join(await packed(), LAUNCHER);
}

/** The service that kills itself where it is told to. */
export async function packedService(): Promise<string> {
  return join(await packed(), SERVICE);
}

async function bundleService(out: string): Promise<void> {
  const banner =
    "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);";
  await build({
    entryPoints: [join(ROOT, 'tests/crash/fault-service.ts')],
    outdir: dirname(join(out, SERVICE)),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // As the programs are: what is loaded later is not read at the start.
    splitting: true,
    plugins: [withoutUnused],
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: banner },
    external: ['ai', '@ai-sdk/*', 'vite', '@vitejs/*', 'esbuild'],
    logLevel: 'error',
  });
}
