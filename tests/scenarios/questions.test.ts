import { session } from '@hearth/conversations/testing/sample-home.ts';
import type { Answer, Ask, BackendEvent } from '@hearth/engine/backend.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { describe, expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';
import { agent, flow, from, HEAD, home, text } from './parts.ts';

/* Questions: several at once, those that nobody waits for, and those that a model answers. */

/** A bot that works on each message and goes home. */
const source = (interaction: string): string =>
  `dsl: 2\n\n${HEAD}${text('start', 'vars.initial_message')}${agent('bot', `  interaction: ${interaction}\n`)}${home()}${flow(
    'start',
    `start -> bot with ${from('start')}`,
    `bot -> home with ${from('bot')}`,
    'home -> bot as turns(9) with { text: "{{outputs.home.message}}" }',
  )}`;

const question = (text: string, call: string): Ask => ({
  call,
  text,
  options: [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ],
  allowFreeText: false,
});

const saying = (result: Answer | 'cancelled'): string =>
  result === 'cancelled' ? 'withdrawn' : (result.option ?? result.text ?? '');

const yes: Act = { do: 'answer', option: 'yes' };
const no: Act = { do: 'answer', option: 'no' };

describe('questions of one step', () => {
  const world = (): World => ({
    log: [],
    async *script(turn) {
      yield session;
      if (turn.answers.length === 0) {
        yield { type: 'parked', asks: [question('One?', 'c1'), question('Two?', 'c2')], permits: [] };
        return;
      }
      const text = turn.answers.map(({ call, result }) => `${call}=${saying(result)}`).join(' ');
      yield { type: 'done', output: { text }, text };
    },
  });

  test('R13.12: are answered in any order, over any crash', async () => {
    const ending = await scenario({
      source: source('human'),
      world,
      says: ['hi'],
      // The later one first: the earlier is left open as long as the other is.
      answers: (pause, open) => {
        if (pause.text === 'Two?') return no;
        return open.some(other => other.text === 'Two?') ? null : yes;
      },
    });
    expect(ending.replies).toEqual(['c1=yes c2=no']);
    expect(ending.open).toEqual(['chat at home']);
  });

  test('wait as long as nobody answers', async () => {
    const ending = await scenario({ source: source('human'), world, says: ['hi'] });
    expect(ending.open).toEqual(['question at bot', 'question at bot']);
    expect(ending.replies).toEqual([]);
  });
});

describe('a question that nobody waits for', () => {
  /** Asks in its first turn and goes on; notes what it is told. */
  const asking = (): World => {
    const log: string[] = [];
    return {
      log,
      async *script(turn, host, inbox) {
        yield session;
        const args = { question: 'Which colour?', options: ['red', 'blue'] };
        if (turn.prompt.user === 'hi')
          await host.call({ id: `${turn.effect}.1`, name: 'ask_user_async', args });
        const told = inbox.splice(0);
        const messages = told.map(one => one.id);
        if (told.length > 0) yield { type: 'taken', messages };
        log.push(...told.map(one => one.text.replace(/ p\d+ /, ' p ')));
        if (told.length > 0) yield { type: 'seen', messages };
        yield { type: 'done', output: { text: turn.prompt.user }, text: '' };
      },
    };
  };
  const red = (pause: Pause): Act | null =>
    pause.kind === 'question' ? { do: 'answer', option: 'red' } : null;

  test('stays open over turns, and holds none of them up', async () => {
    const ending = await scenario({
      source: source('async'),
      world: asking,
      says: ['hi', 'two'],
      answers: () => null,
    });
    expect(ending.replies).toEqual(['hi', 'two']);
    expect(ending.open).toEqual(['chat at home', 'question at bot']);
  });

  test('is told to the next turn of its agent, once', async () => {
    const ending = await scenario({
      source: source('async'),
      world: asking,
      says: ['hi', 'two', 'three'],
      answers: red,
    });
    expect(ending.replies).toEqual(['hi', 'two', 'three']);
    expect(ending.log).toEqual(['[hearth] Your question p (Which colour?) was answered: red']);
    expect(ending.state.machine.run?.questions).toEqual([]);
  });
});

