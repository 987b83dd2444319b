import { blocks } from '@hearth/protocol/pause.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import { judgeMessage } from './accept.ts';
import { untoldLines } from './open-questions.ts';
import { ready } from './machine.ts';
import { quiescent } from './quiescent.ts';
import { ada, ask, at, Bench, digest } from './testing/bench.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { nextDue } from './waits.ts';

/* Several questions at once: those that an agent waits for, and those that it does not. */

const envelope = { reply: 'hi', close: false, quick_replies: [] };
const later = '2026-01-01T00:10:00.000Z';

/** A bot at work that has asked without waiting. */
function asking(...texts: string[]) {
  const bench = new Bench(chatPlan({ agent: { interaction: 'async' } }));
  bench.send('hello');
  const effect = bench.start();
  for (const text of texts) bench.enter({ is: 'asked', effect, ask: ask(text) });
  return { bench, effect };
}

const questions = (bench: Bench) => bench.state.machine.run?.questions ?? [];
const lines = (bench: Bench) => untoldLines(bench.state.machine.run!, 'bot').map(line => line.text);
const wait = (bench: Bench, effect: `e${number}`, more: { until?: string } = {}) =>
  bench.enter({
    is: 'awaits',
    effect,
    wait: { call: 'c9', questions: questions(bench).map(one => one.pause), ...more },
  });
const park = (bench: Bench, effect: `e${number}`) =>
  bench.end(effect, { is: 'parked', asks: [], permits: [] });

describe('several questions of one step', () => {
  it('R13.35: are open at once, oldest first, and answered in any order', () => {
    const bench = new Bench();
    bench.send('hello');
    bench.end(bench.start(), { is: 'parked', asks: [ask('One?'), ask('Two?'), ask('Three?')], permits: [] });
    expect(bench.open.map(pause => pause.text)).toEqual(['One?', 'Two?', 'Three?']);
    const [one, two, three] = bench.open.map(pause => pause.id);
    bench.decide(three!, { do: 'answer', option: 'yes' });
    bench.decide(one!, { do: 'cancel' });
    expect(ready(bench.plan, bench.state)).toEqual([]);
    bench.decide(two!, { do: 'answer', option: 'no' });
    expect(ready(bench.plan, bench.state)[0]?.resume?.answers.map(answer => answer.result)).toEqual([
      'cancelled',
      { option: 'no' },
      { option: 'yes' },
    ]);
  });
});

describe('a question that nobody waits for', () => {
  it('opens beside the work, and neither the end of the turn nor a message closes it', () => {
    const { bench, effect } = asking('Which colour?');
    expect(bench.open).toMatchObject([{ kind: 'question', blocking: false, text: 'Which colour?' }]);
    expect(bench.state.machine.turn?.status).toBe('running');
    bench.end(effect, { is: 'done', output: envelope });
    expect(bench.open.map(pause => pause.kind)).toEqual(['question', 'chat']);
    bench.send('something else');
    expect(bench.state.machine.turn?.status).toBe('running');
    bench.end(bench.start(), { is: 'done', output: envelope });
    expect(bench.open.map(pause => pause.kind)).toEqual(['question', 'chat']);
  });

  it('keeps no message out that would only be taken by an idle bot', () => {
    const { bench, effect } = asking('Which colour?');
    bench.end(effect, { is: 'done', output: envelope });
    const sent = { text: 'x', delivery: 'reject', workspace: null, by: ada, planDigest: digest, at } as const;
    expect(judgeMessage(bench.plan, bench.state, { ...sent, commandId: 'a'.repeat(16) })).toHaveProperty(
      'did',
    );
  });

  it('begins no new burst when it is answered', () => {
    const { bench, effect } = asking('Which colour?');
    bench.end(effect, { is: 'done', output: envelope }, { ...NO_SPEND, iterations: 3 });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'yes' });
    expect(bench.state.ledgers.burst.iterations).toBe(3);
  });

  it('is answered once', () => {
    const { bench } = asking('Which colour?');
    const { id } = bench.open[0]!;
    expect(bench.decide(id, { do: 'answer', option: 'yes' })).toHaveProperty('did.as', 'answered');
    expect(bench.decide(id, { do: 'answer', option: 'no' })).toHaveProperty('refused.code', 'closed');
    expect(lines(bench)).toHaveLength(1);
  });

  it('reaches the agent as one line with the question’s id, the question and the answer', () => {
    const { bench } = asking('Which colour?', 'Which size?');
    bench.decide('p2', { do: 'answer', option: 'no' });
    bench.decide('p1', { do: 'cancel' });
    expect(lines(bench)).toEqual([
      '[hearth] Your question p1 (Which colour?) was answered: withdrawn without an answer, which is no consent to anything',
      '[hearth] Your question p2 (Which size?) was answered: no',
    ]);
  });

  it('is told once it was seen, and told again when it was not', () => {
    const { bench, effect } = asking('Which colour?');
    bench.decide('p1', { do: 'answer', option: 'yes' });
    const { line } = questions(bench)[0]!;
    bench.enter({ is: 'taken', effect, messages: [line] });
    expect(lines(bench)).toEqual([]);
    bench.enter({ is: 'restarted', effects: [effect] });
    expect(lines(bench)).toHaveLength(1);
    bench.decide(bench.open.find(pause => pause.kind === 'recovery')!.id, { do: 'answer', option: 'again' });
    const again = bench.start();
    bench.enter({ is: 'taken', effect: again, messages: [line] });
    bench.end(again, { is: 'done', output: envelope });
    expect(lines(bench)).toHaveLength(1);
    bench.send('next');
    const next = bench.start();
    bench.enter({ is: 'taken', effect: next, messages: [line] });
    bench.enter({ is: 'seen', effect: next, messages: [line] });
    expect(questions(bench)).toEqual([]);
    bench.end(next, { is: 'done', output: envelope });
    expect(bench.told('message.moved')).toEqual([]);
  });

  it('closes with its run', () => {
    const { bench, effect } = asking('Which colour?');
    bench.end(effect, { is: 'done', output: { ...envelope, close: true } });
    expect(bench.open).toEqual([]);
    expect(bench.told('pause.closed')).toMatchObject([{ pause: 'p1', how: 'cancelled' }]);
    expect(questions(bench)).toEqual([]);
  });

  it('outlives an interrupt and a turn that is given up', () => {
    const { bench, effect } = asking('Which colour?');
    bench.enter({ is: 'interrupted', turn: 't1', by: ada });
    bench.end(effect, { is: 'stopped' });
    const recovery = bench.open.find(pause => pause.kind === 'recovery');
    bench.decide(recovery!.id, { do: 'answer', option: 'stop' });
    // This run has no home yet, so it ends; with one it goes back there.
    expect(bench.state.machine.run?.status).toBe('ended');
    const home = asking();
    home.bench.end(home.effect, { is: 'done', output: envelope });
    home.bench.send('go on');
    const second = home.bench.start();
    home.bench.enter({ is: 'asked', effect: second, ask: ask('Which colour?') });
    home.bench.end(second, { is: 'failed', code: 'crashed', message: 'x', began: true });
    const held = home.bench.open.find(pause => pause.kind === 'recovery');
    home.bench.decide(held!.id, { do: 'answer', option: 'stop' });
    expect(home.bench.open.map(pause => pause.kind)).toEqual(['question', 'chat']);
  });
});

