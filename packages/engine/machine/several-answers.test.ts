import type { PauseId } from '@hearth/protocol/ids.ts';
import { describe, expect, test } from 'vitest';
import { judge } from '../machine.ts';
import { ada, Bench } from '../testing/bench.ts';
import { planOf } from '../testing/plan-of.ts';

/* A node that several people must answer. */

const source = (count: number): string => `schema asked:
  text: string

compute gather:
  output: asked
  expr:
    text: "outputs.vote.text + ' of ' + length(outputs.vote._answers)"

human vote:
  output: asked
  min_answers: ${count}

human end:
  output: asked
  instructions: words

prompt words:
  {{outputs.gather.text}} {{outputs.vote._answers}}

workflow w:
  entry: vote
  vote -> gather
  gather -> end
`;

const person = (name: string) => ({ ...ada, name });

/** Answers as somebody; the refusal's words, or null. */
function answer(bench: Bench, pause: PauseId, name: string, text: string): string | null {
  const commandId = `${name}-${text}-0000000000000000`;
  const act = { do: 'answer', fields: { text } } as const;
  const judged = judge(bench.plan, bench.state, { commandId, pause, act, actor: person(name) });
  if ('refused' in judged) return `${judged.refused.code}: ${judged.refused.message}`;
  bench.enter(judged.entry);
  return null;
}

function voting(count: number): { bench: Bench; pause: PauseId } {
  const bench = new Bench(planOf(source(count)));
  bench.send('go');
  return { bench, pause: bench.open[0]?.id ?? 'p0' };
}

describe('a node that two people must answer', () => {
  test('stays open until another person has answered, and hands all answers on', () => {
    const { bench, pause } = voting(2);
    expect(bench.open).toMatchObject([{ kind: 'input', node: 'vote' }]);
    expect(answer(bench, pause, 'ada', 'yes')).toBeNull();
    expect(bench.open).toMatchObject([{ id: pause }]);
    expect(bench.told('notice')).toMatchObject([{ text: 'ada has answered "vote": 1 of 2 people.' }]);
    expect(answer(bench, pause, 'bo', 'no')).toBeNull();
    expect(bench.open).toMatchObject([
      {
        kind: 'chat',
        text: 'no of 2 [{"by":"ada","answer":{"text":"yes"}},{"by":"bo","answer":{"text":"no"}}]',
      },
    ]);
  });

  test('takes one answer of each', () => {
    const { bench, pause } = voting(3);
    answer(bench, pause, 'ada', 'yes');
    const { state } = bench;
    expect(answer(bench, pause, 'ada', 'no')).toBe(
      'not_permitted: ada has answered "vote" already; 2 other people must answer it too.',
    );
    expect(bench.state).toBe(state);
    answer(bench, pause, 'bo', 'yes');
    expect(answer(bench, pause, 'bo', 'no')).toMatch(/another person must answer it too\.$/);
  });
});

test('one answer is enough where one is asked for, and a message is one then', () => {
  const { bench } = voting(1);
  expect(bench.open).toMatchObject([{ kind: 'chat', node: 'end' }]);
});
