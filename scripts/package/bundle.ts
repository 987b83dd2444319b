import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';

/*
 * The two programs with everything that they import, as JavaScript that Node 22.18 runs. The places of files relative to
 * one another stay those of the sources, so that nothing has to ask where it runs. Readable on purpose: whoever looks
 * into an installed package, or at a stack, sees names.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = ['packages/cli/main.ts', 'packages/cli/serve-entry.ts'];

/** A program that is started by its file's name is called `.js` here. */
const startedByName: Plugin = {
  name: 'started-by-name',
  setup(building) {
    const started = new Set<string>();
    building.onLoad({ filter: /packages\/cli\/[^/]+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g,
        (_, name: string) => {
          started.add(`packages/cli/${name}.ts`);
          return `new URL('./${name}.js', import.meta.url)`;
        },
      );
      return { contents, loader: 'ts' };
    });
    building.onEnd(() => {
      const strays = [...started].filter(program => !PROGRAMS.includes(program));
      if (started.size > 0 && strays.length === 0) return null;
      return {
        errors: [{ text: `Started by name, but no program of the package: ${strays.join(', ') || 'none'}` }],
      };
    });
  },
};

/**
 * What would be loaded at every start and is never used: the server speaks no HTTP/2, which the library beneath it asks for
 * in order to tell such requests apart, and the validator's sentences are nowhere shown in other languages.
 */
export const withoutUnused: Plugin = {
  name: 'without-unused',
  setup(building) {
    const [namespace, contents] = [
      'unused',
      'export class Http2ServerRequest {}\nexport const constants = { NGHTTP2_NO_ERROR: 0 };',
    ];
    building.onResolve({ filter: /^(?:node:)?http2$/ }, ({ path }) => ({ path, namespace }));
    building.onLoad({ filter: /./, namespace }, () => ({ contents }));
    building.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Writes the programs below a directory; resolves to the files of which they are made, relative to the root. */
export async function bundlePrograms(out: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: join(out, 'packages/cli'),
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    plugins: [startedByName, withoutUnused],
    // Libraries in CommonJS ask for `require`, which a module does not have.
    banner: {
      js: "import { createRequire as hearthRequire } from 'node:module';const require = hearthRequire(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  return used(metafile);
}

/** The files of which the studio's page is made, relative to the root. Nothing is written. */
export async function studioFiles(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['packages/studio/main.tsx'],
    outdir: 'unwritten',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'warning',
  });
  return used(metafile);
}

/** The inputs of which anything is left in an output. */
function used({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap(output => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))];
}
