import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

/*
 * The two programs with everything that they import, as JavaScript that Node 22.18 runs. The places of files relative to
 * one another stay those of the sources, so that nothing has to ask where it runs. Readable on purpose: whoever looks
 * into an installed package, or at a stack, sees names.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = ['packages/cli/main.ts', 'packages/cli/serve-entry.ts'];

/** A program that is started by its file's name is called `.js` here; each is put into `started`. */
function startedByName(started: Set<string>): Plugin {
  return {
    name: 'started-by-name',
    setup(building) {
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
    },
  };
}

/** A library that a program loads when it is needed is a file of its own beside it, by the name under which `found` has it. */
function besides(found: Map<string, string>): Plugin {
  return {
    name: 'libraries-beside',
    setup(building) {
      building.onResolve({ filter: /^[@\w]/ }, ({ path, kind, importer }) => {
        if (kind !== 'dynamic-import' || /^(?:node:|@hearth\/)/.test(path)) return null;
        if (!importer.startsWith(join(ROOT, 'packages/'))) return null;
        const name = `library-${path.replace(/\.js$/, '').replaceAll(/\W+/g, '-').replace(/^-/, '')}`;
        found.set(name, path);
        return { path: `./${name}.js`, external: true };
      });
    },
  };
}

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

/** What a start of the service loads; everything else of it is loaded when it is needed. */
const START = ['packages/cli/serve-entry.ts', 'packages/cli/serve-process.ts', 'packages/service/main.ts'];

/**
 * What is loaded later imports the whole of the start as well, which is there by then. So all that a start needs is used by
 * the same programs and is written into one file; else it would be cut by who shares what into half a hundred.
 */
async function startInOne(options: BuildOptions): Promise<Plugin> {
  const { inputs } = (await build({ ...options, metafile: true, write: false })).metafile;
  const start = new Set<string>();
  const take = (path: string): void => {
    if (start.has(path)) return;
    start.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && next in inputs) take(next);
  };
  for (const path of START) take(path);
  const late = new Set(
    Object.values(inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ kind, path }) => kind === 'dynamic-import' && path in inputs && !start.has(path))
      .map(({ path }) => join(ROOT, path)),
  );
  const first = `import ${JSON.stringify(join(ROOT, 'packages/service/main.ts'))};\n`;
  return {
    name: 'start-in-one',
    setup(building) {
      building.onLoad({ filter: /\/packages\/.*\.ts$/ }, async ({ path }) =>
        late.has(path) ? { contents: first + (await readFile(path, 'utf8')), loader: 'ts' } : null,
      );
    },
  };
}

/**
 * Writes the programs below a directory; resolves to the files of which they are made, relative to the root. Each is made by
 * itself: what they shared would be cut into many small files, and a start takes as long as it reads files. Only the
 * libraries that are loaded later are there once for both.
 */
export async function bundlePrograms(out: string): Promise<readonly string[]> {
  const started = new Set<string>();
  const libraries = new Map<string, string>();
  const plugins = [startedByName(started), besides(libraries), withoutUnused];
  const directory = join(out, 'packages/cli');
  const made = await Promise.all(
    PROGRAMS.map(program => bundled({ [basename(program, '.ts')]: program }, directory, plugins)),
  );
  const strays = [...started].filter(program => !PROGRAMS.includes(program));
  if (started.size === 0 || strays.length > 0)
    throw new Error(`Started by name, but no program of the package: ${strays.join(', ') || 'none'}`);
  made.push(await bundled(Object.fromEntries(libraries), directory, [withoutUnused]));
  return [...new Set(made.flat())];
}

async function bundled(
  entryPoints: Record<string, string>,
  outdir: string,
  plugins: Plugin[],
): Promise<readonly string[]> {
  const options: BuildOptions = {
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    plugins,
    // Libraries in CommonJS ask for `require`, which a module does not have.
    banner: {
      js: "import { createRequire as hearthRequire } from 'node:module';const require = hearthRequire(import.meta.url);",
    },
    logLevel: 'warning',
  };
  const service = Object.values(entryPoints).includes(START[0] ?? '');
  const parts = service ? [await startInOne(options), ...plugins] : plugins;
  const { metafile } = await build({ ...options, plugins: parts, metafile: true });
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
