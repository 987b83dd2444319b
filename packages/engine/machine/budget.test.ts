import type { AgentNode } from '@hearth/language/plan/node.ts';
import type { Plan as WholePlan } from '@hearth/language/plan.ts';
import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import { judgeRaise } from '../accept.ts';
import { ready } from '../machine.ts';
import type { Plan } from '../runnable.ts';
import { ada, Bench } from '../testing/bench.ts';
import { chatPlan } from '../testing/sample-plan.ts';

/* What the ledgers allow, by the events and pauses that a person meets. */

type Budget = Partial<WholePlan['budget']>;

const spent = (more: Partial<Spend>): Spend => ({ ...NO_SPEND, iterations: 1, ...more });
const reply = { reply: 'done', close: false, quick_replies: [] };

/** An agent that tries again over a loop until it says that it is done, and then one that delivers. */
function loopPlan(budget: Budget, exit = true): Plan {
  const plan = chatPlan();
  const bot = plan.nodes['bot'] as AgentNode;
  const agent = (name: string): AgentNode => ({ ...bot, name, output: null, session: 'fresh' });
  const edge = { loop: null, when: null, with: [] };
  const done = { is: 'field', field: 'done', negated: false } as const;
  return {
    ...plan,
    entry: 'work',
    nodes: {
      work: agent('work'),
      check: agent('check'),
      deliver: agent('deliver'),
      done: { ...bot, kind: 'done', name: 'done' },
    },
    edges: [
      { ...edge, from: 'work', to: 'check' },
      { ...edge, from: 'check', to: 'deliver', when: done },
      { ...edge, from: 'check', to: 'work', loop: 'again' },
      ...(exit ? [{ ...edge, from: 'check', to: 'deliver' }] : []),
      { ...edge, from: 'deliver', to: 'done' },
    ],
    loops: { again: { name: 'again', cap: 50, body: ['check', 'work'], entries: ['work'] } },
    budget: { burst: {}, lifetime: {}, maxParallelBranches: null, ...budget },
  };
}

/** Runs whatever is ready, each for so much, until nothing is; tells what ran. */
function runFor(bench: Bench, spend: Partial<Spend>, most = 100): string[] {
  const ran: string[] = [];
  for (let [next] = ready(bench.plan, bench.state); next && ran.length < most; ) {
    ran.push(next.node);
    bench.end(bench.start(), { is: 'done', output: { done: false } }, spent(spend));
    [next] = ready(bench.plan, bench.state);
  }
  return ran;
}

