import type { TurnId } from '@hearth/protocol/ids.ts';
import { owes } from '@hearth/protocol/pause.ts';
import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeInterrupt } from './accept.ts';
import type { EntryBody, Outcome } from './entry.ts';
import { apply, ready } from './machine.ts';
import { quiescent } from './quiescent.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { initialState } from './state.ts';
import { ada, ask, at, Bench } from './testing/bench.ts';

/* Questions and budgets, and what holds whatever happens. */

describe('questions', () => {
  it('parks, and goes on in the same session when the last of them is answered', () => {
    const bench = new Bench();
    bench.send('tidy up');
    bench.end(bench.start(), { is: 'parked', asks: [ask('close?'), ask('really?')], permits: [] });
    expect(bench.open.map(pause => pause.kind)).toEqual(['question', 'question']);
    expect(bench.told('turn').at(-1)).toMatchObject({ change: 'waiting' });
    const [first, second] = bench.open;
    bench.decide(second!.id, { do: 'answer', option: 'no' });
    expect(ready(bench.plan, bench.state)).toEqual([]);
    bench.decide(first!.id, { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      {
        resume: {
          session: { id: 's1' },
          answers: [{ result: { option: 'yes' } }, { result: { option: 'no' } }],
        },
      },
    ]);
  });

  it('lets no message answer', () => {
    const bench = new Bench();
    bench.send('tidy up');
    bench.end(bench.start(), { is: 'parked', asks: [ask('close?')], permits: [] });
    bench.send('yes');
    expect(bench.open).toHaveLength(1);
    expect(bench.state.inbox.map(message => message.text)).toEqual(['yes']);
  });

  it('R13.9: answers once', () => {
    const bench = new Bench();
    bench.send('tidy up');
    bench.end(bench.start(), { is: 'parked', asks: [ask('close?')], permits: [] });
    const pause = bench.open[0]!.id;
    bench.decide(pause, { do: 'answer', option: 'yes' });
    expect(bench.decide(pause, { do: 'answer', option: 'no' })).toMatchObject({
      refused: { code: 'closed', action: 'yes' },
    });
  });

  it('is cancelled by an interrupt, never answered', () => {
    const bench = new Bench();
    bench.send('tidy up');
    bench.end(bench.start(), { is: 'parked', asks: [ask('close?')], permits: [] });
    bench.enter({ is: 'interrupted', turn: 't1', by: ada });
    expect(bench.told('pause.closed').at(-1)).toMatchObject({ how: 'cancelled' });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
    bench.send('go on then');
    expect(ready(bench.plan, bench.state)).toMatchObject([
      {
        resume: { session: { id: 's1' }, answers: [{ result: 'cancelled' }], interrupted: {} },
        joined: [{ text: 'go on then' }],
      },
    ]);
    expect(bench.state.machine.turn).toMatchObject({ id: 't1', status: 'running' });
  });
});

describe('budgets', () => {
  const spend = (iterations: number): Spend => ({ ...NO_SPEND, iterations });

  it('start a burst at zero and never refill the lifetime', () => {
    const bench = new Bench(chatPlan({ burst: { iterations: 10 }, lifetime: { iterations: 100 } }));
    bench.send('one');
    bench.end(
      bench.start(),
      { is: 'done', output: { reply: '1', close: false, quick_replies: [] } },
      spend(4),
    );
    bench.send('two');
    expect(bench.state.ledgers).toMatchObject({ burst: { iterations: 0 }, lifetime: { iterations: 4 } });
  });

  it('start a burst at zero with the answer that lets the run go on, and forget what was raised for the last one', () => {
    const bench = new Bench(chatPlan({ burst: { iterations: 50 } }));
    bench.send('one');
    bench.end(bench.start(), { is: 'parked', asks: [ask('a?'), ask('b?')], permits: [] }, spend(7));
    bench.enter({ is: 'raised', ledger: 'burst', axis: 'iterations', to: 60, by: ada });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'yes' });
    expect(bench.state.ledgers.burst.iterations).toBe(7);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'yes' });
    expect(bench.state.ledgers).toMatchObject({
      burst: { iterations: 0 },
      lifetime: { iterations: 7 },
      raised: [],
    });
  });

  it('warn once at 80 % and let no node start from 90 %, until a person allows more', () => {
    const bench = new Bench(chatPlan({ lifetime: { iterations: 10 } }));
    bench.send('one');
    bench.end(
      bench.start(),
      { is: 'done', output: { reply: '1', close: false, quick_replies: [] } },
      spend(9),
    );
    expect(bench.told('budget')).toMatchObject([
      { change: 'warned', ledger: 'lifetime', axis: 'iterations' },
    ]);
    bench.send('two');
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'budget', code: 'lifetime.iterations' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'bot', input: { message: 'two' } }]);
    expect(bench.state.ledgers.raised).toEqual([{ ledger: 'lifetime', axis: 'iterations', to: 20 }]);
  });
});

