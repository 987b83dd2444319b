import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileBundle } from '@hearth/language/compile/compile.ts';

/*
 * Small sources of profile 1 with the verdicts they must get: whether they compile, the codes of the graph as a
 * multiset, and the first code of the syntax with its line. What Hearth adds to that are warnings.
 */

interface Case {
  readonly name: string;
  readonly source: string;
  readonly ok: boolean;
  readonly compile: readonly string[];
  readonly first?: { readonly code: string; readonly line: number };
}

const cases = readFileSync(new URL('language.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line, index): [string, Case] => {
    const one = JSON.parse(line) as Case;
    return [`${index + 1} ${one.name}`, one];
  });

test.each(cases)('case %s', (_, { source, ok, compile, first }) => {
  const { plan, diagnostics } = compileBundle({ main: source });
  const codes = diagnostics.map(one => one.code);
  const firstSyntax = diagnostics.find(one => one.code.startsWith('E'));
  expect(codes.filter(code => code.startsWith('C')).toSorted()).toEqual([...compile].toSorted());
  expect(firstSyntax && { code: firstSyntax.code, line: firstSyntax.at.line }).toEqual(first);
  expect(plan !== null).toBe(ok);
});
