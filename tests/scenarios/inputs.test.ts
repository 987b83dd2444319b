import { describe, expect, test } from 'vitest';
import { scenario } from './harness.ts';
import { flow, from, HEAD, home, text, verdict } from './parts.ts';

/* What a node is given when it is come to. */

const PROFILE_2 = `dsl: 2\n\n${HEAD}`;

describe('values of an edge that was not taken', () => {
  // `gate` leads to `end` over one of two edges; both carry values, and `gate` has an output either way.
  const source = (head: string): string =>
    head +
    verdict('gate', 'true', "'given'") +
    `schema both:\n  text: string\n  plain: string\n  good: string\n\n` +
    `compute end:\n  output: both\n  expr:\n    text: "'got'"\n    plain: "if(length(input.plain) > 0, 'plain', 'no plain')"\n    good: "if(length(input.good) > 0, 'good', 'no good')"\n\n` +
    text('show', "input.plain + ', ' + input.good") +
    home() +
    flow(
      'gate',
      'gate -> end when good with { good: "{{outputs.gate.text}}" }',
      'gate -> end with { plain: "{{outputs.gate.text}}" }',
      'end -> show with { plain: "{{outputs.end.plain}}", good: "{{outputs.end.good}}" }',
      `show -> home with ${from('show')}`,
      'home -> done',
    );

  test('are given too in profile 1, where the source of the edge has an output', async () => {
    expect((await scenario({ source: source(HEAD), says: ['hi'] })).replies).toEqual(['plain, good']);
  });

  test('are not given in profile 2', async () => {
    expect((await scenario({ source: source(PROFILE_2), says: ['hi'] })).replies).toEqual(['no plain, good']);
  });
});

describe('values of edges that were taken', () => {
  const source = (head: string): string =>
    head +
    text('start', "'kept'") +
    text('node', "input.kept + ' ' + input.text") +
    home() +
    flow(
      'start',
      'home -> node as talk(5) with { text: "{{outputs.home.message}}" }',
      'start -> node with { kept: "{{outputs.start.text}}", text: "{{vars.initial_message}}" }',
      `node -> home with ${from('node')}`,
    );

  test('stay in profile 2, under those of the edge just taken', async () => {
    const { replies } = await scenario({ source: source(PROFILE_2), says: ['one', 'two', 'three'] });
    expect(replies).toEqual(['kept one', 'kept two', 'kept three']);
  });

  test('stay in profile 1, where the later edge in the file has the last word', async () => {
    const { replies } = await scenario({ source: source(HEAD), says: ['one', 'two'] });
    expect(replies).toEqual(['kept one', 'kept one']);
  });
});

test('an edge that gives one reference keeps its type, and null where it finds nothing', async () => {
  const source =
    HEAD +
    verdict('start', 'length(vars.initial_message) > 0', 'vars.initial_message') +
    text('end', "if(input.good == true && input.nothing == vars.nothing, 'typed', 'texts')") +
    home() +
    flow(
      'start',
      'start -> end with { good: "{{outputs.start.good}}", nothing: "{{outputs.start._none}}" }',
      `end -> home with ${from('end')}`,
      'home -> done',
    );
  const ending = await scenario({
    source: source.replace(' && input.nothing == vars.nothing', ''),
    says: ['hi'],
  });
  expect(ending.replies).toEqual(['typed']);
});

test('the entry is given the vars where no edge gives it anything, and other nodes nothing', async () => {
  const source =
    HEAD +
    text('start', 'input.initial_message') +
    text('end', "if(length(input.initial_message) > 0, 'vars', outputs.start.text)") +
    home() +
    flow('start', 'start -> end', `end -> home with ${from('end')}`, 'home -> done');
  expect((await scenario({ source, says: ['hi'] })).replies).toEqual(['hi']);
});
