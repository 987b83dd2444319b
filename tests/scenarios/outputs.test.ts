import { describe, expect, test } from 'vitest';
import { scenario } from './harness.ts';
import { agent, agents, flow, form, from, HEAD, home, text, verdict } from './parts.ts';

/* What nodes put out: what is checked of it and what is noted on it. */

describe('an output that does not fit its schema', () => {
  test('fails its node, which may run again, and is not taken', async () => {
    const source =
      HEAD.replace('good: bool', 'good: bool\n  kind: string [enum: "a", "b"]') +
      agent('bot').replace('output: said', 'output: verdict') +
      text('show', 'outputs.bot.kind') +
      home() +
      flow('bot', 'bot -> show', `show -> home with ${from('show')}`, 'home -> done');
    const gives = [
      { text: 'x', good: 'maybe', kind: 'a' },
      { text: 'x', good: true, kind: 'c' },
    ];
    const ending = await scenario({
      source,
      world: agents((_, before) => gives[before] ?? { text: 'x', good: true, kind: 'b' }),
      says: ['hi'],
      answers: pause =>
        pause.kind === 'recovery' && pause.code === 'SCHEMA_VALIDATION'
          ? { do: 'answer', option: 'again' }
          : null,
      // After a crash the agent has been started once more, so that it gives the right output earlier.
      cuts: true,
    });
    expect(ending.replies).toEqual(['b']);
    expect(ending.log).toEqual(['bot', 'bot', 'bot']);
  });
});

test('an agent’s output says with what it was made, which a model cannot write', async () => {
  const source =
    HEAD +
    agent('bot') +
    text('show', "outputs.bot._backend + ' ' + outputs.bot._session_id") +
    home() +
    flow('bot', 'bot -> show', `show -> home with ${from('show')}`, 'home -> done');
  const world = agents(() => ({ text: 'x', _backend: 'mine', _session_id: 'forged' }));
  expect((await scenario({ source, world, says: ['hi'] })).replies).toEqual(['script s']);
});

test('what a person fills in is the output of their node, in the types of its schema', async () => {
  const source =
    HEAD +
    text('start', "'what is asked'") +
    form('ask').replace('output: said', 'output: verdict') +
    text('show', "if(outputs.ask.good == true, outputs.ask.text, 'no')") +
    home() +
    flow(
      'start',
      `start -> ask with ${from('start')}`,
      'ask -> show',
      `show -> home with ${from('show')}`,
      'home -> done',
    );
  const asked = new Set<unknown>();
  const ending = await scenario({
    source,
    says: ['hi'],
    answers: pause => {
      if (pause.kind !== 'input') return null;
      asked.add(pause.text);
      return { do: 'answer', fields: { text: 'so', good: 'yes' } };
    },
  });
  expect([...asked]).toEqual(['what is asked']);
  expect(ending.replies).toEqual(['so']);
});

test('a node knows how often the loops around it were crossed, the most of them', async () => {
  const source =
    HEAD +
    text('start', "''") +
    verdict('step', 'length(input.text) >= 2', "input.text + 'x'") +
    home() +
    flow(
      'start',
      `start -> step with ${from('start')}`,
      `step -> home when good with ${from('step')}`,
      `step -> step as rounds(5) with ${from('step')}`,
      `home -> step as talk(9) with { text: "{{outputs.home.message}}" }`,
    );
  const ending = await scenario({ source, says: ['hi', 'ab'] });
  expect(ending.replies).toEqual(['xxx', 'abx']);
  // Two rounds were gone before the message; that crossed the other loop once.
  expect(ending.state.machine.run?.tokens).toMatchObject([{ node: 'home', iteration: 1 }]);
  expect(ending.loops).toEqual({ rounds: 2, talk: 1 });
});
