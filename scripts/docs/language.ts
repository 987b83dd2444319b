import { BUNDLES } from '@hearth/language/codes/bundles.ts';
import { CODES } from '@hearth/language/codes.ts';
import { FUNCTIONS } from '@hearth/language/expr/functions.ts';
import { CLAUSES, MODIFIERS, NAMESPACES, TYPES, VOCABULARY } from '@hearth/language/vocabulary/vocabulary.ts';
import type { PropertyWord } from '@hearth/language/vocabulary/word.ts';
import { code, table } from './markdown.ts';

/*
 * The language's tables, made from its vocabulary and its codes.
 */

/** Each declaration with its properties. */
export function declarations(): string {
  return VOCABULARY.map(({ header, means, properties, profile }) => {
    const head = `### \`${header.replace(/:$/, '')}\`\n\n${means}${profile === 2 ? ' Profile 2.' : ''}`;
    const rows = properties.flatMap(one => propertyRows(one, ''));
    return rows.length === 0 ? head : `${head}\n\n${table(['Property', 'Is', 'Means'], rows)}`;
  }).join('\n\n');
}

/** A property and those of its block, which are written with a dot in between. */
function propertyRows(word: PropertyWord, before: string): readonly (readonly string[])[] {
  const name = `${before}${word.name}`;
  const means = `${word.means}${word.profile === 2 ? ' Profile 2.' : ''}`;
  const own = [code(name), word.takes === 'block' ? 'a block' : code(word.takes), means];
  return [own, ...(word.inside ?? []).flatMap(one => propertyRows(one, `${name}.`))];
}

export function types(): string {
  return table(
    ['Type', 'Holds'],
    Object.entries(TYPES).map(([name, means]) => [code(name), means]),
  );
}

export function clauses(): string {
  return forms(CLAUSES);
}

export function modifiers(): string {
  return forms(MODIFIERS);
}

function forms(
  words: Readonly<Record<string, { readonly form: string; readonly means: string; readonly profile?: 2 }>>,
): string {
  return table(
    ['Written', 'Means'],
    Object.values(words).map(({ form, means, profile }) => [
      form.split(' · ').map(code).join(', '),
      `${means}${profile === 2 ? ' Profile 2.' : ''}`,
    ]),
  );
}

export function namespaces(): string {
  return table(
    ['Begins with', 'Is'],
    Object.entries(NAMESPACES).map(([name, means]) => [code(name), means]),
  );
}

/** What each function gives. */
const GIVES: Readonly<Record<string, string>> = {
  length: 'The elements of a list, the keys of a map, the UTF-8 bytes of a string; 0 for null.',
  concat: 'One list of all the lists.',
  unique: 'The list without repeated elements.',
  contains: 'Whether the list has the value.',
  join: 'The elements as text, with a separator between them.',
  if: 'The second argument when the first is true, else the third; only that one is worked out.',
  map: 'The list with each element worked out anew: `map(items, v => v.name)`.',
  filter: 'The elements for which it holds: `filter(items, v => v.open)`.',
  reduce: 'One value from all elements: `reduce(numbers, (sum, v) => sum + v, 0)`.',
  tail: 'The last elements of a list, so many.',
  sort: 'The list in order: numbers by size, texts by their bytes.',
  keys: 'The keys of a map, in order.',
  values: 'The values of a map, in the order of the keys.',
  slice: 'The elements from a place, counted from 0, up to another.',
  sum: 'The sum of a list of numbers.',
  min: 'The least of several values, or of a list.',
  max: 'The greatest of several values, or of a list.',
  flatten: 'One list of a list of lists.',
  floor: 'The whole number below.',
  round: 'The nearest whole number; halves go away from zero.',
};

export function functions(): string {
  return table(
    ['Function', 'Gives'],
    Object.entries(FUNCTIONS).map(([name, { least, most, since }]) => [
      code(`${name}(${most === Number.POSITIVE_INFINITY ? '…' : 'abc'.slice(0, most).split('').join(', ')})`),
      `${GIVES[name] ?? ''}${least === most || most === Number.POSITIVE_INFINITY ? '' : ` At least ${least}.`}${since === 2 ? ' Profile 2.' : ''}`,
    ]),
  );
}

export function diagnostics(): string {
  return table(
    ['Code', 'Severity', 'Means'],
    CODES.map(one => [code(one.code), one.severity, one.meaning]),
  );
}

export function bundleDiagnostics(): string {
  return table(
    ['Code', 'Severity', 'Means'],
    BUNDLES.map(one => [code(one.code), one.severity, one.meaning]),
  );
}
