import { describe, expect, it } from 'vitest';
import { ready } from '../machine.ts';
import { Bench, digest } from '../testing/bench.ts';
import type { Outcome } from '../entry.ts';
import { ask } from '../testing/bench.ts';

/* A bot that was changed so much that its run has no place in it any more. */

const other = `sha256:${'1'.repeat(64)}` as const;
const third = `sha256:${'2'.repeat(64)}` as const;
const done: Outcome = { is: 'done', output: { reply: 'hi', close: false, quick_replies: [] } };

function talked(): Bench {
  const bench = new Bench();
  bench.send('one');
  bench.end(bench.start(), done);
  bench.enter({ is: 'outgrown', plan: other });
  return bench;
}

describe('a run without a place in the changed bot', () => {
  it('asks once for each change, and messages wait for the answer', () => {
    const bench = talked();
    expect(bench.open).toMatchObject([
      { kind: 'chat' },
      { cause: 'plan_changed', choices: [{ id: 'restart' }, { id: 'keep' }] },
    ]);
    bench.enter({ is: 'outgrown', plan: other });
    bench.enter({ is: 'outgrown', plan: third });
    expect(bench.open).toHaveLength(2);
    bench.send('two');
    expect(bench.state.inbox).toHaveLength(1);
    expect(ready(bench.plan, bench.state)).toEqual([]);
  });

  it('goes on as it was when the person keeps the old one, and asks no more about that change', () => {
    const bench = talked();
    bench.send('two');
    bench.decide(bench.open[1]!.id, { do: 'answer', option: 'keep' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'bot' }]);
    expect(bench.state.machine.run).toMatchObject({ id: 'r1', plan: digest, kept: other });
    bench.end(bench.start(), done);
    bench.enter({ is: 'outgrown', plan: other });
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    bench.enter({ is: 'outgrown', plan: third });
    expect(bench.open).toHaveLength(2);
  });

  it('is left when the person begins anew: what waits begins the next run, under the changed bot and not before', () => {
    const bench = talked();
    bench.send('two');
    bench.decide(bench.open[1]!.id, { do: 'answer', option: 'restart' });
    expect(bench.open).toEqual([]);
    expect(bench.state.machine.run).toMatchObject({ id: 'r1', status: 'ended', code: 'PLAN_CHANGED' });
    expect(bench.state.inbox).toHaveLength(1);
    bench.enter({ is: 'replanned', plan: other });
    expect(bench.state.machine.run).toMatchObject({ id: 'r2', status: 'active', plan: other });
    expect(bench.state.inbox).toEqual([]);
  });

  it('answers what it had asked meanwhile, and asks nothing once it has ended or fits', () => {
    const bench = new Bench();
    bench.send('one');
    bench.end(bench.start(), { is: 'parked', asks: [ask('which?')], permits: [] });
    bench.enter({ is: 'outgrown', plan: other });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)).toHaveLength(1);
    bench.reply('bye', { close: true });
    expect(bench.state.machine.run?.status).toBe('ended');
    expect(bench.open).toEqual([]);

    const fits = talked();
    fits.enter({ is: 'replanned', plan: third });
    expect(fits.open).toMatchObject([{ kind: 'chat' }]);
  });
});
