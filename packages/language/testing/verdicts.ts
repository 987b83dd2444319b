import { compileBundle } from '../compile/compile.ts';

/** The codes of a source, sorted, without those about what cannot be run or has no effect yet. */
export function codesOf(main: string): readonly string[] {
  return compileBundle({ main })
    .diagnostics.map(one => one.code)
    .filter(code => code !== 'H003' && code !== 'H006')
    .toSorted();
}

/** A row of a table of verdicts: what it shows, the source, and the codes it gets, separated by spaces. */
export type Verdict = readonly [what: string, main: string, codes: string];

export function wordsOf(codes: string): readonly string[] {
  return codes.split(' ').filter(code => code !== '');
}
