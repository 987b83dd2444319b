import { expect, it } from 'vitest';
import { ready } from './machine.ts';
import { quiescent } from './quiescent.ts';
import { ada, ask, Bench } from './testing/bench.ts';
import { planOf } from './testing/plan-of.ts';
import { nextDue } from './waits.ts';

/* A node that waits for answers to what agents asked without waiting. */

const source = (from: string, timeout = '10m'): string => `dsl: 2

schema said:
  text: string

schema request:
  message: string

human home:
  output: request

agent first:
  model: "m"
  output: said
  interaction: async

agent second:
  model: "m"
  output: said
  interaction: async

await_answers gather:
${from}  timeout: "${timeout}"

agent work:
  model: "m"
  output: said

workflow w:
  entry: home
  home -> first as talk(9)
  first -> second -> gather
  gather -> work with { answers: "{{outputs.gather.answers}}", open: "{{outputs.gather.open}}" }
  work -> home
`;

/** A run in which each of the two agents has asked one question and ended. */
function asked(from = '', timeout?: string): Bench {
  const bench = new Bench(planOf(source(from, timeout)));
  bench.send('go');
  for (const words of ['Which colour?', 'Which size?']) {
    const effect = bench.start();
    bench.enter({ is: 'asked', effect, ask: ask(words) });
    bench.end(effect, { is: 'done', output: { text: 'x' } });
  }
  return bench;
}

const inputOf = (bench: Bench) => ready(bench.plan, bench.state)[0]?.input;
const questions = (bench: Bench) =>
  bench.open.flatMap(pause => (pause.kind === 'question' ? [pause.id] : []));

it('waits until all are answered, in whatever order, and gives who asked what', () => {
  const bench = asked();
  expect(quiescent(bench.state)).toBe(true);
  expect(bench.state.machine.turn?.status).toBe('waiting');
  const [colour, size] = questions(bench);
  bench.decide(size!, { do: 'answer', option: 'no' });
  expect(ready(bench.plan, bench.state)).toEqual([]);
  bench.decide(colour!, { do: 'answer', option: 'yes' });
  expect(bench.state.machine.turn?.status).toBe('running');
  expect(inputOf(bench)).toEqual({
    answers: [
      { interaction_id: colour, node: 'first', question: 'Which colour?', answer: 'yes' },
      { interaction_id: size, node: 'second', question: 'Which size?', answer: 'no' },
    ],
    open: [],
  });
  expect(bench.state.machine.run?.questions).toEqual([]);
});

it('waits for those of the agents that it names', () => {
  const bench = asked('  from: [second]\n');
  const [colour, size] = questions(bench);
  bench.decide(size!, { do: 'answer', option: 'no' });
  expect(inputOf(bench)).toEqual({
    answers: [{ interaction_id: size, node: 'second', question: 'Which size?', answer: 'no' }],
    open: [],
  });
  expect(questions(bench)).toEqual([colour]);
});

it('goes on at once when nothing is open', () => {
  const bench = asked('  from: [work]\n');
  expect(inputOf(bench)).toEqual({ answers: [], open: [] });
});

it('goes on with what there is when its time is up, and the questions stay', () => {
  const bench = asked();
  const due = nextDue(bench.state);
  expect(due?.until).toBe('2026-01-01T00:10:00.000Z');
  const [colour, size] = questions(bench);
  bench.decide(colour!, { do: 'answer', option: 'yes' });
  bench.enter({ is: 'waited', effect: due!.effect });
  expect(inputOf(bench)).toMatchObject({ answers: [{ interaction_id: colour }], open: [size] });
  expect(questions(bench)).toEqual([size]);
});

it('has an end that can be written down, however long it may last', () => {
  expect(nextDue(asked('', '999999999999h').state)?.until).toBe('2027-01-02T00:00:00.000Z');
});

it('waits anew after an interrupt that is taken back', () => {
  const bench = asked();
  bench.enter({ is: 'interrupted', turn: bench.state.machine.turn!.id, by: ada });
  expect(nextDue(bench.state)).toBeNull();
  const recovery = bench.open.find(pause => pause.kind === 'recovery');
  bench.decide(recovery!.id, { do: 'answer', option: 'again' });
  expect(bench.state.machine.turn?.status).toBe('waiting');
  for (const id of questions(bench)) bench.decide(id, { do: 'answer', option: 'yes' });
  expect(inputOf(bench)).toMatchObject({ answers: [{ answer: 'yes' }, { answer: 'yes' }] });
});

it('ends with its run, which asks nothing any more', () => {
  const bench = asked();
  bench.enter({ is: 'cancelled', run: bench.state.machine.run!.id, by: ada });
  expect(bench.open).toEqual([]);
  expect(nextDue(bench.state)).toBeNull();
});
