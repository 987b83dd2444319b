import { describe, expect, test } from 'vitest';
import { scenario } from './harness.ts';
import { agent, agents, flow, from, HEAD, home, text, verdict } from './parts.ts';

/* Which edge is taken, and how loops go round. */

const PROFILE_2 = `dsl: 2\n\n${HEAD}`;

describe('of the edges out of a node', () => {
  /** Where a gate whose `good` is given leads: a, b or c. */
  const taken = async (good: string, ...edges: readonly string[]): Promise<string> => {
    const ways = ['a', 'b', 'c'].filter(name => edges.some(edge => edge.startsWith(`gate -> ${name}`)));
    const source =
      HEAD +
      verdict('gate', good, "'go'") +
      ways.map(name => text(name, `'${name}'`)).join('') +
      home() +
      flow('gate', ...edges, ...ways.map(name => `${name} -> home with ${from(name)}`), 'home -> done');
    return (await scenario({ source, says: ['hi'] })).replies.join();
  };

  test('the first condition that holds wins, wherever the plain edge stands', async () => {
    const edges = ['gate -> a', 'gate -> b when good', 'gate -> c when "true"'];
    expect(await taken('true', ...edges)).toBe('b');
    expect(await taken('false', ...edges)).toBe('c');
  });

  test('the plain edge is taken when none holds', async () => {
    expect(await taken('false', 'gate -> b when good', 'gate -> a')).toBe('a');
  });

  test('a condition that cannot be judged is passed over', async () => {
    expect(await taken('true', `gate -> b when "'x' < 1"`, 'gate -> a')).toBe('a');
  });

  test('none may lead on: then the node is held, and may run again', async () => {
    const source =
      HEAD +
      agent('gate').replace('  output: said\n', '') +
      text('a', "'a'") +
      text('b', "'b'") +
      home() +
      flow(
        'gate',
        'gate -> a when good',
        'gate -> b when not good',
        `a -> home with ${from('a')}`,
        `b -> home with ${from('b')}`,
        'home -> done',
      );
    const ending = await scenario({
      source,
      world: agents((_, before) => (before === 0 ? { good: 'perhaps' } : { good: true })),
      says: ['hi'],
      answers(pause) {
        expect(pause).toMatchObject({ cause: 'failed', code: 'NO_OUTGOING_EDGE', node: 'gate' });
        return { do: 'answer', option: 'again' };
      },
    });
    expect(ending.replies).toEqual(['a']);
  });
});

describe('a loop', () => {
  /** Counts up in `step` until the cap lets it no more, and shows how far it came. */
  const counting = (cap: string, ...more: readonly string[]): string =>
    HEAD.replace('vars:', 'vars:\n  most: int = 2') +
    text('start', "''") +
    text('step', "input.text + 'x'") +
    text('end', 'outputs.step.text') +
    home() +
    flow(
      'start',
      `start -> step with ${from('start')}`,
      `step -> step as rounds(${cap}) with ${from('step')}`,
      ...more,
      `end -> home with ${from('end')}`,
      'home -> done',
    );

  test('of N crossings runs its entry N+1 times, and then another edge is taken', async () => {
    const ending = await scenario({
      source: counting('3', 'step -> end when "loop.rounds.iteration >= 3"'),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['xxxx']);
    expect(ending.loops).toEqual({ rounds: 3 });
  });

  test('of many rounds is worked out in several commits, between any of which a crash may come', async () => {
    const ending = await scenario({
      source: counting('450', 'step -> end when "loop.rounds.iteration >= 450"'),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['x'.repeat(451)]);
    expect(ending.loops).toEqual({ rounds: 450 });
  });

  test('whose cap is a template asks for it at each round', async () => {
    const ending = await scenario({
      source: counting('"{{vars.most}}"', 'step -> end when "loop.rounds.iteration >= loop.rounds.max"'),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['xxx']);
  });

  test('that is used up with no other way asks a person, who may add as many rounds again or end the run', async () => {
    const source = counting('2', 'step -> end when "length(text) > 4"');
    const asked: string[] = [];
    const more = await scenario({
      source,
      says: ['hi'],
      answers(pause) {
        expect(pause).toMatchObject({ kind: 'recovery', cause: 'loop_exhausted', node: 'step' });
        asked.push(pause.id);
        return { do: 'answer', option: 'raise' };
      },
    });
    expect(more.replies).toEqual(['xxxxx']);
    const less = await scenario({ source, says: ['hi'], answers: () => ({ do: 'answer', option: 'close' }) });
    expect(less.run).toMatchObject({ status: 'ended', reason: 'closed' });
  });

  test('inside another is fresh each time it is come to from outside, and the outer one is not', async () => {
    const source =
      PROFILE_2 +
      text('outer', "if(length(input.text) > 0, input.text, '') + '('") +
      text('inner', "input.text + 'i'") +
      verdict('after', 'loop.out.iteration >= 1', "input.text + ')'") +
      home() +
      flow(
        'outer',
        `outer -> inner with ${from('outer')}`,
        `inner -> after when "loop.in.iteration >= 2" with ${from('inner')}`,
        `inner -> inner as in(2) with ${from('inner')}`,
        'after -> home when good with { text: "{{outputs.after.text}}" }',
        `after -> outer as out(3) with ${from('after')}`,
        'home -> done',
      );
    const ending = await scenario({
      source,
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['(iii)(iii)']);
    expect(ending.loops).toEqual({ in: 2, out: 1 });
  });

  test('may have several edges, which share its rounds', async () => {
    const source =
      HEAD +
      verdict('gate', 'loop.both.iteration == 0', "'g'") +
      text('a', "'a'") +
      text('b', "'b'") +
      text('end', "'round ' + loop.both.iteration") +
      home() +
      flow(
        'gate',
        'gate -> a when good',
        'gate -> b when "loop.both.iteration == 1"',
        'gate -> end',
        'a -> gate as both(2)',
        'b -> gate as both(2)',
        `end -> home with ${from('end')}`,
        'home -> done',
      );
    const ending = await scenario({ source, says: ['hi'] });
    expect(ending.replies).toEqual(['round 2']);
  });

  test('remembers what its source gave one crossing ago', async () => {
    const source =
      PROFILE_2 +
      verdict(
        'step',
        'loop.rounds.iteration >= 3',
        "loop.rounds.iteration + ':' + if(loop.rounds.iteration > 1, length(loop.rounds.previous_output.text), '-') + ' '",
      ) +
      home() +
      flow(
        'step',
        'step -> home when good with { text: "{{outputs.step.text}}" }',
        'step -> step as rounds(5)',
        'home -> done',
      );
    const ending = await scenario({ source, says: ['hi'] });
    expect(ending.replies).toEqual(['3:4 ']);
  });
});

test('`done` says the reply that no pause would show, and `fail` ends with its code', async () => {
  const replying = HEAD.replace('schema said:\n  text: string', 'schema said:\n  reply: string');
  const source = replying + agent('bot') + flow('bot', 'bot -> done');
  const ending = await scenario({ source, world: agents(() => ({ reply: 'bye' })), says: ['hi'] });
  expect(ending.replies).toEqual(['bye']);
  expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
  const failing = await scenario({
    source: HEAD + text('start', "'x'") + flow('start', 'start -> fail'),
    says: ['hi'],
  });
  expect(failing.run).toMatchObject({ status: 'ended', reason: 'failed', code: 'FAIL_NODE' });
});
