import { describe, expect, test } from 'vitest';
import { agent, base, plain, SCHEMA, workflow } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

const two = (...edges: readonly string[]): string =>
  SCHEMA + agent('a') + agent('b') + workflow('a', ...edges);
const three = (...edges: readonly string[]): string =>
  SCHEMA + agent('a') + agent('b') + agent('c') + workflow('a', ...edges);

describe('cycles', () => {
  test.each<Verdict>([
    ['a node to itself', base('a -> a when ok', 'a -> done'), 'C019'],
    ['two edges back are two', base('a -> a when ok', 'a -> a when "n > 1"', 'a -> done'), 'C019 C019'],
    ['a loop bounds it', base('a -> a when ok as l(2)', 'a -> done'), ''],
    [
      'an end that some loop touches is enough',
      two('a -> b', 'b -> a when ok', 'b -> b when "n > 1" as l(2)', 'b -> done'),
      '',
    ],
    [
      'even where no edge of the cycle is a loop',
      three('a -> b when ok', 'a -> c as l(2)', 'b -> a', 'c -> done'),
      '',
    ],
    [
      'between nodes that no loop touches',
      three('a -> b', 'a -> done as l(2)', 'b -> c when ok', 'b -> done', 'c -> b'),
      'C019',
    ],
    ['a diamond is no cycle', three('a -> b when ok', 'a -> c', 'b -> c', 'c -> done'), ''],
    ['a cycle that is never reached', three('a -> done', 'b -> c', 'c -> b'), 'C016 C016 C019'],
    ['through an unknown node', base('a -> ghost', 'ghost -> a'), 'C001 C001 C019'],
    ['an edge that leaves done', base('a -> done', 'done -> a'), 'C019'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('loops', () => {
  test.each<Verdict>([
    ['0 is told once for a loop', two('a -> b as l(0)', 'b -> a as l(0)', 'b -> done'), 'C026'],
    ['1 is well', base('a -> a as l(1)', 'a -> done'), ''],
    ['no text at all is 0', base('a -> a as l("")', 'a -> done'), 'C026'],
    ['caps of one loop', two('a -> b as l(2)', 'b -> a as l(3)', 'b -> done'), 'C005'],
    [
      'each that differs from the first',
      two('a -> b as l(2)', 'b -> a as l(3)', 'b -> b as l(3)', 'b -> done'),
      'C005 C005',
    ],
    ['a number and a text differ', two('a -> b as l(2)', 'b -> a as l("2")', 'b -> done'), 'C005'],
    ['only the first cap of a loop counts', two('a -> b as l(2)', 'b -> a as l(0)', 'b -> done'), 'C005'],
    ['the same reference', two('a -> b as l("{{vars.x}}")', 'b -> a as l("{{vars.x}}")', 'b -> done'), ''],
    [
      'a malformed reference is told once',
      two('a -> b as l("{{x}}")', 'b -> a as l("{{x}}")', 'b -> done'),
      'C004',
    ],
    ['what a cap reads is not checked', base('a -> a as l("{{outputs.ghost.n}}")', 'a -> done'), ''],
    ['text that is neither number nor reference', base('a -> a as l("many")', 'a -> done'), 'H007'],
    ['more than one reference', base('a -> a as l("{{vars.x}}{{vars.y}}")', 'a -> done'), 'H007'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('reaching nodes', () => {
  const entry = (line: string): string => `${plain('a')}${plain('b')}workflow w:\n${line}  a -> done\n`;
  test.each<Verdict>([
    ['an unknown entry reaches nothing', entry('  entry: ghost\n'), 'C008 C016 C016'],
    ['without an entry nothing is reached either', entry(''), 'C008 C016 C016'],
    ['done as the entry', entry('  entry: done\n'), 'C016 C016'],
    ['conditions and loops lead on', two('a -> b when ok as l(2)', 'a -> done', 'b -> done'), ''],
    ['an unknown node leads on', two('a -> ghost', 'ghost -> b', 'b -> done'), 'C001 C001'],
    ['done and fail need no edge', plain('a') + workflow('a', 'a -> a as l(2)'), ''],
    ['no edge at all', `${plain('a')}workflow w:\n  entry: a\n`, ''],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});
