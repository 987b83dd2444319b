import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../entry.ts';
import { judgeCancel, judgePause, judgeResume } from '../operate.ts';
import { ready } from '../machine.ts';
import { ada, ask, Bench } from '../testing/bench.ts';
import { chatPlan } from '../testing/sample-plan.ts';

/* Pausing, resuming and cancelling a run, from wherever it stands. */

const done: Outcome = { is: 'done', output: { reply: 'hi', close: false, quick_replies: [] } };
const failed = { is: 'failed', code: 'auth', message: 'no', began: false } as const;

type Asked = 'pause' | 'cancel' | 'resume';

function operate(bench: Bench, what: Asked, run: `r${number}` = 'r1'): string {
  const judged =
    what === 'pause'
      ? judgePause(bench.state, run, ada)
      : what === 'cancel'
        ? judgeCancel(bench.state, run, ada)
        : judgeResume(bench.plan, bench.state, run, ada);
  if ('entry' in judged) bench.enter(judged.entry);
  return 'refused' in judged ? judged.refused.message : 'accepted';
}

describe('a soft pause', () => {
  it('lets what runs end, shows its reply, and is over when the run comes to its person', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    expect(operate(bench, 'pause')).toBe('accepted');
    bench.end(effect, done);
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    bench.send('two');
    expect(ready(bench.plan, bench.state)).toHaveLength(1);
  });

  it('stops before the next node that works, and goes on there without running the last one again', () => {
    const plan = chatPlan();
    const second = { ...plan.nodes['bot'], name: 'second' } as (typeof plan.nodes)[string];
    const bench = new Bench({
      ...plan,
      nodes: { ...plan.nodes, second },
      edges: plan.edges.flatMap(edge =>
        edge.from === 'bot'
          ? [
              { ...edge, to: 'second' },
              { ...edge, from: 'second', with: edge.with },
            ]
          : [edge],
      ),
    });
    bench.send('one');
    const effect = bench.start();
    operate(bench, 'pause');
    bench.end(effect, done);
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'paused', node: 'second' }]);
    expect(ready(bench.plan, bench.state)).toEqual([]);
    // Words wait: only a person's own "go on" goes on.
    bench.send('more');
    expect(bench.state.inbox).toHaveLength(1);
    expect(operate(bench, 'resume')).toBe('accepted');
    expect(bench.open).toEqual([]);
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'second', attempt: 1 }]);
  });

  it('is taken back by a resume while the run still works', () => {
    const bench = new Bench();
    bench.send('one');
    bench.start();
    operate(bench, 'pause');
    expect(operate(bench, 'pause')).toContain('already');
    expect(operate(bench, 'resume')).toBe('accepted');
    expect(bench.state.machine.run?.pausing).toBeUndefined();
  });

  it('survives a crash of what runs, and that is one pause and not two', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    operate(bench, 'pause');
    bench.enter({ is: 'restarted', effects: [effect] });
    expect(bench.open).toMatchObject([{ cause: 'interrupted' }]);
    operate(bench, 'resume');
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'bot', attempt: 2 }]);
  });
});

describe('a resume', () => {
  it.each<[string, (bench: Bench) => void, string]>([
    ['a failure', bench => bench.end(bench.start(), failed), 'accepted'],
    ['a crash', bench => bench.enter({ is: 'restarted', effects: [bench.start()] }), 'accepted'],
    [
      'a question',
      bench => bench.end(bench.start(), { is: 'parked', asks: [ask('which?')], permits: [] }),
      'answer p1',
    ],
    ['nothing that is open', bench => bench.end(bench.start(), done), 'nothing to resume'],
    [
      'a call of which nobody knows whether it happened',
      bench => {
        const effect = bench.start();
        const digest = `sha256:${'1'.repeat(64)}` as const;
        const call = { call: 'c1', name: 'change', title: 'change', digest, idempotent: false };
        bench.enter({ is: 'called', effect, ...call });
        bench.enter({ is: 'restarted', effects: [effect] });
      },
      'answer p1',
    ],
  ])('at %s: see the last column', (_name, lead, says) => {
    const bench = new Bench();
    bench.send('one');
    lead(bench);
    expect(operate(bench, 'resume')).toContain(says);
  });

  it('at a lifetime limit needs a raise first, and then raises nothing itself', () => {
    const bench = new Bench(chatPlan({ lifetime: { cost: 10 } }));
    bench.send('one');
    bench.end(bench.start(), done, { ...NO_SPEND, costUsd: 9.5, iterations: 1 });
    bench.send('two');
    expect(operate(bench, 'resume')).toContain('raise it first');
    bench.enter({ is: 'raised', ledger: 'lifetime', axis: 'cost', to: 30, by: ada });
    expect(operate(bench, 'resume')).toBe('accepted');
    expect(ready(bench.plan, bench.state)).toHaveLength(1);
    expect(bench.state.ledgers.raised).toMatchObject([{ to: 30 }]);
  });
});

describe('a cancel', () => {
  it('interrupts what runs and ends the run once that has ended', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    expect(operate(bench, 'cancel')).toBe('accepted');
    expect(bench.state.machine.run).toMatchObject({
      status: 'active',
      tokens: [{ stage: { interrupted: true } }],
    });
    bench.end(effect, { is: 'stopped' });
    expect(bench.state.machine).toMatchObject({
      turn: null,
      pauses: [],
      run: { status: 'ended', code: 'CANCELLED' },
    });
    expect(bench.told('turn').at(-1)).toMatchObject({ change: 'cancelled', code: 'CANCELLED' });
    expect(operate(bench, 'cancel')).toContain('has ended');
  });

  it.each<[string, (bench: Bench) => void]>([
    ['at home', bench => bench.end(bench.start(), done)],
    ['at a failure', bench => bench.end(bench.start(), failed)],
    [
      'at a question',
      bench => bench.end(bench.start(), { is: 'parked', asks: [ask('which?')], permits: [] }),
    ],
    ['after a crash', bench => bench.enter({ is: 'restarted', effects: [bench.start()] })],
  ])('%s ends the run at once, answers nothing, and the next message begins another', (_name, lead) => {
    const bench = new Bench();
    bench.send('one');
    lead(bench);
    operate(bench, 'cancel');
    expect(bench.open).toEqual([]);
    expect(bench.told('pause.closed').at(-1)).toMatchObject({ how: 'cancelled', by: ada });
    bench.send('two');
    expect(bench.state.machine.run).toMatchObject({ id: 'r2', status: 'active' });
  });

  it('is finished by a restart when the process dies before what runs has stopped', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    operate(bench, 'cancel');
    bench.enter({ is: 'restarted', effects: [effect] });
    expect(bench.state.machine.run).toMatchObject({ status: 'ended', code: 'CANCELLED' });
    expect(bench.open).toEqual([]);
  });

  it('gives back once what was taken and never seen', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    bench.send('and this', { delivery: 'steer' });
    bench.enter({ is: 'taken', effect, messages: ['m2'] });
    operate(bench, 'cancel');
    bench.end(effect, { is: 'stopped' });
    // It begins the next run.
    expect(bench.state.inbox).toEqual([]);
    expect(bench.state.machine).toMatchObject({ run: { id: 'r2' }, turn: { message: 'm2' } });
  });

  it('names its run: another is not met by it', () => {
    const bench = new Bench();
    bench.send('one');
    expect(operate(bench, 'cancel', 'r2')).toContain('is not the one under way, which is r1');
    expect(operate(bench, 'pause', 'r2')).toContain('r1');
  });
});
