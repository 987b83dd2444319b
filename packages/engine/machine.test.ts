import type { Act } from '@hearth/protocol/decision.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { PauseId, TurnId } from '@hearth/protocol/ids.ts';
import { owes } from '@hearth/protocol/pause.ts';
import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeInterrupt, judgeMessage, judgeUnsend } from './accept.ts';
import type { Ask } from './backend.ts';
import { compute } from './compute.ts';
import type { EntryBody, Outcome } from './entry.ts';
import { apply, judge, ready, step } from './machine.ts';
import { quiescent } from './quiescent.ts';
import type { Plan } from './runnable.ts';
import { steerable } from './steer.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { initialState, type State } from './state.ts';

const at = '2026-01-01T00:00:00.000Z';
const digest = `sha256:${'0'.repeat(64)}` as const;
const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;
const id = (n: number): string => `command-${String(n).padStart(12, '0')}`;

/** Drives the machine as the run does, by hand. */
class Bench {
  state: State = initialState();
  readonly plan: Plan;
  readonly events: EventBody[] = [];
  #commands = 0;

  constructor(plan: Plan = chatPlan()) {
    this.plan = plan;
  }

  enter(entry: EntryBody): void {
    const made = step(this.plan, this.state, { at, ...entry });
    this.state = made.state;
    this.events.push(...made.events);
    this.#computeAll();
  }

  #computeAll(): void {
    for (const effect of ready(this.plan, this.state)) {
      const node = this.plan.nodes[effect.node];
      const { run } = this.state.machine;
      if (node?.kind !== 'compute' || run === null) continue;
      this.#intend(effect.node, 'compute');
      this.enter({
        is: 'ended',
        effect: effect.id,
        outcome: compute(this.plan, run, node, effect.input, this.state.ledgers),
        spend: NO_SPEND,
      });
      return;
    }
  }

  #intend(node: string, kind: 'agent' | 'compute'): void {
    const effect = ready(this.plan, this.state).find(candidate => candidate.node === node)!;
    const { id: effectId, attempt } = effect;
    this.enter({
      is: 'intended',
      effect: { id: effectId, branch: null, node, kind, attempt, backend: null },
    });
  }

  send(text: string, more: { delivery?: 'steer' | 'queue' | 'reject'; workspace?: string } = {}) {
    this.#commands += 1;
    const judged = judgeMessage(this.plan, this.state, {
      text,
      delivery: more.delivery ?? 'queue',
      workspace: more.workspace ?? null,
      by: ada,
      commandId: id(this.#commands),
      planDigest: digest,
      at,
    });
    if ('entry' in judged) this.enter(judged.entry);
    return judged;
  }

  decide(pause: PauseId, act: Act) {
    this.#commands += 1;
    const judged = judge(this.plan, this.state, { commandId: id(this.#commands), pause, act, actor: ada });
    if ('entry' in judged) this.enter(judged.entry);
    return judged;
  }

  /** Starts the agent and tells its session. */
  start(session = 's1'): `e${number}` {
    const effect = ready(this.plan, this.state)[0]!;
    this.#intend(effect.node, 'agent');
    this.enter({
      is: 'session',
      effect: effect.id,
      id: session,
      fingerprint: 'f',
      backend: 'fake',
      how: 'opened',
    });
    return effect.id;
  }

  end(effect: `e${number}`, outcome: Outcome, spend: Spend = { ...NO_SPEND, iterations: 1 }): void {
    this.enter({ is: 'ended', effect, outcome, spend });
  }

  reply(
    text: string,
    more: Record<string, never> | { close?: boolean; quick_replies?: string[] | string } = {},
  ): void {
    const output = { reply: text, close: false, quick_replies: [], ...more };
    this.end(this.start(), { is: 'done', output });
  }

  get open() {
    return this.state.machine.pauses;
  }

  told<T extends EventBody['type']>(type: T): Extract<EventBody, { type: T }>[] {
    return this.events.filter((event): event is Extract<EventBody, { type: T }> => event.type === type);
  }
}

const ask = (text: string, options: string[] = ['yes', 'no']): Ask => ({
  text,
  options: options.map(option => ({ id: option, label: option })),
  allowFreeText: false,
});

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

  it('carries the session over the loop edge alone', () => {
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

  it('reads json fields that arrive as strings', () => {
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

  it('absorbs a steered message that the model saw, and returns one that it only took', () => {
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
});

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

  it('answers once', () => {
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
      (bench, effect) => bench.end(effect, { is: 'failed', code: 'network', message: 'cut', began: false }),
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
    bench.end(bench.start(), { ...busy, retryAfterMs: 30_000 });
    expect(bench.open).toMatchObject([{ cause: 'failed', retryAt: '2026-01-01T00:00:30.000Z' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    bench.end(bench.start(), busy);
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
