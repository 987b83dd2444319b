import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileBundle } from './compile/compile.ts';

/*
 * Small sources of profile 1 with the verdicts they must get. A source that needs something this version refuses to
 * run is here too when its verdict is an error anyway: its H003 is not part of the verdict.
 */

interface Case {
  readonly name: string;
  readonly source: string;
  readonly ok: boolean;
  readonly compile: readonly string[];
  readonly first?: { readonly code: string; readonly line: number };
}

const cases = readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8')
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
