import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/* The picture in ARCHITECTURE.md, as a table. An arrow that is not here is not allowed. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  language: [],
  decisions: ['protocol'],
  store: ['protocol'],
  engine: ['language', 'decisions', 'protocol', 'store'],
  backends: ['engine', 'store', 'protocol'],
  board: ['engine', 'store', 'protocol'],
  conversations: ['engine', 'decisions', 'store', 'protocol'],
  service: ['conversations', 'backends', 'board', 'engine', 'decisions', 'store', 'language', 'protocol'],
  client: ['protocol'],
  console: ['client', 'protocol', 'language'],
  studio: ['client', 'protocol', 'language'],
  'language-server': ['language'],
  cli: ['console', 'service', 'client', 'language', 'language-server', 'protocol'],
};

/** Files of these packages that other packages may see only as ports: engine and the adapters see no disk. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  engine: ['clock.ts', 'disk.ts', 'ids.ts'],
};

/** Packages (or parts) without I/O, clock or randomness. */
const PURE = [
  'language',
  'decisions',
  'engine/machine',
  'engine/machine.ts',
  'engine/accept.ts',
  'engine/edges.ts',
  'engine/inputs.ts',
];
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|\bperformance\.now\(|\bprocess\.|\bfetch\(|\basync\s*(?:function|\(|\w+\s*=>)|from 'node:(?!crypto)/;

/** Packages in which nothing asks the machine for the time by itself; `clock.ts` is where it is asked. */
const CLOCKED = ['engine', 'conversations', 'board', 'decisions', 'language'];
const BARE_CLOCK = /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bMath\.random\(/;

const root = fileURLToPath(new URL('../packages', import.meta.url));

function filesIn(directory: string): string[] {
  return readdirSync(directory).flatMap(name => {
    const path = join(directory, name);
    if (name === 'node_modules' || name === 'dist') return [];
    if (statSync(path).isDirectory()) return filesIn(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** Static imports and exports at the start of a line, and dynamic imports anywhere. */
const IMPORTS = /^(?:import|export)\b(?:[^;'"`]*?\bfrom)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm;

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly owner: string;
  readonly test: boolean;
  readonly imports: readonly string[];
}

const sources: readonly SourceFile[] = filesIn(root).map(file => {
  const path = relative(root, file);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORTS)].map(match => match[1] ?? match[2] ?? '');
  return {
    path,
    text,
    owner: path.split('/')[0] ?? '',
    test: /\.test\.tsx?$|\/testing\//.test(path),
    imports,
  };
});
const product = sources.filter(source => !source.test);

describe('the import picture', () => {
  it('knows every package', () => {
    expect(
      [...new Set(sources.map(source => source.owner))].filter(name => ARROWS[name] === undefined),
    ).toEqual([]);
  });

  it('has only the arrows that are listed', () => {
    const strays = product.flatMap(source =>
      source.imports
        .map(name => /^@hearth\/([^/]+)\//.exec(name)?.[1])
        .filter(
          target =>
            target !== undefined && target !== source.owner && !ARROWS[source.owner]?.includes(target),
        )
        .map(target => `${source.path} -> ${target}`),
    );
    expect(strays).toEqual([]);
  });

  it('never reaches into another package by a relative path', () => {
    const strays = sources.filter(source =>
      source.imports.some(name => name.startsWith('.') && escapes(source.path, name)),
    );
    expect(strays.map(source => source.path)).toEqual([]);
  });

  it('shows the engine the ports of the store and nothing else of it', () => {
    const strays = product.flatMap(source =>
      source.imports
        .filter(name => name.startsWith('@hearth/store/') && PORTS[source.owner] !== undefined)
        .filter(name => !PORTS[source.owner]?.includes(name.slice('@hearth/store/'.length)))
        .map(name => `${source.path} -> ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('has no cycle between files', () => {
    expect(cycles()).toEqual([]);
  });

  it('declares every package it imports', () => {
    const strays = product.flatMap(source => {
      const manifest: { dependencies?: Record<string, string> } = JSON.parse(
        readFileSync(join(root, source.owner, 'package.json'), 'utf8'),
      );
      return source.imports
        .filter(name => !name.startsWith('.') && !name.startsWith('node:'))
        .map(name =>
          name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? ''),
        )
        .filter(name => name !== `@hearth/${source.owner}` && manifest.dependencies?.[name] === undefined)
        .map(name => `${source.path} -> ${name}`);
    });
    expect(strays).toEqual([]);
  });
});

describe('the house rules that a machine can see', () => {
  it('keeps the pure cores pure', () => {
    const impure = product.filter(source =>
      PURE.some(part => source.path === part || source.path.startsWith(`${part}/`)),
    );
    expect(impure.length).toBeGreaterThan(20);
    expect(
      impure.filter(source => IMPURE.test(withoutComments(source.text))).map(source => source.path),
    ).toEqual([]);
  });

  it('asks the machine for time or chance only through ports', () => {
    const strays = product.filter(
      source => CLOCKED.includes(source.owner) && BARE_CLOCK.test(withoutComments(source.text)),
    );
    expect(strays.map(source => source.path)).toEqual([]);
  });

  it('has no escape hatches', () => {
    const hatch =
      /:\s*any\b|\bas any\b|@ts-ignore|@ts-expect-error|eslint-disable|oxlint-disable|biome-ignore|\b(?:it|test|describe)\.(?:skip|only|todo)\(/;
    const stray = sources.filter(source => hatch.test(withoutProse(source.text)));
    expect(stray.map(source => source.path)).toEqual([]);
  });
});

function escapes(path: string, name: string): boolean {
  const parts = path.split('/').slice(0, -1);
  for (const step of name.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts[0] !== path.split('/')[0];
}

/** Code without comments; a comment may name what the code may not use. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"])\/\/.*$/gm, '$1');
}

/** Code and comments without block comments, whose prose may say "any". */
function withoutProse(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/ (?!.*(?:ts-|-disable|-ignore)).*$/gm, '');
}

/** Cycles of imports that carry values; a type alone binds nothing at run time. */
function cycles(): string[] {
  const graph = new Map(product.map(source => [source.path, valueImports(source)]));
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.add([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return [...found];
}

function valueImports(source: SourceFile): string[] {
  const statements = source.text.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)\s*from\s*'([^']+)'/gm);
  return [...statements].flatMap(([, names = '', target = '']) => {
    const inner = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1];
    const onlyTypes =
      inner !== undefined &&
      inner.split(',').every(name => name.trim() === '' || name.trim().startsWith('type '));
    if (onlyTypes) return [];
    if (target.startsWith('@hearth/')) return [target.slice('@hearth/'.length)];
    if (!target.startsWith('.')) return [];
    const parts = source.path.split('/').slice(0, -1);
    for (const step of target.split('/')) {
      if (step === '..') parts.pop();
      else if (step !== '.') parts.push(step);
    }
    return [parts.join('/')];
  });
}