describe('a limit', () => {
  it.each([
    ['burst', 'cost', { burst: { cost: 10 } }, { costUsd: 8 }],
    ['burst', 'tokens', { burst: { tokens: 100 } }, { tokens: 80 }],
    ['burst', 'duration', { burst: { duration: 1000 } }, { activeMs: 800 }],
    ['burst', 'iterations', { burst: { iterations: 10 } }, { iterations: 8 }],
    ['lifetime', 'cost', { lifetime: { cost: 10 } }, { costUsd: 8 }],
    ['lifetime', 'tokens', { lifetime: { tokens: 100 } }, { tokens: 85 }],
  ] as const)('of the %s ledger for %s is warned of once, from 80 % on', (ledger, axis, limits, spend) => {
    const bench = new Bench(chatPlan(limits));
    bench.send('one');
    bench.end(bench.start(), { is: 'done', output: reply }, spent(spend));
    expect(bench.told('budget')).toMatchObject([{ ledger, axis, change: 'warned' }]);
    bench.send('two');
    bench.end(bench.start(), { is: 'done', output: reply }, spent({ iterations: 0 }));
    expect(bench.told('budget')).toHaveLength(1);
  });

  it('is not warned of below that', () => {
    const bench = new Bench(chatPlan({ burst: { cost: 10 } }));
    bench.send('one');
    bench.end(bench.start(), { is: 'done', output: reply }, spent({ costUsd: 7.99 }));
    expect(bench.told('budget')).toEqual([]);
  });

  it('keeps a node from starting from 90 % on, and lets one start below', () => {
    const below = new Bench(loopPlan({ lifetime: { cost: 10 } }, false));
    below.send('go');
    expect(runFor(below, { costUsd: 8.9 })).toEqual(['work', 'check']);
    const above = new Bench(loopPlan({ lifetime: { cost: 10 } }, false));
    above.send('go');
    expect(runFor(above, { costUsd: 9 })).toEqual(['work']);
    expect(above.open).toMatchObject([{ kind: 'recovery', cause: 'budget', code: 'lifetime.cost' }]);
    expect(above.told('budget').at(-1)).toMatchObject({ change: 'blocked', used: 9, limit: 10 });
  });

  it('charges nodes that failed', () => {
    const bench = new Bench(chatPlan({ lifetime: { cost: 10 } }));
    bench.send('one');
    const failed = { is: 'failed', code: 'network', message: 'cut', began: true } as const;
    bench.end(bench.start(), failed, spent({ costUsd: 9.5 }));
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(bench.open).toMatchObject([{ cause: 'budget' }]);
    expect(bench.state.ledgers.lifetime).toMatchObject({ costUsd: 9.5, iterations: 1 });
  });

  it('charges what was cut short as one execution of which nothing else is known', () => {
    const bench = new Bench(chatPlan({ lifetime: { cost: 10 } }));
    bench.send('one');
    bench.enter({ is: 'restarted', effects: [bench.start()] });
    expect(bench.state.ledgers.lifetime).toMatchObject({ costUsd: 0, iterations: 1, unpriced: 1 });
    expect(bench.told('notice')).toMatchObject([{ code: 'unpriced' }]);
  });

  it('warns again after it was raised, while a node runs too', () => {
    const bench = new Bench(chatPlan({ lifetime: { cost: 10 } }));
    bench.send('one');
    bench.end(bench.start(), { is: 'done', output: reply }, spent({ costUsd: 8 }));
    bench.send('two');
    const effect = bench.start();
    const judged = judgeRaise(bench.plan, bench.state, { ledger: 'lifetime', axis: 'cost', to: 20, by: ada });
    if ('entry' in judged) bench.enter(judged.entry);
    bench.end(effect, { is: 'done', output: reply }, spent({ costUsd: 8 }));
    expect(bench.told('budget').map(({ change, limit }) => [change, limit])).toEqual([
      ['warned', 10],
      ['raised', 20],
      ['warned', 20],
    ]);
  });

  it('is not raised a second time by going on after a person raised it', () => {
    const bench = new Bench(chatPlan({ lifetime: { cost: 10 } }));
    bench.send('one');
    bench.end(bench.start(), { is: 'done', output: reply }, spent({ costUsd: 9.5 }));
    bench.send('two');
    bench.enter({ is: 'raised', ledger: 'lifetime', axis: 'cost', to: 12, by: ada });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    expect(bench.state.ledgers.raised).toEqual([{ ledger: 'lifetime', axis: 'cost', to: 12 }]);
    expect(ready(bench.plan, bench.state)).toHaveLength(1);
  });

  it('is a failure that can be tried again where the plan says `fail`; without a raise it fails again', () => {
    const bench = new Bench(loopPlan({ lifetime: { cost: 10 }, onExceeded: 'fail' }, false));
    bench.send('go');
    runFor(bench, { costUsd: 9 });
    const failed = [{ kind: 'recovery', cause: 'failed', code: 'BUDGET_EXCEEDED' }];
    expect(bench.open).toMatchObject(failed);
    expect(bench.open[0]).toMatchObject({ choices: [{ id: 'again' }, { id: 'stop' }] });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(bench.open).toMatchObject(failed);
    bench.enter({ is: 'raised', ledger: 'lifetime', axis: 'cost', to: 20, by: ada });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'check' }]);
  });

  it('on tokens may be only a mark to be told of', () => {
    const plan = chatPlan();
    const bench = new Bench({ ...plan, budget: { ...plan.budget, warnTokens: 100 } });
    for (const tokens of [99, 120, 500]) {
      bench.send('on');
      bench.end(bench.start(), { is: 'done', output: reply }, spent({ tokens }));
    }
    expect(bench.told('budget')).toMatchObject([
      { ledger: 'burst', axis: 'tokens', change: 'warned', used: 120, limit: 100 },
      { used: 500 },
    ]);
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
  });

  it('on cost that cannot see an unpriced model is told of once', () => {
    const notices = (limits: object): number => {
      const bench = new Bench(chatPlan(limits));
      for (const _turn of [1, 2, 3]) {
        bench.send('on');
        bench.end(bench.start(), { is: 'done', output: reply }, spent({ costUsd: null, unpriced: 1 }));
      }
      expect(bench.state.ledgers.lifetime.unpriced).toBe(3);
      return bench.told('notice').filter(({ code }) => code === 'unpriced').length;
    };
    expect([notices({ lifetime: { cost: 5 } }), notices({ burst: { tokens: 5000 } })]).toEqual([1, 0]);
  });
});

