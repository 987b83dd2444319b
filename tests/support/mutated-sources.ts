import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CODES } from '@hearth/language/codes.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import { parse } from '@hearth/language/parse/file.ts';
import { print } from '@hearth/language/parse/tree.ts';

/*
 * Sources that almost are sources: every one that the project holds, changed at random in a few places. The same seed
 * gives the same sources, so what fails can be tried again.
 */

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const below = (path: string): readonly string[] =>
  readdirSync(fileURLToPath(new URL(path, ROOT)), { recursive: true, encoding: 'utf8' }).toSorted();

/** The sources of the cases, the bots, the documents and the codes. */
export function everySource(): readonly string[] {
  const cases = read('tests/cases/language.jsonl')
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { readonly source: string }).source);
  const bots = below('bots')
    .filter(name => name.endsWith('.bot'))
    .map(name => read(`bots/${name}`));
  const documents = below('docs')
    .filter(name => name.endsWith('.md'))
    .flatMap(name => [...read(`docs/${name}`).matchAll(/^```bot[^\n]*\n([\s\S]*?)^```$/gm)])
    .map(([, source = '']) => source);
  return [...cases, ...bots, ...documents, ...CODES.flatMap(({ wrong, right }) => [wrong, right])];
}

/** Random numbers from a seed. */
type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed * 2 + 1;
  return below => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, below);
  };
}

/** Pieces that lead into every mode and out of it. */
const PIECES: readonly string[] = [
  ...': -> { } {{ }} [ ] ( ) , - * . = | " \\ ` ## # 1 2.5 é 𝒳 true done string[]'.split(' '),
  ...'\n;\n  ;\n    ;  ;\t;\r\n;\r;|\n;\u{feff};\ud800'.split(';'),
  ...' when ; as l(2);with { x: "y" }; on stop; opens [x]; else'.split(';'),
  ...'prompt p:|agent a:|artifact x:|fail f:|review r:\n  actions:|secrets:'
    .split('|')
    .map(head => `${head}\n  `),
  'dsl: 2\n',
];

type Mutation = (source: string, random: Random, others: readonly string[]) => string;

const cut = (source: string, random: Random, longest: number): readonly [number, number] => {
  const start = random(source.length + 1);
  return [start, Math.min(source.length, start + random(longest))];
};

const MUTATIONS: readonly Mutation[] = [
  (source, random) => {
    const [start, end] = cut(source, random, 20);
    return source.slice(0, start) + source.slice(end);
  },
  (source, random) => {
    const [start, end] = cut(source, random, 60);
    return source.slice(0, end) + source.slice(start);
  },
  (source, random) => {
    const [at] = cut(source, random, 1);
    return source.slice(0, at) + (PIECES[random(PIECES.length)] ?? '') + source.slice(at);
  },
  (source, random, others) => {
    const other = others[random(others.length)] ?? '';
    const [start, end] = cut(other, random, 120);
    const [at] = cut(source, random, 1);
    return source.slice(0, at) + other.slice(start, end) + source.slice(at);
  },
  (source, random) => {
    const lines = source.split('\n');
    const [one, two] = [random(lines.length), random(lines.length)];
    return lines
      .with(one, lines[two] ?? '')
      .with(two, lines[one] ?? '')
      .join('\n');
  },
  (source, random) => {
    const lines = source.split('\n');
    const at = random(lines.length);
    return lines.with(at, ' '.repeat(random(7)) + (lines[at] ?? '').trimStart()).join('\n');
  },
];

/** The mutated source of a seed. */
export function mutated(seed: number, sources: readonly string[]): string {
  const random = randomFrom(seed);
  for (let skip = 0; skip < 4; skip += 1) random(1);
  let source = sources[random(sources.length)] ?? '';
  for (let left = 1 + random(4); left > 0; left -= 1) {
    source = MUTATIONS[random(MUTATIONS.length)]?.(source, random, sources) ?? source;
  }
  return source;
}

/** What is wrong with how a source is read, or nothing. */
export function misread(source: string): string | undefined {
  try {
    if (print(parse(source, 'main.bot').tree) !== source) return 'its tree does not print as the source';
    const { plan, diagnostics } = compileBundle({ main: source });
    const wrong = diagnostics.some(one => one.severity === 'error');
    if ((plan === null) !== wrong) return 'a plan and errors';
    const lines = source.split('\n').length;
    const lost = diagnostics.find(({ at }) => at.line < 1 || at.line > lines || at.column < 1);
    return lost && `${lost.code} stands at no place of the source`;
  } catch (error) {
    return `it throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

/** Reads mutated sources, from one seed on, and gives the first that is misread. */
export function firstMisread(from: number, count: number): { source: string; why: string } | undefined {
  const sources = everySource();
  for (let seed = from; seed < from + count; seed += 1) {
    const source = mutated(seed, sources);
    const why = misread(source);
    if (why !== undefined) return { source, why: `seed ${seed}: ${why}` };
  }
  return undefined;
}