describe('waiting for what was asked', () => {
  const waiting = (): World => ({
    log: [],
    async *script(turn, host) {
      yield session;
      const said = (fields: unknown): BackendEvent => {
        const words = JSON.stringify(fields).replaceAll(/p\d+/g, 'p');
        return { type: 'done', output: { text: words }, text: words };
      };
      const [answer] = turn.answers;
      if (answer !== undefined) {
        yield said(answer.result === 'cancelled' ? null : answer.result.fields);
        return;
      }
      for (const words of ['Colour?', 'Size?'])
        await host.call({ id: `${turn.effect}.${words}`, name: 'ask_user_async', args: { question: words } });
      const result = await host.call({ id: `${turn.effect}.w`, name: 'await_answers', args: {} });
      // A crash may leave so much time that the answers are there.
      yield result.parks === true ? { type: 'parked', asks: [], permits: [] } : said(result.content);
    },
  });

  test('parks, and goes on with all answers when the last one is there', async () => {
    const ending = await scenario({
      source: source('async'),
      world: waiting,
      says: ['hi'],
      answers: (pause, open) => {
        if (pause.text === 'Size?') return { do: 'answer', text: 'large' };
        return open.some(other => other.text === 'Size?') ? null : { do: 'answer', text: 'red' };
      },
    });
    expect(ending.replies).toEqual([
      '{"answers":[{"question_id":"p","question":"Colour?","answer":"red"},{"question_id":"p","question":"Size?","answer":"large"}],"open":[]}',
    ]);
  });
});

describe('a node that waits for what agents asked', () => {
  const gathering = `dsl: 2\n\n${HEAD}${text('start', 'vars.initial_message')}${agent('bot', '  interaction: async\n')}await_answers gather:
  from: [bot]
  timeout: "10m"

${text('tell', "join(map(outputs.gather.answers, one => one.node + ': ' + one.question + ' ' + one.answer), ', ')")}${home()}${flow(
  'start',
  `start -> bot with ${from('start')}`,
  'bot -> gather -> tell',
  `tell -> home with ${from('tell')}`,
  'home -> bot as turns(9) with { text: "{{outputs.home.message}}" }',
)}`;
  const world = (): World => ({
    log: [],
    async *script(turn, host) {
      yield session;
      for (const words of ['Colour?', 'Size?'])
        await host.call({ id: `${turn.effect}.${words}`, name: 'ask_user_async', args: { question: words } });
      yield { type: 'done', output: { text: 'asked' }, text: 'asked' };
    },
  });

  test('goes on with all of them, answered in any order, over any crash', async () => {
    const ending = await scenario({
      source: gathering,
      world,
      says: ['hi'],
      answers: (pause, open) => {
        if (pause.text === 'Size?') return { do: 'answer', text: 'large' };
        return open.some(other => other.text === 'Size?') ? null : { do: 'answer', text: 'red' };
      },
      ignores: ['gather'],
    });
    expect(ending.replies).toEqual(['bot: Colour? red, bot: Size? large']);
    expect(ending.open).toEqual(['chat at home']);
  });

  test('waits as long as its time lasts', async () => {
    const ending = await scenario({ source: gathering, world, says: ['hi'] });
    expect(ending.at).toEqual(['gather']);
    expect(ending.open).toEqual(['question at bot', 'question at bot']);
  });
});

describe('a model that answers', () => {
  const answering = (hands: boolean) => (): World => {
    const log: string[] = [];
    return {
      log,
      async *script(turn) {
        yield session;
        const asked = JSON.stringify(turn.output ?? {}).includes('answer_1');
        if (asked) {
          log.push('answered');
          yield { type: 'done', output: { answer_1: 'no', needs_human_input: hands }, text: '' };
        } else if (turn.answers.length === 0) {
          yield { type: 'parked', asks: [question('Go on?', 'c1')], permits: [] };
        } else {
          const text = turn.answers.map(({ result }) => saying(result)).join();
          yield { type: 'done', output: { text }, text };
        }
      },
    };
  };

  test('opens no pause', async () => {
    const ending = await scenario({ source: source('llm'), world: answering(false), says: ['hi'] });
    expect(ending.replies).toEqual(['no']);
    expect(ending.log).toEqual(['answered']);
  });

  test('hands on to the person', async () => {
    const ending = await scenario({
      source: source('llm_or_human'),
      world: answering(true),
      says: ['hi'],
      answers: () => yes,
    });
    expect(ending.replies).toEqual(['yes']);
  });
});
