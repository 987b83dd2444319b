import { describe, expect, test } from 'vitest';
import { scenario } from './harness.ts';
import { agent, agents, flow, from, HEAD, home, router, text, verdict } from './parts.ts';

/* Routers that choose: by the conditions of their edges, in turn, or as a model says. */

const ASKED = '{ text: "{{vars.initial_message}}" }';

test('a condition router passes its input on, and its edges decide over it', async () => {
  const source =
    HEAD +
    verdict('start', 'length(input.initial_message) > 3', 'input.initial_message') +
    router('by_length', 'condition') +
    text('long', "'long ' + input.text") +
    text('short', "'short ' + input.text") +
    home() +
    flow(
      'start',
      'start -> by_length with { text: "{{outputs.start.text}}", good: "{{outputs.start.good}}" }',
      'by_length -> short when not good with { text: "{{input.text}}" }',
      'by_length -> long with { text: "{{outputs.by_length.text}}" }',
      `short -> home with ${from('short')}`,
      `long -> home with ${from('long')}`,
      'home -> done',
    );
  expect((await scenario({ source, says: ['hi'] })).replies).toEqual(['short hi']);
  expect((await scenario({ source, says: ['hello'] })).replies).toEqual(['long hello']);
});

test('a round_robin router takes one edge after the other, over all turns of a run', async () => {
  // In profile 2 an edge that was just taken has the last word; in profile 1 the last one in the file would.
  const source =
    `dsl: 2\n\n${HEAD}` +
    router('turns', 'round_robin') +
    text('red', "'red'") +
    text('green', "'green'") +
    text('blue', "'blue'") +
    home() +
    flow(
      'home',
      'home -> turns as talk(9)',
      'turns -> red',
      'turns -> green',
      'turns -> blue',
      ...['red', 'green', 'blue'].map(node => `${node} -> home with ${from(node)}`),
    );
  const ending = await scenario({ source, says: ['hi', '1', '2', '3', '4'] });
  expect(ending.replies.slice(-4)).toEqual(['red', 'green', 'blue', 'red']);
});

describe('an llm router', () => {
  const chosen = (multi: boolean): string =>
    HEAD +
    text('start', 'vars.initial_message') +
    `router pick:\n  mode: llm\n  model: "m"\n${multi ? '  multi: true\n' : ''}\n` +
    agent('one') +
    agent('two') +
    text('meet', "join(concat(outputs.one.text, outputs.two.text), ' ') + ': ' + outputs.pick.reasoning") +
    home() +
    flow(
      'start',
      `start -> pick with ${from('start')}`,
      `pick -> one with ${ASKED}`,
      `pick -> two with ${ASKED}`,
      'one -> meet',
      'two -> meet',
      `meet -> home with ${from('meet')}`,
      'home -> done',
    );

  test('goes where the model says, which is told the targets as a schema', async () => {
    const schemas: unknown[] = [];
    const ending = await scenario({
      source: chosen(false).replace(/join\(.*'/, "'went'"),
      world: agents(turn => {
        if (turn.node !== 'pick') return null;
        schemas.push(turn.output);
        expect(turn.tools).toEqual([]);
        expect(turn.prompt.user).toContain('{"text":"hi"}');
        expect(turn.prompt.user).toContain('one, two');
        return { selected_route: 'two', reasoning: 'why not' };
      }),
      says: ['hi'],
    });
    expect(schemas[0]).toMatchObject({
      properties: { selected_route: { enum: ['one', 'two'] }, reasoning: { type: 'string' } },
      required: ['selected_route', 'reasoning'],
    });
    expect(ending.log).toEqual(['pick', 'two']);
    expect(ending.outputs['pick']).toMatchObject({ text: 'hi', reasoning: 'why not' });
  });

  test('with `multi` goes every way that the model says at once', async () => {
    const ending = await scenario({
      source: chosen(true).replace(/join\(.*?\) \+/, "outputs.one.text + ' ' + outputs.two.text +"),
      world: agents(({ node }) =>
        node === 'pick' ? { selected_routes: ['two', 'one'], reasoning: 'both' } : null,
      ),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['one(hi) two(hi): both']);
  });

  test.each([
    ['outside its targets', false, { selected_route: 'meet', reasoning: '' }],
    ['that is nowhere', true, { selected_routes: [], reasoning: '' }],
  ])('fails by schema at an answer %s, and may be asked again', async (_, multi, answer) => {
    const right = multi
      ? { selected_routes: ['one'], reasoning: 'so' }
      : { selected_route: 'one', reasoning: 'so' };
    const ending = await scenario({
      source: chosen(multi).replace(/text: "join\(.*?"/, 'text: "outputs.one.text"'),
      world: agents(({ node }, before) => (node === 'pick' ? (before === 0 ? answer : right) : null)),
      says: ['hi'],
      answers(pause) {
        expect(pause).toMatchObject({ cause: 'failed', code: 'SCHEMA_VALIDATION', node: 'pick' });
        return { do: 'answer', option: 'again' };
      },
    });
    expect(ending.replies).toEqual(['one(hi)']);
  });
});
