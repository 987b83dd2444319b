import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import { format } from '@hearth/language/format/format.ts';

/*
 * Sources of profile 1 that were written from the description of the language alone, and only then compiled: each
 * sentence of it by itself, faults side by side, their near misses, and whole bots; in a third reading, how often a code
 * is given where several faults meet. `compile` is left out where an
 * error of syntax leaves more than one right reading of what remains.
 */

interface Case {
  readonly name: string;
  readonly source: string;
  readonly ok: boolean;
  readonly compile?: readonly string[];
  readonly first?: { readonly code: string; readonly line: number };
}

const cases = ['second-reading.jsonl', 'third-reading.jsonl']
  .flatMap(name =>
    readFileSync(new URL(name, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  .map((line, index): [string, Case] => {
    const one = JSON.parse(line) as Case;
    return [`${index + 1} ${one.name}`, one];
  });

test.each(cases)('case %s', (_, { source, ok, compile, first }) => {
  const { plan, diagnostics } = compileBundle({ main: source });
  const codes = diagnostics.map(one => one.code);
  const firstSyntax = diagnostics.find(one => one.code.startsWith('E'));
  if (compile !== undefined) {
    expect(codes.filter(code => code.startsWith('C')).toSorted()).toEqual(compile.toSorted());
  }
  expect(firstSyntax && { code: firstSyntax.code, line: firstSyntax.at.line }).toEqual(first);
  expect(plan !== null).toBe(ok);
  const ours = diagnostics.filter(one => one.code.startsWith('H'));
  expect(ours.filter(one => one.severity !== 'warning')).toEqual([]);
});

test('a source that is laid out means the same, and is not laid out again', () => {
  for (const [name, { source }] of cases) {
    const once = format(source, 'main.bot');
    if (once.is === 'broken') continue;
    expect(format(once.text, 'main.bot'), name).toEqual(once);
    expect(compileBundle({ main: once.text }).plan, name).toEqual(compileBundle({ main: source }).plan);
  }
});

test('a piece of a source without a piece of it gets a verdict too', () => {
  const sources = fc
    .constantFrom(...cases.map(([, { source }]) => source))
    .filter(source => source.length < 4000);
  const cut = fc.tuple(sources, fc.nat(), fc.nat()).map(([source, from, length]) => {
    const start = from % (source.length + 1);
    return source.slice(0, start) + source.slice(start + (length % 40));
  });
  fc.assert(
    fc.property(cut, source => {
      const { plan, diagnostics } = compileBundle({ main: source });
      expect(plan === null).toBe(diagnostics.some(one => one.severity === 'error'));
    }),
    { numRuns: 200 },
  );
});