describe('the machine, whatever happens', () => {
  const outcomes = fc.oneof(
    fc.constant<Outcome>({ is: 'done', output: { reply: 'r', close: false, quick_replies: [] } }),
    fc.constant<Outcome>({ is: 'done', output: { reply: 'bye', close: true, quick_replies: [] } }),
    fc.constant<Outcome>({ is: 'done', output: {} }),
    fc.constant<Outcome>({ is: 'parked', asks: [ask('q?')], permits: [] }),
    fc.constant<Outcome>({ is: 'parked', asks: [ask('q?'), ask('free', [])], permits: [] }),
    fc.constant<Outcome>({ is: 'stopped' }),
    fc.constant<Outcome>({ is: 'failed', code: 'auth', message: 'no', began: false }),
  );
  const moves = fc.array(
    fc.oneof(
      fc.record({
        do: fc.constant('send' as const),
        delivery: fc.constantFrom('steer' as const, 'queue' as const),
      }),
      fc.record({ do: fc.constant('end' as const), outcome: outcomes }),
      fc.record({ do: fc.constant('decide' as const), pick: fc.nat(5) }),
      fc.constant({ do: 'interrupt' as const }),
      fc.constant({ do: 'crash' as const }),
      fc.constant({ do: 'take' as const }),
    ),
    { maxLength: 40 },
  );

  function play(
    bench: Bench,
    move: Parameters<typeof apply>[2] extends never
      ? never
      : typeof moves extends fc.Arbitrary<(infer M)[]>
        ? M
        : never,
  ): void {
    const { run, turn } = bench.state.machine;
    const running = run?.tokens.find(token => token.stage.is === 'running')?.stage;
    const effect = running?.is === 'running' ? running.effect : null;
    if (move.do === 'send') bench.send('word', { delivery: move.delivery });
    else if (move.do === 'end') {
      if (effect !== null) bench.end(effect, move.outcome);
      else if (ready(bench.plan, bench.state).length > 0) bench.start(`s${bench.events.length}`);
    } else if (move.do === 'decide') {
      const pause = bench.open.filter(owes)[move.pick % Math.max(1, bench.open.filter(owes).length)];
      if (pause?.kind === 'question')
        bench.decide(
          pause.id,
          pause.options[0] ? { do: 'answer', option: 'yes' } : { do: 'answer', text: 'blue' },
        );
      if (pause?.kind === 'recovery')
        bench.decide(pause.id, { do: 'answer', option: pause.choices[move.pick % pause.choices.length]!.id });
    } else if (move.do === 'interrupt') {
      const judged = judgeInterrupt(bench.state, turn?.id ?? ('t1' as TurnId), ada);
      if ('entry' in judged) bench.enter(judged.entry);
    } else if (move.do === 'crash' && effect !== null) bench.enter({ is: 'restarted', effects: [effect] });
    else if (move.do === 'take' && effect !== null)
      bench.enter({ is: 'taken', effect, messages: bench.state.inbox.map(message => message.id) });
  }

  it('loses and doubles no message, and always leaves a person something to do', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 4 }), (played, cap) => {
        const bench = new Bench(chatPlan({ cap }));
        for (const move of played) play(bench, move);
        const { run, turn, pauses } = bench.state.machine;
        // R13.32: how a run stands is told by the same entry that makes it so.
        const told = bench
          .told('run')
          .filter(event => event.change === 'ended')
          .map(event => event.run);
        if (run?.status === 'ended') expect(told).toContain(run.id);
        else expect(told).not.toContain(run?.id);
        // Something runs, something may run, a pause is open, or a message would start a run.
        const alive =
          run?.tokens.some(token => token.stage.is === 'running' || token.stage.is === 'ready') === true;
        expect(alive || pauses.length > 0 || run === null || run.status === 'ended').toBe(true);
        if (!alive && run?.status !== 'active') expect(bench.state.inbox).toEqual([]);
        if (quiescent(bench.state) && turn !== null) expect(turn.status).toBe('waiting');
        expect(new Set(pauses.map(pause => pause.id)).size).toBe(pauses.length);
        expect(pauses.filter(pause => pause.kind === 'chat').length).toBeLessThanOrEqual(1);
        // Every person's message is queued, with the agent, or its turn was told to start, be absorbed or cancelled.
        const spoken = bench.told('message').filter(event => event.by.kind === 'person');
        const settled = bench
          .told('turn')
          .filter(event => ['started', 'absorbed', 'cancelled'].includes(event.change));
        const held = new Set([
          ...bench.state.inbox.map(message => message.id),
          ...(
            run?.tokens.flatMap(({ stage }) =>
              stage.is === 'running' ? stage.taken : stage.is === 'held' ? (stage.again?.unseen ?? []) : [],
            ) ?? []
          ).map(message => message.id),
        ]);
        for (const { message } of spoken) {
          const starts = settled.filter(
            event => event.message === message && event.change === 'started',
          ).length;
          expect(starts).toBeLessThanOrEqual(1);
          const joined = JSON.stringify(run?.tokens ?? []).includes(`"${message}"`);
          expect(held.has(message) || joined || settled.some(event => event.message === message)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('is the fold of its entries, and a refused decision leaves the state byte-equal', () => {
    fc.assert(
      fc.property(moves, played => {
        const bench = new Bench();
        const entries: EntryBody[] = [];
        const enter = bench.enter.bind(bench);
        bench.enter = entry => {
          entries.push(entry);
          enter(entry);
        };
        for (const move of played) play(bench, move);
        const folded = entries.reduce(
          (state, entry) => apply(bench.plan, state, { at, ...entry }),
          initialState(),
        );
        expect(folded).toEqual(bench.state);
        const before = JSON.stringify(bench.state);
        bench.decide('p9999', { do: 'answer', option: 'yes' });
        for (const pause of bench.open) bench.decide(pause.id, { do: 'answer', option: 'no such option' });
        expect(JSON.stringify(bench.state)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });

  it('remembers only the latest closed pauses', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 80; turn += 1) {
      bench.send('words');
      bench.reply('reply');
    }
    expect(bench.state.machine.closed).toHaveLength(64);
  });

  it('keeps a state whose size does not grow with the turns', () => {
    const bench = new Bench();
    const sizes: number[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      bench.send('the same words');
      bench.reply('the same reply');
      sizes.push(
        JSON.stringify({ ...bench.state, counters: null, machine: { ...bench.state.machine, closed: null } })
          .length,
      );
    }
    expect(sizes.at(-1)! - sizes[9]!).toBeLessThan(40);
  });
});