describe('waiting for answers', () => {
  it('goes on at once when all are there, and tells them once', () => {
    const { bench, effect } = asking('Which colour?');
    bench.decide('p1', { do: 'answer', option: 'yes' });
    wait(bench, effect);
    expect(lines(bench)).toEqual([]);
    bench.end(effect, { is: 'done', output: envelope });
    expect(questions(bench)).toEqual([]);
  });

  it('tells them again when the step that was told came to nothing', () => {
    const { bench, effect } = asking('Which colour?');
    bench.decide('p1', { do: 'answer', option: 'yes' });
    wait(bench, effect);
    bench.end(effect, { is: 'failed', code: 'crashed', message: 'x', began: true });
    expect(lines(bench)).toHaveLength(1);
  });

  it('parks until the last is answered, in whatever order, and goes on in its session', () => {
    const { bench, effect } = asking('Which colour?', 'Which size?');
    wait(bench, effect);
    park(bench, effect);
    expect(quiescent(bench.state)).toBe(true);
    expect(bench.state.machine.turn?.status).toBe('waiting');
    expect(bench.open.some(blocks)).toBe(false);
    bench.decide('p2', { do: 'answer', option: 'no' });
    expect(ready(bench.plan, bench.state)).toEqual([]);
    bench.decide('p1', { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)[0]?.resume).toEqual({
      session: { id: 's1', fingerprint: 'f' },
      answers: [
        {
          ask: 'await_answers',
          call: 'c9',
          options: [],
          result: {
            fields: {
              answers: [
                { question_id: 'p1', question: 'Which colour?', answer: 'yes' },
                { question_id: 'p2', question: 'Which size?', answer: 'no' },
              ],
              open: [],
            },
          },
        },
      ],
    });
    expect(questions(bench)).toEqual([]);
  });

  it('does not park for long when the answer comes while the step ends', () => {
    const { bench, effect } = asking('Which colour?');
    wait(bench, effect);
    bench.decide('p1', { do: 'answer', option: 'yes' });
    park(bench, effect);
    expect(ready(bench.plan, bench.state)).toHaveLength(1);
  });

  it('ends when its time is up, which answers and closes nothing', () => {
    const { bench, effect } = asking('Which colour?', 'Which size?');
    wait(bench, effect, { until: later });
    park(bench, effect);
    expect(nextDue(bench.state)).toEqual({ effect, until: later });
    bench.decide('p1', { do: 'answer', option: 'yes' });
    bench.enter({ is: 'waited', effect });
    expect(nextDue(bench.state)).toBeNull();
    expect(bench.open.map(pause => pause.id)).toEqual(['p2']);
    expect(ready(bench.plan, bench.state)[0]?.resume?.answers).toMatchObject([
      { result: { fields: { answers: [{ question_id: 'p1' }], open: ['p2'] } } },
    ]);
    bench.end(bench.start(), { is: 'done', output: envelope });
    bench.decide('p2', { do: 'answer', option: 'no' });
    expect(lines(bench)).toEqual(['[hearth] Your question p2 (Which size?) was answered: no']);
  });

  it('waits for what it asked besides, too', () => {
    const { bench, effect } = asking('Which colour?');
    wait(bench, effect);
    bench.end(effect, { is: 'parked', asks: [{ ...ask('Really?'), call: 'c1' }], permits: [] });
    bench.decide('p1', { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)).toEqual([]);
    bench.decide('p2', { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)[0]?.resume?.answers.map(answer => answer.call)).toEqual([
      'c1',
      'c9',
    ]);
  });

  it('is ended by an interrupt, which leaves the question open', () => {
    const { bench, effect } = asking('Which colour?');
    wait(bench, effect);
    park(bench, effect);
    bench.enter({ is: 'interrupted', turn: 't1', by: ada });
    expect(bench.open.map(pause => pause.kind)).toEqual(['question', 'recovery']);
    bench.decide('p2', { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)[0]?.resume?.answers).toMatchObject([
      { call: 'c9', result: 'cancelled' },
    ]);
  });
});
