import { describe, expect, it } from 'vitest';
import { judgeUnsend } from './accept.ts';
import { ready } from './machine.ts';
import { quiescent } from './quiescent.ts';
import { steerable } from './steer.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { ada, Bench } from './testing/bench.ts';

/* Turns, the queue and steering: what a message becomes. */

describe('a turn', () => {
  it('starts a run with the first message in the seed variable', () => {
    const bench = new Bench();
    bench.send('hello');
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { kind: 'agent', node: 'bot', input: { message: 'hello' } },
    ]);
    expect(bench.state.machine.turn).toMatchObject({ id: 't1', status: 'running' });
  });

  it('opens the chat pause with the reply, told once as a message', () => {
    const bench = new Bench();
    bench.send('hello');
    bench.reply('hi there', { quick_replies: ['a', 'b'] });
    expect(bench.open).toMatchObject([{ kind: 'chat', text: 'hi there', quickReplies: ['a', 'b'] }]);
    expect(bench.told('message').map(event => event.text)).toEqual(['hello', 'hi there']);
    expect(bench.told('turn').map(event => event.change)).toEqual(['started', 'completed']);
    expect(quiescent(bench.state)).toBe(true);
  });

  it('R13.2: carries the session over the loop edge alone', () => {
    const bench = new Bench();
    bench.send('one');
    bench.reply('1');
    bench.send('two');
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({
      message: 'two',
      _session_id: 's1',
      _session_fingerprint: 'f',
    });
    const dropped = new Bench(chatPlan({ keepsSession: false }));
    dropped.send('one');
    dropped.reply('1');
    dropped.send('two');
    expect(ready(dropped.plan, dropped.state)[0]?.input).toEqual({ message: 'two' });
  });

  it('R13.26: reads json fields that arrive as strings', () => {
    const bench = new Bench();
    bench.send('hello');
    bench.reply('hi', { quick_replies: '["a","b"]' });
    expect(bench.open).toMatchObject([{ quickReplies: ['a', 'b'] }]);
  });

  it('ends the run when the bot was told to close, and says the reply', () => {
    const bench = new Bench();
    bench.send('end it');
    bench.reply('goodbye', { close: true });
    expect(bench.state.machine.run).toMatchObject({ status: 'ended', reason: 'done' });
    expect(bench.told('message').at(-1)).toMatchObject({ text: 'goodbye' });
    expect(bench.open).toEqual([]);
    bench.send('back again');
    expect(bench.state.machine.run).toMatchObject({ id: 'r2', status: 'active' });
    expect(ready(bench.plan, bench.state)[0]?.input).toEqual({ message: 'back again' });
  });

  it('says a reply once when the run ends from home', () => {
    const plan = chatPlan();
    const leaves = {
      from: 'chat',
      to: 'done',
      loop: null,
      with: [],
      when: {
        is: 'expr',
        source: "message == 'bye'",
        expr: {
          is: 'binary',
          op: '==',
          left: { is: 'path', path: ['input', 'message'] },
          right: { is: 'literal', value: 'bye' },
        },
      },
    } as const;
    const bench = new Bench({ ...plan, edges: [leaves, ...plan.edges] });
    bench.send('hi');
    bench.reply('hello');
    bench.send('bye');
    expect(bench.state.machine.run).toMatchObject({ status: 'ended', reason: 'done' });
    expect(bench.told('message').filter(event => event.by.kind === 'bot')).toHaveLength(1);
    expect(bench.told('turn').at(-1)).toMatchObject({ turn: 't2', change: 'completed' });
  });

  it('belongs to the run that its message starts', () => {
    const bench = new Bench();
    bench.send('end it');
    bench.reply('goodbye', { close: true });
    bench.send('back again');
    expect(bench.told('message').at(-1)).not.toHaveProperty('run');
    expect(bench.told('turn').at(-1)).toMatchObject({ run: 'r2', change: 'started' });
  });

  it('holds an output that does not fit its schema for a person', () => {
    const bench = new Bench();
    bench.send('hello');
    bench.end(bench.start(), { is: 'done', output: { reply: 'x', close: 'perhaps', quick_replies: [] } });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'failed', code: 'SCHEMA_VALIDATION' }]);
  });

  it('tells the agent of a change of workspace', () => {
    const bench = new Bench();
    bench.send('one', { workspace: '/a' });
    bench.reply('1');
    bench.send('two', { workspace: '/b' });
    expect(bench.state.machine.turn).toMatchObject({ workspace: '/b', moved: true });
    bench.reply('2');
    bench.send('three');
    expect(bench.state.machine.turn).toMatchObject({ workspace: '/b', moved: false });
  });
});

