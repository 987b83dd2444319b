import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from '../parse/file.ts';
import type { Tree } from '../parse/tree.ts';
import { VOCABULARY, TYPES } from './vocabulary.ts';
import type { DeclarationWord, PropertyWord } from './word.ts';

/*
 * The parser is asked word by word: whatever it takes as a property is in the table, and nothing else is.
 */

const PARSER = fileURLToPath(new URL('../parse/', import.meta.url));

/** Every word that the parser could know: all that its sources hold, and all of the table. */
const EVERY: ReadonlySet<string> = new Set([
  ...VOCABULARY.flatMap(one => [one.name, ...namesIn(one.properties)]),
  ...readdirSync(PARSER)
    .filter(name => !name.endsWith('.test.ts'))
    .flatMap(name => readFileSync(PARSER + name, 'utf8').match(/(?<![A-Za-z_])[a-z_]+(?![A-Za-z_])/g) ?? []),
]);

const CONTEXTS = VOCABULARY.flatMap(declaration => [
  [declaration.header, declaration, [] as readonly string[], declaration.properties] as const,
  ...blocksIn(declaration.properties, []).map(
    ([path, inside]) => [`${declaration.header} ${path.join(' ')}`, declaration, path, inside] as const,
  ),
]);

test.each(CONTEXTS)('%s has the properties that the parser takes', (_name, declaration, path, properties) => {
  for (const profile of [1, 2] as const) {
    if ((declaration.profile ?? 1) > profile) continue;
    const known = properties.filter(one => (one.profile ?? 1) <= profile).map(one => one.name);
    const taken = [...EVERY].filter(name => takes(profile, declaration, path, name));
    expect(taken.toSorted()).toEqual(known.toSorted());
  }
});

test('each word of a choice is taken', () => {
  for (const [, declaration, path, properties] of CONTEXTS) {
    for (const property of properties) {
      for (const value of property.values ?? []) {
        const source = sourceWith(2, declaration, [...path, property.name], value);
        const codes = parse(source, 'main.bot').diagnostics.map(one => one.code);
        expect(codes, source).not.toContain('E020');
      }
    }
  }
});

test('each declaration begins with its keyword, and each type is one', () => {
  for (const { header, name } of VOCABULARY) expect(header).toMatch(new RegExp(`^${name}(?: NAME)?:$`));
  for (const type of Object.keys(TYPES)) {
    expect(parse(`vars:\n  x: ${type}\n`, 'main.bot').diagnostics).toEqual([]);
  }
});

function namesIn(properties: readonly PropertyWord[]): readonly string[] {
  return properties.flatMap(one => [one.name, ...namesIn(one.inside ?? [])]);
}

function blocksIn(
  properties: readonly PropertyWord[],
  path: readonly string[],
): readonly (readonly [readonly string[], readonly PropertyWord[]])[] {
  return properties.flatMap(({ name, inside }) =>
    inside === undefined ? [] : [[[...path, name], inside] as const, ...blocksIn(inside, [...path, name])],
  );
}

/** Properties of the entries of a block, and not of the block itself. */
const OF_ENTRIES: Readonly<Record<string, string>> = { attachments: 'x: file', secrets: 'x:' };

function sourceWith(
  profile: 1 | 2,
  { name, header }: DeclarationWord,
  path: readonly string[],
  value: string,
): string {
  const entry = OF_ENTRIES[name];
  const lines = [
    header.replace('NAME', 'x'),
    ...(entry === undefined ? [] : [entry]),
    ...path.map(one => `${one}:`),
  ];
  const text = lines.map((line, depth) => `${'  '.repeat(depth)}${line}`).join('\n');
  return `${profile === 2 ? 'dsl: 2\n' : ''}${text} ${value}\n`;
}

function takes(profile: 1 | 2, declaration: DeclarationWord, path: readonly string[], name: string): boolean {
  const source = sourceWith(profile, declaration, [...path, name], '');
  const { tree } = parse(source, 'main.bot');
  const line = source.trimEnd().split('\n').length;
  const found = (one: Tree): boolean =>
    one.children.some(child => {
      if (!('children' in child)) return false;
      const [first] = child.children;
      const here = first !== undefined && !('children' in first) && first.at.line === line;
      return (child.kind === 'property' && here && first.text === name) || found(child);
    });
  return found(tree);
}
