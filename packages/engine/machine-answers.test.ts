import type { Interaction } from '@hearth/language/plan/node.ts';
import { describe, expect, it } from 'vitest';
import { performerOf, taskOf } from './answerer.ts';
import type { Ask } from './backend.ts';
import { MODEL_ANSWERS } from './machine/asking.ts';
import { ready } from './machine.ts';
import { permitOf } from './permit.ts';
import { steerable } from './steer.ts';
import { ask, Bench } from './testing/bench.ts';
import { chatPlan } from './testing/sample-plan.ts';

/* A model that answers in the person's stead: what it may answer, and what goes to the person. */

const envelope = { reply: 'hi', close: false, quick_replies: [] };
const free: Ask = { text: 'Which name?', options: [], allowFreeText: true, call: 'c2' };

/** A bot that has just asked. */
function asking(interaction: Interaction, asks: readonly Ask[] = [ask('Really?')], permits = false): Bench {
  const bench = new Bench(chatPlan({ agent: { interaction } }));
  bench.send('hello');
  const call = permitOf({ id: 'c1', name: 'change', args: {} });
  bench.end(bench.start(), { is: 'parked', asks, permits: permits ? [call] : [] });
  return bench;
}

/** Lets the model answer. */
function answer(bench: Bench, output: Record<string, string | boolean>): void {
  bench.end(bench.start('answering'), { is: 'done', output });
}

const task = (bench: Bench) => {
  const [effect] = ready(bench.plan, bench.state);
  return taskOf(bench.plan, bench.state.machine.run!, bench.state.ledgers, effect!);
};

describe('an agent whose questions a model answers', () => {
  it('opens no pause, and goes on in its own session with answers that were told', () => {
    const bench = asking('llm', [{ ...ask('Really?'), call: 'c1' }, free]);
    expect(bench.open).toEqual([]);
    expect(bench.state.machine.turn?.status).toBe('running');
    answer(bench, { answer_1: 'No', answer_2: 'Ada' });
    expect(bench.open).toEqual([]);
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'bot', kind: 'agent' }]);
  });

  it.each([
    ['an id', 'no', { option: 'no' }],
    ['a label, however it is written', ' nein ', { option: 'no' }],
  ])('takes an option by %s', (_what, given, result) => {
    const options = [
      { id: 'yes', label: 'Ja' },
      { id: 'no', label: 'Nein' },
    ];
    const bench = asking('llm', [{ text: 'Really?', options, allowFreeText: false, call: 'c1' }, free]);
    answer(bench, { answer_1: given, answer_2: 'Ada' });
    expect(ready(bench.plan, bench.state)[0]).toMatchObject({
      node: 'bot',
      attempt: 1,
      resume: {
        session: { id: 's1' },
        answers: [
          { ask: 'Really?', call: 'c1', result },
          { ask: 'Which name?', call: 'c2', result: { text: 'Ada' } },
        ],
      },
    });
    expect(bench.told('notice')).toMatchObject([
      { code: 'answered_by_model', text: expect.stringContaining('Ada') },
    ]);
  });

  it('asks it about every question, with the author’s prompt and the options', () => {
    const bench = new Bench(
      chatPlan({
        agent: { interaction: 'llm_or_human', interactionPrompt: 'heard', interactionModel: 'm2' },
      }),
    );
    bench.send('be brief');
    bench.end(bench.start(), { is: 'parked', asks: [ask('Really?'), free], permits: [] });
    const [effect] = ready(bench.plan, bench.state);
    expect(performerOf(bench.plan, effect!)).toMatchObject({ model: 'm2', tools: [], interaction: 'none' });
    expect(task(bench)).toMatchObject({
      system: expect.stringContaining('be brief'),
      user: expect.stringMatching(
        /Question 1: Really\?[^]*- no: no[^]*Question 2: Which name\?[^]*needs_human_input/,
      ),
      output: {
        properties: {
          answer_1: { enum: ['yes', 'no'] },
          answer_2: { type: 'string' },
          needs_human_input: { type: 'boolean' },
        },
        required: ['answer_1', 'answer_2', 'needs_human_input'],
      },
    });
  });

  it('fails when the answer is none, and can be asked again', () => {
    const bench = asking('llm');
    answer(bench, { answer_1: 'perhaps' });
    expect(bench.open).toMatchObject([{ kind: 'recovery', code: 'SCHEMA_VALIDATION' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    answer(bench, { answer_1: 'yes' });
    expect(ready(bench.plan, bench.state)[0]?.resume?.answers).toMatchObject([{ result: { option: 'yes' } }]);
  });

  it.each(['llm', 'llm_or_human'] as const)('with %s it never answers what confirms something', mode => {
    const bench = asking(mode, [{ ...ask('Delete it?'), confirms: true }]);
    expect(bench.open).toMatchObject([{ kind: 'question', text: 'Delete it?', blocking: true }]);
  });

  it('never answers a permission', () => {
    const bench = asking('llm', [ask('Really?')], true);
    expect(ready(bench.plan, bench.state)).toEqual([]);
    expect(bench.open).toMatchObject([{ kind: 'question' }, { kind: 'permission' }]);
  });

  it('takes no message meanwhile, and is asked anew after a crash', () => {
    const bench = asking('llm');
    const effect = bench.start('answering');
    bench.send('by the way', { delivery: 'steer' });
    expect(steerable(bench.plan, bench.state)).toEqual([]);
    bench.enter({ is: 'restarted', effects: [effect] });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)[0]).toMatchObject({ attempt: 2, resume: null });
    expect(task(bench)?.user).toContain('Really?');
    answer(bench, { answer_1: 'yes' });
    bench.end(bench.start(), { is: 'done', output: envelope });
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ message: 'by the way' });
  });
});