describe('a loop', () => {
  const twice = ['work', 'check', 'work', 'check'];

  it.each([
    ['cost', { lifetime: { cost: 10 } }, { costUsd: 2 }],
    ['tokens', { burst: { tokens: 100 } }, { tokens: 20 }],
    ['duration', { burst: { duration: 1000 } }, { activeMs: 200 }],
    ['iterations', { lifetime: { iterations: 5 } }, {}],
  ] as const)('is left when the %s of its last round is not left', (axis, budget, spend) => {
    const bench = new Bench(loopPlan(budget));
    bench.send('go');
    expect(runFor(bench, spend)).toEqual([...twice, 'deliver']);
    expect(bench.told('notice')).toMatchObject([{ code: 'loop_declined' }]);
    expect(bench.told('notice')[0]?.text).toContain(axis);
    expect(bench.told('run').at(-1)).toMatchObject({ change: 'ended', reason: 'done' });
  });

  it('goes on for as long as a round is left, and to its cap with the guard off', () => {
    const guarded = new Bench(loopPlan({ lifetime: { cost: 100 } }));
    guarded.send('go');
    const ran = runFor(guarded, { costUsd: 5 });
    expect(ran.filter(node => node === 'work')).toHaveLength(9);
    expect(ran.at(-1)).toBe('deliver');
    const off = new Bench(loopPlan({ lifetime: { cost: 10 }, loopGuard: 'off' }));
    off.send('go');
    expect(runFor(off, { costUsd: 2 })).toEqual([...twice, 'work']);
    expect(off.open).toMatchObject([{ cause: 'budget' }]);
  });

  it('does not judge the cost of a round that has no price', () => {
    const bench = new Bench(loopPlan({ lifetime: { cost: 10 } }));
    bench.send('go');
    expect(runFor(bench, { costUsd: 2, unpriced: 1 })).toEqual([...twice, 'work']);
  });

  it('R13.21: lets what leads out use ten percent more than the limit, and no more', () => {
    const bench = new Bench(loopPlan({ lifetime: { cost: 10 } }));
    bench.send('go');
    expect(runFor(bench, { costUsd: 4.9 })).toEqual(['work', 'check', 'deliver']);
    const over = new Bench(loopPlan({ lifetime: { cost: 10 } }));
    over.send('go');
    over.end(over.start(), { is: 'done', output: {} }, spent({ costUsd: 8 }));
    over.end(over.start(), { is: 'done', output: { done: false } }, spent({ costUsd: 3 }));
    expect(over.open).toMatchObject([{ cause: 'budget', node: 'deliver' }]);
  });

  it('with no other way on waits for a person, who may let it go on; its node does not run again', () => {
    const bench = new Bench(loopPlan({ lifetime: { cost: 10 } }, false));
    bench.send('go');
    expect(runFor(bench, { costUsd: 2 })).toEqual(twice);
    expect(bench.open).toMatchObject([{ cause: 'budget', code: 'lifetime.cost', node: 'check' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    expect(bench.state.ledgers.raised).toEqual([{ ledger: 'lifetime', axis: 'cost', to: 20 }]);
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'work' }]);
  });

  it('that a person fuels is never left for its cost', () => {
    const bench = new Bench(chatPlan({ lifetime: { cost: 10 } }));
    bench.send('one');
    bench.end(bench.start(), { is: 'done', output: reply }, spent({ costUsd: 6 }));
    bench.send('two');
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'bot' }]);
  });

  it('is judged by its own round alone, not by what was used before it', () => {
    const plan = loopPlan({ lifetime: { cost: 10 } });
    const before = { ...plan.nodes['work'], name: 'before' } as AgentNode;
    const bench = new Bench({
      ...plan,
      entry: 'before',
      nodes: { ...plan.nodes, before },
      edges: [{ from: 'before', to: 'work', when: null, loop: null, with: [] }, ...plan.edges],
    });
    bench.send('go');
    bench.end(bench.start(), { is: 'done', output: {} }, spent({ costUsd: 6 }));
    expect(runFor(bench, { costUsd: 0.5 }).slice(0, 4)).toEqual(twice);
  });
});
