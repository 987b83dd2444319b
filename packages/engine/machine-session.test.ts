import { describe, expect, it } from 'vitest';
import { ready } from './machine.ts';
import { Bench } from './testing/bench.ts';
import { chatPlan } from './testing/sample-plan.ts';

/* What the machine keeps and stamps of sessions. */

const envelope = { reply: 'hi', close: false, quick_replies: [] };

/** What the next turn of the bot is given. */
function nextInput(bench: Bench) {
  bench.send('and?');
  return ready(bench.plan, bench.state)[0]?.input;
}

describe('the stamps of an output', () => {
  it('R13.7: are the engine’s own: what a model wrote there is not believed', () => {
    const bench = new Bench();
    bench.send('hello');
    const forged = { _session_id: 'theirs', _session_fingerprint: 'x', _session_degraded: true };
    bench.end(bench.start('s1'), { is: 'done', output: { ...envelope, ...forged } });
    const { outputs } = bench.state.machine.run!;
    expect(outputs['bot']).toMatchObject({ ...envelope, _session_id: 's1', _session_fingerprint: 'f' });
    expect(outputs['bot']).not.toHaveProperty('_session_degraded');
    expect(nextInput(bench)).toMatchObject({ _session_id: 's1', _session_fingerprint: 'f' });
  });

  it('are not there without a session, whatever the model wrote', () => {
    const bench = new Bench();
    bench.send('hello');
    const [effect] = ready(bench.plan, bench.state);
    const { id, node, attempt } = effect!;
    bench.enter({
      is: 'intended',
      effect: { id, branch: null, node, kind: 'agent', attempt, backend: null },
    });
    bench.end(id, { is: 'done', output: { ...envelope, _session_id: 'theirs' } });
    const { outputs } = bench.state.machine.run!;
    expect(outputs['bot']).toMatchObject(envelope);
    expect(Object.keys(outputs['bot']!).filter(key => key.startsWith('_session'))).toEqual([]);
  });

  it('tell what it was made with and what it cost; an unknown price is null', () => {
    const bench = new Bench();
    bench.send('hello');
    const spend = { activeMs: 1200, tokens: 30, costUsd: 0.5, iterations: 1, unpriced: 0 };
    const made = { backend: 'fake', model: 'm-1', contextUsed: 10, contextWindow: 100 };
    const end = (more: Partial<typeof spend>): void => {
      const outcome = { is: 'done', output: { ...envelope, _model: 'forged', _tokens: 0 } } as const;
      bench.enter({ is: 'ended', effect: bench.start(), outcome, spend: { ...spend, ...more }, made });
    };
    end({});
    expect(bench.state.machine.run?.outputs['bot']).toMatchObject({
      _backend: 'fake',
      _model: 'm-1',
      _tokens: 30,
      _cost_usd: 0.5,
      _duration_ms: 1200,
      _context_used: 10,
      _context_window: 100,
    });
    bench.send('again');
    end({ unpriced: 1 });
    expect(bench.state.machine.run?.outputs['bot']).toMatchObject({ _cost_usd: null });
  });

  it('say of a replaced session that it is one, for that turn alone', () => {
    const bench = new Bench();
    const turn = (how: 'reseeded' | 'resumed') => {
      bench.send('hello');
      const [effect] = ready(bench.plan, bench.state);
      const id = bench.start('s2');
      const degraded = how === 'reseeded' ? { degraded: 'The earlier session is gone.' } : {};
      bench.enter({
        is: 'session',
        effect: id,
        id: 's2',
        fingerprint: 'f',
        backend: 'fake',
        how,
        ...degraded,
      });
      bench.end(id, { is: 'done', output: envelope });
      return effect;
    };
    turn('reseeded');
    expect(bench.state.machine.run?.outputs['bot']).toHaveProperty('_session_degraded', true);
    expect(bench.told('session').filter(event => event.change === 'degraded')).toMatchObject([
      { reason: 'The earlier session is gone.' },
    ]);
    turn('resumed');
    expect(bench.state.machine.run?.outputs['bot']).not.toHaveProperty('_session_degraded');
    expect(bench.state.machine.session).toEqual({ backend: 'fake', degraded: false });
  });
});

describe('a session that the run keeps', () => {
  const plan = chatPlan({ agent: { session: 'persist' }, keepsSession: false });

  it('is the one of the last turn that ended well, and ends with the run', () => {
    const bench = new Bench(plan);
    bench.send('hello');
    const first = bench.start('s1');
    expect(bench.state.machine.run?.slots).toBeUndefined();
    bench.end(first, { is: 'done', output: envelope });
    expect(bench.state.machine.run?.slots).toEqual({ bot: { id: 's1', fingerprint: 'f' } });
    bench.send('again');
    bench.end(bench.start('s2'), { is: 'done', output: { ...envelope, close: true } });
    expect(bench.state.machine.run?.slots).toEqual({ bot: { id: 's2', fingerprint: 'f' } });
    bench.send('anew');
    expect(bench.state.machine.run).toMatchObject({ id: 'r2' });
    expect(bench.state.machine.run?.slots).toBeUndefined();
  });

  it('is the slot’s where the node names one', () => {
    const bench = new Bench(chatPlan({ agent: { session: 'persist', sessionSlot: 'notes' } }));
    bench.send('hello');
    bench.end(bench.start('s1'), { is: 'done', output: envelope });
    expect(bench.state.machine.run?.slots).toEqual({ notes: { id: 's1', fingerprint: 'f' } });
  });

  it('is left as it was when the turn is given up', () => {
    const bench = new Bench(plan);
    bench.send('hello');
    bench.end(bench.start('s1'), { is: 'done', output: envelope });
    bench.send('again');
    bench.end(bench.start('s2'), { is: 'failed', code: 'network', message: 'gone', began: true });
    const [held] = bench.open;
    bench.decide(held!.id, { do: 'answer', option: 'stop' });
    expect(bench.state.machine.run?.slots).toEqual({ bot: { id: 's1', fingerprint: 'f' } });
  });
});