describe('a model that may hand on', () => {
  it('hands on to the person what only the person can know', () => {
    const bench = asking('llm_or_human');
    answer(bench, { answer_1: 'yes', needs_human_input: true });
    expect(bench.open).toMatchObject([{ kind: 'question', text: 'Really?' }]);
    expect(bench.told('notice')).toEqual([]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'no' });
    expect(ready(bench.plan, bench.state)[0]?.resume).toEqual({
      session: { id: 's1', fingerprint: 'f' },
      answers: [{ ask: 'Really?', options: ask('').options, result: { option: 'no' } }],
    });
  });

  it('gives way to the person when it fails', () => {
    const bench = asking('llm_or_human');
    bench.end(bench.start('a'), { is: 'failed', code: 'auth', message: 'No key.', began: false });
    expect(bench.open).toMatchObject([{ kind: 'question' }]);
    expect(bench.told('notice')).toMatchObject([{ code: 'not_answered_by_model' }]);
  });
});

describe('asking again and again', () => {
  function rounds(bench: Bench, count: number): void {
    for (let round = 0; round < count; round += 1) {
      answer(bench, { answer_1: 'yes', needs_human_input: false });
      bench.end(bench.start(), { is: 'parked', asks: [ask('Really?')], permits: [] });
    }
  }

  it('stops after five answers in a row', () => {
    const bench = asking('llm');
    rounds(bench, MODEL_ANSWERS);
    expect(bench.open).toMatchObject([{ kind: 'recovery', code: 'ASKED_TOO_OFTEN' }]);
  });

  it('comes to the person where there is one, whose answer begins the count anew', () => {
    const bench = asking('llm_or_human');
    rounds(bench, MODEL_ANSWERS);
    expect(bench.open).toMatchObject([{ kind: 'question' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'yes' });
    bench.end(bench.start(), { is: 'parked', asks: [ask('Really?')], permits: [] });
    expect(bench.open).toEqual([]);
    rounds(bench, MODEL_ANSWERS - 1);
    expect(bench.open).toEqual([]);
  });
});

describe('a human node that a model answers', () => {
  function plan(interaction: Interaction) {
    const sample = chatPlan();
    const chat = sample.nodes['chat'];
    if (chat?.kind !== 'human') throw new Error('no human');
    const answered = { ...chat, interaction, pause: 'input' as const, field: null, model: 'm3' };
    return { ...sample, nodes: { ...sample.nodes, chat: answered } };
  }

  it('opens no pause: the model gives the output, which is told', () => {
    const bench = new Bench(plan('llm'));
    bench.send('hello');
    bench.reply('And your name?');
    const [effect] = ready(bench.plan, bench.state);
    expect(effect).toMatchObject({ kind: 'agent', node: 'chat' });
    expect(performerOf(bench.plan, effect!)?.model).toBe('m3');
    expect(task(bench)).toMatchObject({
      user: expect.stringContaining('And your name?'),
      output: { required: ['message'] },
    });
    answer(bench, { message: 'Ada' });
    expect(bench.open).toEqual([]);
    expect(bench.told('notice')).toMatchObject([{ code: 'answered_by_model' }]);
    expect(ready(bench.plan, bench.state)[0]).toMatchObject({ node: 'bot', input: { message: 'Ada' } });
  });

  it('is asked a person when the model hands on, and the mark is no part of the output', () => {
    const bench = new Bench(plan('llm_or_human'));
    bench.send('hello');
    bench.reply('And your name?');
    answer(bench, { message: '', needs_human_input: true });
    expect(bench.open).toMatchObject([{ kind: 'input', node: 'chat' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', fields: { message: 'Bob' } });
    expect(ready(bench.plan, bench.state)[0]).toMatchObject({ node: 'bot', input: { message: 'Bob' } });
    bench.reply('And again?');
    answer(bench, { message: 'Ada', needs_human_input: false });
    expect(bench.state.machine.run?.outputs['chat']).toEqual({ message: 'Ada' });
  });

  it('waits for a person who decides when the model fails', () => {
    const bench = new Bench(plan('llm'));
    bench.send('hello');
    bench.reply('And your name?');
    bench.end(bench.start(), { is: 'failed', code: 'auth', message: 'No key.', began: false });
    expect(bench.open).toMatchObject([{ kind: 'recovery', code: 'auth' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)[0]).toMatchObject({ node: 'chat', kind: 'agent' });
  });
});
