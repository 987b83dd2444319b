import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeClientTypes } from './client-types.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface BundledClient {
  /** One module without imports, for a page and for Node alike. */
  readonly code: string;
  /** The files of which it is made, relative to the root. */
  readonly sources: readonly string[];
}

/** Bundles the client for programs that are not a part of this one. Nothing is written. */
export async function bundleClient(): Promise<BundledClient> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['packages/client/lean.ts'],
    outdir: 'unwritten',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    metafile: true,
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('The client was bundled into nothing.');
  const [output] = Object.values(metafile.outputs);
  return { code: file.text, sources: Object.keys(output?.inputs ?? {}) };
}

/** Writes it below a directory as `client/client.js`, with its types beside it; resolves to the files of which it is made. */
export async function writeClient(out: string): Promise<readonly string[]> {
  const { code, sources } = await bundleClient();
  await mkdir(join(out, 'client'), { recursive: true });
  await writeFile(join(out, 'client/client.js'), code);
  await writeClientTypes(join(out, 'client'));
  return sources;
}
