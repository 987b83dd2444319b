import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import { judgeInterrupt } from './accept.ts';
import { ready } from './machine.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { ada, ask, Bench, digest } from './testing/bench.ts';

/* What waits for a person when something went wrong, and what each choice of it does. */

describe('recovery', () => {
  it('takes an interrupted turn up again with a plain message, in the recorded session', () => {
    const bench = new Bench();
    bench.send('work');
    const effect = bench.start('s7');
    bench.enter({ is: 'restarted', effects: [effect] });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'interrupted', turn: 't1' }]);
    bench.send('go on');
    expect(bench.told('turn').at(-2)).toMatchObject({ change: 'absorbed', turn: 't2', into: 't1' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { attempt: 2, resume: { session: { id: 's7' }, interrupted: { effect } }, joined: [{ text: 'go on' }] },
    ]);
  });

  it.each<[string, (bench: Bench, effect: `e${number}`) => void]>([
    [
      'fails',
      (bench, effect) => bench.end(effect, { is: 'failed', code: 'network', message: 'cut', began: true }),
    ],
    ['dies', (bench, effect) => bench.enter({ is: 'restarted', effects: [effect] })],
    [
      'is interrupted',
      (bench, effect) => {
        bench.enter({ is: 'interrupted', turn: 't1', by: ada });
        bench.end(effect, { is: 'stopped' });
      },
    ],
  ])('tells words that joined again when the attempt %s', (_name, breaks) => {
    const bench = new Bench();
    bench.send('one');
    bench.enter({ is: 'restarted', effects: [bench.start()] });
    bench.send('no, do X instead');
    breaks(bench, bench.start());
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { attempt: 3, joined: [{ text: 'no, do X instead' }] },
    ]);
    const effect = bench.start();
    bench.enter({ is: 'seen', effect, messages: ['m2'] });
    bench.enter({ is: 'restarted', effects: [effect] });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ attempt: 4, joined: [] }]);
  });

  it('tells that tools were cut off by an interrupt, those of the backend and our own, and no others', () => {
    const bench = new Bench();
    bench.send('work');
    const effect = bench.start();
    for (const call of ['n1', 'n2']) bench.enter({ is: 'began', effect, name: 'Bash', call });
    bench.enter({ is: 'ceased', effect, call: 'n1' });
    const asked = {
      effect,
      call: 'h1',
      name: 'close_issue',
      title: 'close',
      digest,
      idempotent: true,
    } as const;
    bench.enter({ is: 'called', ...asked });
    bench.events.length = 0;
    bench.end(effect, { is: 'stopped' });
    expect(bench.told('tool')).toMatchObject([
      { call: 'n2', name: 'Bash', change: 'failed', detail: expect.stringContaining('cut off') },
      { call: 'h1', name: 'close_issue', change: 'failed' },
    ]);
    expect(bench.open).toMatchObject([{ detail: expect.stringContaining('Bash') }]);
  });

  it('keeps the words that joined when the budget holds the attempt', () => {
    const bench = new Bench(chatPlan({ lifetime: { iterations: 10 } }));
    bench.send('one');
    bench.end(
      bench.start(),
      { is: 'failed', code: 'auth', message: 'no', began: false },
      { ...NO_SPEND, iterations: 9 },
    );
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    bench.enter({ is: 'restarted', effects: [bench.start()] });
    bench.send('and X');
    const effect = bench.start();
    bench.end(
      effect,
      { is: 'failed', code: 'auth', message: 'no', began: false },
      { ...NO_SPEND, iterations: 10 },
    );
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(bench.open).toMatchObject([{ cause: 'budget' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ joined: [{ text: 'and X' }] }]);
  });

  it('keeps the turn through an interrupt, so that it can be interrupted again, and ends it at "stop"', () => {
    const bench = new Bench();
    bench.send('one');
    bench.reply('1');
    bench.send('two');
    const effect = bench.start();
    bench.enter({ is: 'interrupted', turn: 't2', by: ada });
    bench.end(effect, { is: 'stopped' });
    expect(bench.state.machine.turn).toMatchObject({ id: 't2', status: 'waiting' });
    expect(judgeInterrupt(bench.state, 't2', ada)).toMatchObject({ refused: { code: 'wrong_state' } });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    const second = bench.start();
    expect(bench.state.machine.turn).toMatchObject({ id: 't2', status: 'running' });
    const judged = judgeInterrupt(bench.state, 't2', ada);
    expect(judged).toMatchObject({ did: { as: 'stopped' } });
    if ('entry' in judged) bench.enter(judged.entry);
    bench.end(second, { is: 'stopped' });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'stop' });
    expect(bench.told('turn').at(-1)).toMatchObject({ turn: 't2', change: 'cancelled' });
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
  });

  it('queues what is said from another workspace, and starts a burst with what is said from this one', () => {
    const bench = new Bench(chatPlan({ burst: { iterations: 100 } }));
    bench.send('one', { workspace: '/a' });
    bench.end(
      bench.start(),
      { is: 'parked', asks: [ask('sure?')], permits: [] },
      { ...NO_SPEND, iterations: 5 },
    );
    bench.enter({ is: 'interrupted', turn: 't1', by: ada });
    bench.send('elsewhere', { workspace: '/b' });
    expect(bench.state.inbox.map(message => message.text)).toEqual(['elsewhere']);
    expect(bench.state.ledgers.burst.iterations).toBe(5);
    bench.send('here', { workspace: '/a' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ joined: [{ text: 'here' }] }]);
    expect(bench.state.ledgers.burst.iterations).toBe(0);
  });

  it('cancels what would be asked by a turn that was interrupted just before', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    bench.enter({ is: 'interrupted', turn: 't1', by: ada });
    bench.end(effect, { is: 'parked', asks: [ask('sure?')], permits: [] });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
  });

  it('asks about a tool whose outcome is unknown, and queues what is said meanwhile', () => {
    const bench = new Bench();
    bench.send('work');
    const effect = bench.start();
    bench.enter({
      is: 'called',
      effect,
      call: 'c1',
      name: 'change',
      title: 'change',
      digest,
      idempotent: false,
    });
    bench.enter({ is: 'restarted', effects: [effect] });
    expect(bench.open).toMatchObject([{ cause: 'uncertain' }]);
    bench.send('go on');
    expect(bench.state.inbox).toHaveLength(1);
    expect(ready(bench.plan, bench.state)).toEqual([]);
  });

  it('needs an output for "it happened"', () => {
    const bench = new Bench();
    bench.send('work');
    const effect = bench.start();
    bench.enter({ is: 'restarted', effects: [effect] });
    const pause = bench.open[0]!.id;
    expect(bench.open).toMatchObject([{ fields: { required: ['reply', 'close', 'quick_replies'] } }]);
    const before = JSON.stringify(bench.state);
    expect(bench.decide(pause, { do: 'answer', option: 'it_happened' })).toMatchObject({
      refused: { code: 'invalid_choice' },
    });
    expect(JSON.stringify(bench.state)).toBe(before);
    bench.decide(pause, {
      do: 'answer',
      option: 'it_happened',
      fields: { reply: 'done', close: false, quick_replies: [] },
    });
    expect(bench.open).toMatchObject([{ kind: 'chat', text: 'done' }]);
    bench.send('next');
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ _session_id: 's1' });
  });

  it('tells from when another attempt makes sense, and leaves it to the person', () => {
    const bench = new Bench();
    bench.send('work');
    const busy = { is: 'failed', code: 'quota', message: 'busy', began: false } as const;
    bench.end(bench.start(), { ...busy, retryAfterMs: 300_000 });
    expect(bench.open).toMatchObject([{ cause: 'failed', retryAt: '2026-01-01T00:05:00.000Z' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    bench.end(bench.start(), { ...busy, lasting: true });
    expect(bench.open[0]).not.toHaveProperty('retryAt');
  });

  it('goes back to home base on stop, with the session kept', () => {
    const bench = new Bench();
    bench.send('one');
    bench.reply('1');
    bench.send('two');
    bench.end(bench.start(), { is: 'failed', code: 'auth', message: 'no key', began: false });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'failed', code: 'auth' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'stop' });
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    expect(bench.told('turn').at(-1)).toMatchObject({ turn: 't2', change: 'failed' });
    bench.send('three');
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ message: 'three', _session_id: 's1' });
  });

  it('ends the run on stop where there is no home base yet', () => {
    const bench = new Bench();
    bench.send('one');
    bench.end(bench.start(), { is: 'failed', code: 'auth', message: 'no key', began: false });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'stop' });
    expect(bench.state.machine.run).toMatchObject({ status: 'ended', reason: 'failed' });
  });

  it('lets a person lift an exhausted loop; the message waits meanwhile', () => {
    const bench = new Bench(chatPlan({ cap: 1 }));
    bench.send('one');
    bench.reply('1');
    bench.send('two');
    bench.reply('2');
    bench.send('three');
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'loop_exhausted' }]);
    expect(bench.state.inbox).toHaveLength(1);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ message: 'three' });
  });

  it('starts a new run with what waits when the exhausted one is closed', () => {
    const bench = new Bench(chatPlan({ cap: 1 }));
    bench.send('one');
    bench.reply('1');
    bench.send('two');
    bench.reply('2');
    bench.send('three');
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'close' });
    expect(bench.state.machine.run).toMatchObject({ id: 'r2', status: 'active' });
    expect(ready(bench.plan, bench.state)[0]?.input).toEqual({ message: 'three' });
  });
});
