import { describe, expect, it } from 'vitest';
import { digestOf } from '../long-text.ts';
import { ready, step } from '../machine.ts';
import { at, Bench } from '../testing/bench.ts';
import { planOf } from '../testing/plan-of.ts';

const plan = planOf(`vars:
  initial_message: string = ""

schema words:
  message: string

schema report:
  reply: string
  score: int

prompt writing:
  Improve {{artifacts.report.reply}} of {{artifacts.report.score}}.

prompt shown:
  {{artifacts.report.reply}}

agent writer:
  model: "m"
  output: report
  publish: report
  user: writing

human chat:
  output: words
  instructions: shown
  publish: heard

workflow w:
  entry: writer
  worktree: none
  writer -> chat
  chat -> writer as talk(100)
`);

function write(bench: Bench, reply: string, score: number): void {
  bench.end(bench.start(), { is: 'done', output: { reply, score } });
}

describe('what a node publishes', () => {
  it('is a version counted from 1, told by its digest, and read by templates', () => {
    const bench = new Bench(plan);
    bench.send('one');
    write(bench, 'good', 1);
    const digest = digestOf('{"reply":"good","score":1}');
    expect(bench.told('artifact')).toMatchObject([
      { change: 'published', ref: { artifact: 'report', version: 1, digest } },
    ]);
    expect(bench.open).toMatchObject([{ kind: 'chat', text: 'good' }]);
    bench.send('two');
    write(bench, 'better', 2);
    expect(bench.open).toMatchObject([{ kind: 'chat', text: 'better' }]);
    expect(bench.told('artifact').map(({ ref }) => `${ref.artifact}@${ref.version}`)).toEqual([
      'report@1',
      'heard@1',
      'report@2',
    ]);
  });

  it('is kept as a blob, without what the engine noted on it', () => {
    const bench = new Bench(plan);
    bench.send('one');
    const effect = bench.start();
    const outcome = { is: 'done', output: { reply: 'good', score: 1 } } as const;
    const spend = { activeMs: 1, tokens: 1, costUsd: 0, iterations: 1, unpriced: 0 };
    const made = step(bench.plan, bench.state, { at, is: 'ended', effect, outcome, spend });
    expect(made.blobs).toEqual(['{"reply":"good","score":1}']);
  });

  it('stays in the state only where the plan reads it, however many versions there are', () => {
    const bench = new Bench(plan);
    let size = 0;
    for (let round = 1; round <= 30; round += 1) {
      bench.send('again');
      write(bench, 'word'.padEnd(500, '.'), 1);
      if (round === 10) size = JSON.stringify(bench.state).length;
    }
    expect(Object.keys(bench.state.machine.run?.artifacts ?? {})).toEqual(['report']);
    expect(bench.state.counters.artifacts).toEqual({ report: 30, heard: 29 });
    expect(JSON.stringify(bench.state).length).toBeLessThan(size + 5000);
  });

  it('counts on in the next run, which reads none of the earlier one', () => {
    const closing = planOf(`schema report:
  reply: string

agent writer:
  model: "m"
  output: report
  publish: report

workflow w:
  entry: writer
  worktree: none
  writer -> done
`);
    const bench = new Bench(closing);
    bench.send('one');
    bench.end(bench.start(), { is: 'done', output: { reply: 'a' } });
    bench.send('two');
    expect(bench.state.machine.run?.artifacts).toBeUndefined();
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'writer' }]);
    bench.end(bench.start(), { is: 'done', output: { reply: 'b' } });
    expect(bench.told('artifact').map(({ ref }) => ref.version)).toEqual([1, 2]);
  });
});
