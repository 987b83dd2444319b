import { describe, expect, test } from 'vitest';
import { agent, base, plain, SCHEMA, workflow } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

/** A router of a mode, with three agents behind it, and the edges that leave it. */
const router = (properties: string, ...edges: readonly string[]): string =>
  `router r:\n  ${properties}\n\n${SCHEMA}${agent('a')}${agent('b')}${workflow('r', ...edges, 'a -> done', 'b -> done')}`;
const LLM = 'mode: llm\n  model: "m"';

describe('edges out of one node', () => {
  test.each<Verdict>([
    ['two plain edges', base('a -> done', 'a -> fail'), 'C010'],
    ['three plain edges are one error', base('a -> done', 'a -> fail', 'a -> done'), 'C010'],
    ['an edge to an unknown node counts as well', base('a -> ghost', 'a -> done'), 'C001 C010'],
    ['an edge from an unknown node is looked at no further', base('x -> a when ok', 'a -> done'), 'C001'],
    ['a loop is no plain edge', base('a -> a as l(2)', 'a -> done'), ''],
    ['two loops', base('a -> a as l(2)', 'a -> done as m(2)'), ''],
    ['a condition beside a plain edge', base('a -> done when ok', 'a -> fail'), ''],
    ['one condition alone', base('a -> done when ok'), 'C012'],
    ['a condition and its opposite', base('a -> done when ok', 'a -> fail when not ok'), ''],
    ['the same condition twice', base('a -> done when ok', 'a -> fail when ok'), 'C011 C012'],
    [
      'the same negated condition twice',
      base('a -> done when not ok', 'a -> fail when not ok', 'a -> fail'),
      'C011',
    ],
    [
      'three times is two errors',
      base('a -> done when ok', 'a -> fail when ok', 'a -> done when ok', 'a -> fail'),
      'C011 C011',
    ],
    ['a loop is a way out', base('a -> a as l(2)', 'a -> done when ok'), ''],
    [
      'a loop with a condition is a condition',
      base('a -> a when ok as l(2)', 'a -> done when "n > 1"'),
      'C012',
    ],
    ['expressions do not cover all cases', base('a -> done when "n > 1"', 'a -> fail when "n <= 1"'), 'C012'],
    ['an expression twice', base('a -> done when "n > 1"', 'a -> fail when "n > 1"', 'a -> fail'), 'C011'],
    [
      'an expression written otherwise is another',
      base('a -> done when "n > 1"', 'a -> fail when "n>1"', 'a -> fail'),
      '',
    ],
    [
      'a field and the same field as an expression',
      base('a -> done when ok', 'a -> fail when "ok"', 'a -> fail'),
      '',
    ],
    [
      'one covered field is enough',
      base('a -> done when ok', 'a -> fail when not ok', 'a -> fail when "n > 1"'),
      '',
    ],
    ['two fields in one polarity each', base('a -> done when ok', 'a -> fail when "n > 1"'), 'C012'],
    ['a condition that cannot be read is none', base('a -> done when "n >"', 'a -> fail'), 'C010 C040'],
    ['and so is not missing its opposite', base('a -> done when "n >"'), 'C040'],
    ['blank is not readable', base('a -> done when " "'), 'C040'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('what conditions read', () => {
  test.each<Verdict>([
    ['a field that is no bool', base('a -> done when n', 'a -> fail'), 'C013'],
    ['a negated one', base('a -> done when not n', 'a -> fail'), 'C013'],
    ['an unknown field', base('a -> done when nope', 'a -> fail'), 'C014'],
    ['each edge on its own', base('a -> done when nope', 'a -> fail when not nope'), 'C014 C014'],
    ['no schema, no check', plain('a') + workflow('a', 'a -> done when nope', 'a -> fail'), ''],
    [
      'an unknown schema, no check',
      agent('a', 'output: x') + workflow('a', 'a -> done when nope', 'a -> fail'),
      'C002',
    ],
    [
      'an output of the source in an expression',
      base('a -> done when "outputs.a.nope"', 'a -> fail'),
      'C014',
    ],
    ['each field once', base('a -> done when "outputs.a.nope && !outputs.a.nope"', 'a -> fail'), 'C014'],
    ['two fields', base('a -> done when "outputs.a.nope && outputs.a.nix"', 'a -> fail'), 'C014 C014'],
    [
      'what the engine adds is in no schema',
      base('a -> done when "outputs.a._model == 1"', 'a -> fail'),
      'C014',
    ],
    ['the output as a whole', base('a -> done when "length(outputs.a) > 0"', 'a -> fail'), ''],
    ['outputs of others', base('a -> done when "outputs.ghost.nope"', 'a -> fail'), ''],
    [
      'bare names, vars and input',
      base('a -> done when "nope || vars.x || input.y || loop.l.max"', 'a -> fail'),
      '',
    ],
    ['from a router', router('mode: condition', 'r -> a when nope', 'r -> b'), ''],
    ['to an unknown node', base('a -> ghost when n', 'a -> done'), 'C001 C013'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('routers', () => {
  test.each<Verdict>([
    ['fan_out_all takes all its edges', router('mode: fan_out_all', 'r -> a', 'r -> b'), ''],
    ['and needs no way out', router('mode: fan_out_all', 'r -> a when ok', 'r -> b when ok'), ''],
    ['condition does', router('mode: condition', 'r -> a when ok', 'r -> b when "1 > 2"'), 'C012'],
    ['condition has one plain edge', router('mode: condition', 'r -> a', 'r -> b'), 'C010'],
    [
      'condition tells its edges apart',
      router('mode: condition', 'r -> a when ok', 'r -> b when ok', 'r -> done'),
      'C011',
    ],
    ['round_robin with two', router('mode: round_robin', 'r -> a', 'r -> b'), ''],
    ['round_robin counts loops', router('mode: round_robin', 'r -> a as l(2)', 'r -> b'), ''],
    [
      'round_robin does not count conditions',
      router('mode: round_robin', 'r -> a', 'r -> b when ok'),
      'C020',
    ],
    [
      'round_robin counts a condition that cannot be read',
      router('mode: round_robin', 'r -> a', 'r -> b when "1 +"'),
      'C040',
    ],
    ['llm with two', router(LLM, 'r -> a', 'r -> b'), ''],
    ['llm counts conditions', router(LLM, 'r -> a', 'r -> b when "x"'), ''],
    ['llm refuses each field', router(LLM, 'r -> a when ok', 'r -> b when not ok'), 'C022 C022'],
    ['llm with one edge that has a field', router(LLM, 'r -> a when ok', 'a -> b'), 'C010 C021 C022'],
    ['llm without a model', router('mode: llm', 'r -> a', 'r -> b'), 'C018'],
    ['llm with an empty model', router('mode: llm\n  model: ""\n  backend: ""', 'r -> a', 'r -> b'), 'C018'],
    ['llm with a backend', router('mode: llm\n  backend: "claw"', 'r -> a', 'r -> b'), ''],
    ['llm with a discouraged backend', router('mode: llm\n  backend: "codex"', 'r -> a', 'r -> b'), 'C030'],
    ['the mode may be left out', router('provider: "x"', 'r -> a', 'r -> b'), ''],
    [
      'what only llm routers have, one by one',
      router(
        'mode: condition\n  model: "m"\n  backend: "codex"\n  provider: "x"\n  system: p\n  user: p\n  multi: true\n  reasoning_effort: "ultra"',
        'r -> a when ok',
        'r -> b',
      ),
      'C023 C023 C023 C023 C023 C023',
    ],
    [
      'what says nothing',
      router('model: ""\n  multi: false\n  reasoning_effort: ""', 'r -> a', 'r -> b'),
      '',
    ],
    ['prompts of an llm router', router(`${LLM}\n  system: p\n  user: q`, 'r -> a', 'r -> b'), 'C003 C003'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});
