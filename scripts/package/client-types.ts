import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { typeOf } from './schema-type.ts';

/*
 * The types of the client for others, as declarations that need neither the validator nor any other package: those of
 * the client itself as the compiler writes them, and beside them the nouns that they name, made from the schemas.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = join(ROOT, 'packages');
const NOUNS = 'nouns';

type Schema = z.core.$ZodType;

interface Nouns {
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Declarations that are no schemas, as they are written. */
  readonly plain: ReadonlyMap<string, string>;
  readonly comments: ReadonlyMap<string, string>;
}

/** Writes `client.d.ts` and what it consists of into a directory beside `client.js`. */
export async function writeClientTypes(directory: string): Promise<void> {
  const emitted = await emittedTypes();
  const nouns = await readNouns();
  const types = join(directory, 'types');
  await mkdir(types, { recursive: true });
  const named = new Set<string>();
  for (const [name, text] of emitted) {
    if (name === 'answers.d.ts') continue;
    const own = text.replace(FROM_NOUNS, (_, names: string) => {
      for (const one of names.split(',')) named.add(one.replace('type ', '').trim());
      return `import type {${names}} from './${NOUNS}.js'`;
    });
    await writeFile(join(types, name), own.replaceAll(/from '(\.\/[a-z-]+)\.ts'/g, "from '$1.js'"));
  }
  await writeFile(join(types, `${NOUNS}.d.ts`), declarations(named, nouns));
  await writeFile(join(directory, 'client.d.ts'), "export * from './types/lean.js';\n");
}

/** An import of what a schema reads, or of an answer. */
const FROM_NOUNS = /import (?:type )?\{([^}]*)\} from '(?:@hearth\/protocol\/[a-z-]+|\.\/answers)\.ts'/g;

/** What the compiler declares of the client, by file. */
async function emittedTypes(): Promise<Map<string, string>> {
  const out = await mkdtemp(join(tmpdir(), 'hearth-types-'));
  try {
    const project = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: out,
        rootDir: PACKAGES,
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      files: [join(PACKAGES, 'client/lean.ts')],
      include: [],
    };
    const config = join(out, 'tsconfig.json');
    await writeFile(config, JSON.stringify(project));
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    const [program, args] = existsSync(compiler) ? [compiler, []] : ['npx', ['tsc']];
    execFileSync(program, [...args, '-p', config], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    const files = new Map<string, string>();
    for (const name of await readdir(join(out, 'client')))
      files.set(name, await readFile(join(out, 'client', name), 'utf8'));
    return files;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Everything that the wire names. */
async function readNouns(): Promise<Nouns> {
  const schemas = new Map<string, Schema>();
  const plain = new Map<string, string>();
  const comments = new Map<string, string>();
  const protocol = (await readdir(join(PACKAGES, 'protocol'))).filter(name => /^[a-z-]+\.ts$/.test(name));
  for (const path of [...protocol.map(name => `protocol/${name}`), 'client/answers.ts']) {
    const source = await readFile(join(PACKAGES, path), 'utf8');
    const exported: Record<string, unknown> = await import(join(PACKAGES, path));
    for (const [name, value] of Object.entries(exported)) if (isSchema(value)) schemas.set(name, value);
    for (const [text, name] of source.matchAll(
      /^export (?:interface (\w+) \{[^]*?^\}|type (\w+) = [^;]*;)/gm,
    )) {
      const at = name ?? /^export type (\w+)/.exec(text)?.[1] ?? '';
      if (!text.includes('z.infer<')) plain.set(at, text);
    }
    for (const [, comment = '', name = ''] of source.matchAll(
      /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)export (?:const|interface|type) (\w+)/g,
    ))
      if (!comments.has(name)) comments.set(name, comment);
  }
  return { schemas, plain, comments };
}

/** The declarations of the named nouns and of all that those name. */
function declarations(named: ReadonlySet<string>, { schemas, plain, comments }: Nouns): string {
  const names = new Map([...schemas].map(([name, schema]) => [schema, name]));
  const written = new Map<string, string>();
  const write = (name: string): void => {
    if (written.has(name)) return;
    written.set(name, '');
    const schema = schemas.get(name);
    const own = plain.get(name);
    if (own !== undefined) {
      written.set(name, own);
      for (const [word] of own.matchAll(/\b[A-Z]\w+/g)) if (plain.has(word) || schemas.has(word)) write(word);
    } else if (schema !== undefined) {
      const text = typeOf(schema, inner => {
        const found = names.get(inner);
        if (found !== undefined) write(found);
        return found;
      });
      written.set(name, `export type ${name} = ${text};`);
    } else throw new Error(`The client's types name "${name}", of which no declaration is known.`);
  };
  for (const name of named) write(name);
  const rows = [...written].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = "import type { PlacedEvent } from './frame.js';\n";
  return [head, ...rows.map(([name, text]) => `${comments.get(name) ?? ''}${text}\n`)].join('\n');
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}