describe('the queue', () => {
  it('delivers in order, at the chat pause only', () => {
    const bench = new Bench();
    bench.send('one');
    bench.send('two');
    bench.send('three');
    expect(bench.state.inbox.map(message => message.text)).toEqual(['two', 'three']);
    bench.reply('1');
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ message: 'two' });
    bench.reply('2');
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ message: 'three' });
  });

  it('says what became of a message', () => {
    const bench = new Bench();
    bench.send('one');
    expect(bench.send('two')).toMatchObject({ did: { as: 'queued', turn: 't2', message: 'm2' } });
    expect(bench.send('three', { delivery: 'reject' })).toMatchObject({ refused: { code: 'turn_active' } });
    const unsent = judgeUnsend(bench.plan, bench.state, 'm2', ada);
    if ('entry' in unsent) bench.enter(unsent.entry);
    expect(bench.state.inbox).toEqual([]);
    expect(judgeUnsend(bench.plan, bench.state, 'm2', ada)).toMatchObject({
      refused: { code: 'already_taken' },
    });
    expect(judgeUnsend(bench.plan, bench.state, 'm99', ada)).toMatchObject({
      refused: { code: 'unknown_message' },
    });
  });

  it('R13.27: absorbs a steered message that the model saw, and returns one that it only took', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    expect(bench.send('two', { delivery: 'steer' })).toMatchObject({ did: { as: 'steering' } });
    bench.send('three', { delivery: 'steer' });
    bench.enter({ is: 'taken', effect, messages: ['m2', 'm3'] });
    bench.enter({ is: 'seen', effect, messages: ['m2'] });
    bench.end(effect, { is: 'done', output: { reply: '1+2', close: false, quick_replies: [] } });
    expect(bench.told('turn').filter(event => event.change === 'absorbed')).toMatchObject([
      { turn: 't2', into: 't1' },
    ]);
    expect(ready(bench.plan, bench.state)[0]?.input).toMatchObject({ message: 'three' });
  });

  it('accepts an empty message only to be greeted', () => {
    const bench = new Bench();
    expect(bench.send('')).toMatchObject({ did: { as: 'started' } });
    bench.reply('welcome');
    expect(bench.send('  ')).toMatchObject({ refused: { code: 'empty_message' } });
  });
});

describe('steering', () => {
  const offered = (bench: Bench): string[] => steerable(bench.plan, bench.state).map(message => message.text);

  it('offers what asks for it, in order, and lets nothing overtake', () => {
    const bench = new Bench();
    bench.send('one', { workspace: '/a' });
    bench.start();
    bench.send('two', { delivery: 'steer', workspace: '/a' });
    bench.send('three', { delivery: 'steer' });
    expect(offered(bench)).toEqual(['two', 'three']);
    bench.send('four', { delivery: 'queue' });
    bench.send('five', { delivery: 'steer' });
    expect(offered(bench)).toEqual(['two', 'three']);
    expect(judgeUnsend(bench.plan, bench.state, 'm2', ada)).toMatchObject({
      refused: { code: 'already_taken' },
    });
    expect(judgeUnsend(bench.plan, bench.state, 'm4', ada)).toMatchObject({ did: { as: 'cancelled' } });
  });

  it('never joins a turn of another workspace, a node that takes none, or a turn that is being interrupted', () => {
    const elsewhere = new Bench();
    elsewhere.send('one', { workspace: '/a' });
    elsewhere.start();
    elsewhere.send('two', { delivery: 'steer', workspace: '/b' });
    expect(offered(elsewhere)).toEqual([]);

    const closed = new Bench(chatPlan({ agent: { inbox: 'off' } }));
    closed.send('one');
    closed.start();
    expect(closed.send('two', { delivery: 'steer' })).toMatchObject({ did: { as: 'queued' } });
    expect(offered(closed)).toEqual([]);

    const stopping = new Bench();
    stopping.send('one');
    stopping.start();
    stopping.enter({ is: 'interrupted', turn: 't1', by: ada });
    stopping.send('two', { delivery: 'steer' });
    expect(offered(stopping)).toEqual([]);
  });

  it('bounds what waits', () => {
    const bench = new Bench();
    bench.send('one');
    for (let n = 0; n < 100; n += 1) bench.send('more');
    expect(bench.send('one too many')).toMatchObject({ refused: { code: 'queue_full' } });
    expect(bench.state.inbox).toHaveLength(100);
  });

  it('bounds nothing that takes up what was interrupted: the queue could not be worked off without it', () => {
    const bench = new Bench();
    bench.send('one');
    const effect = bench.start();
    for (let n = 0; n < 100; n += 1) bench.send('more');
    bench.enter({ is: 'interrupted', turn: 't1', by: ada });
    bench.end(effect, { is: 'stopped' });
    bench.send('go on');
    expect(bench.state.machine.pauses).toEqual([]);
    expect(bench.state.inbox).toHaveLength(100);
    expect(bench.send('one too many')).toMatchObject({ refused: { code: 'queue_full' } });
  });
});
