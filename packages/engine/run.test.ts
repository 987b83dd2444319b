import type { EventBody } from '@hearth/protocol/event.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { describe, expect, it } from 'vitest';
import { judgeInterrupt, judgeMessage } from './accept.ts';
import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendEvent,
  type BackendRun,
  type BackendTurn,
  type Host,
  type InboxMessage,
} from './backend.ts';
import type { Drive } from './drive.ts';
import type { EntryBody } from './entry.ts';
import { judge, step } from './machine.ts';
import { Run } from './run.ts';
import type { Plan } from './runnable.ts';
import { planOf } from './testing/plan-of.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { initialState, type State } from './state.ts';
import type { Tool } from './tool.ts';

const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;
const digest = `sha256:${'0'.repeat(64)}` as const;

/** A clock that moves only when told. */
class HandClock implements Clock {
  time = 0;
  readonly timers: { at: number; callback: () => void }[] = [];
  now = (): number => this.time;
  active = (): number => this.time;
  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.time + ms, callback };
    this.timers.push(timer);
    return () => void this.timers.splice(this.timers.indexOf(timer), 1);
  };
  advance(ms: number): void {
    this.time += ms;
    for (const timer of this.timers.filter(candidate => candidate.at <= this.time)) timer.callback();
  }
}

/** A stand-in for a model provider: a script for each turn. */
type Script = (
  turn: BackendTurn,
  host: Host,
  inbox: InboxMessage[],
  stopped: Promise<void>,
) => AsyncGenerator<BackendEvent>;

class ScriptBackend implements Backend {
  readonly name = 'script';
  readonly capabilities = ALL_CAPABILITIES;
  readonly turns: BackendTurn[] = [];
  readonly #script: Script;
  constructor(script: Script) {
    this.#script = script;
  }
  detect = () => Promise.resolve({ usable: true, why: 'test' });
  fingerprint = () => Promise.resolve('f');
  start(turn: BackendTurn, host: Host): BackendRun {
    this.turns.push(turn);
    const inbox: InboxMessage[] = [];
    const stop = Promise.withResolvers<void>();
    const events = this.#script(turn, host, inbox, stop.promise);
    return {
      [Symbol.asyncIterator]: () => events,
      offer: message => void inbox.push(message),
      interrupt: () => Promise.resolve(stop.resolve()),
    };
  }
}

/** A lane in memory: commits are applied at once and kept in order. */
class MemoryDrive implements Drive {
  readonly plan: Plan;
  state: State = initialState();
  readonly entries: EntryBody[] = [];
  readonly events: EventBody[] = [];
  readonly drafts: string[] = [];
  readonly late: string[] = [];
  readonly run: Run;
  fails = false;
  #commands = 0;

  constructor(script: Script | Backend, options: { plan?: Plan; tools?: Tool[]; clock?: Clock } = {}) {
    this.plan = options.plan ?? chatPlan();
    const backend = typeof script === 'function' ? new ScriptBackend(script) : script;
    this.run = new Run({
      drive: this,
      bot: { name: 'sample', title: 'Sample', plan: this.plan, digest, sources: {}, tools: [] },
      choose: () =>
        Promise.resolve({ backend, model: { model: 'auto', provider: null, effort: null }, why: 'test' }),
      tools: options.tools ?? [],
      clock: options.clock ?? new HandClock(),
      fallbackWorkspace: '/fallback',
    });
  }

  commit: Drive['commit'] = (entries, events = [], follow = () => []) => {
    if (this.fails) return Promise.reject(new Error('disk full'));
    for (let next = entries; next.length > 0; next = follow(this.state)) {
      for (const entry of next) {
        this.entries.push(entry);
        const made = step(this.plan, this.state, { at: '2026-01-01T00:00:00.000Z', ...entry });
        this.state = made.state;
        this.events.push(...made.events);
      }
    }
    this.events.push(...events);
    return Promise.resolve();
  };

  broken = (): boolean => this.fails;
  draft = (draft: { text: string }): void => void this.drafts.push(draft.text);
  attached: Drive['attached'] = files => Promise.resolve(files);
  recap = () => Promise.resolve({ turns: [] });
  artifact = () => Promise.resolve(null);
  discarded = (late: { node: string }): void => void this.late.push(late.node);
  directory = (node: string): Promise<string> => Promise.resolve(`/backend/${node}`);

  async send(
    text: string,
    delivery: 'steer' | 'queue' = 'queue',
    workspace: string | null = null,
  ): Promise<void> {
    this.#commands += 1;
    const at = '2026-01-01T00:00:00.000Z';
    const commandId = `command-${String(this.#commands).padStart(12, '0')}`;
    const judged = judgeMessage(this.plan, this.state, {
      text,
      delivery,
      workspace,
      by: ada,
      commandId,
      planDigest: digest,
      at,
    });
    if ('entry' in judged) await this.commit([judged.entry]);
    this.run.kick();
  }

  async answer(option: string): Promise<void> {
    this.#commands += 1;
    const pause = this.state.machine.pauses[0]!;
    const commandId = `answer-${String(this.#commands).padStart(12, '0')}`;
    const judged = judge(this.plan, this.state, {
      commandId,
      pause: pause.id,
      act: { do: 'answer', option },
      actor: ada,
    });
    if ('entry' in judged) await this.commit([judged.entry]);
    this.run.kick();
  }

  get kinds(): string[] {
    return this.entries.map(entry => entry.is);
  }
}

const session: BackendEvent = { type: 'session', id: 's1', fingerprint: 'f', how: 'opened' };
const done = (reply: string): BackendEvent => ({
  type: 'done',
  output: { reply, close: false, quick_replies: [] },
  text: reply,
});

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  input: { type: 'object' },
  mutates: true,
  idempotent: false,
  title: () => name,
  run: () => Promise.resolve({ content: 'ok' }),
  ...more,
});

describe('Run', () => {
  it('commits the intent before the backend starts and the outcome with all that follows from it', async () => {
    const seen: string[][] = [];
    const drive: MemoryDrive = new MemoryDrive(async function* (turn) {
      seen.push([...drive.kinds]);
      yield session;
      yield done(`heard ${turn.prompt.user}`);
    });
    await drive.send('hello');
    await drive.run.settled();
    expect(seen).toEqual([['accepted', 'intended', 'ended', 'intended']]);
    expect(drive.kinds.slice(4)).toEqual(['session', 'ended', 'intended', 'ended']);
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'chat', text: 'heard hello' }]);
  });

  describe('works out a long loop', () => {
    const counting = (): Plan =>
      planOf(`vars:
  initial_message: string = ""

schema number:
  n: int

compute count:
  output: number
  expr:
    n: "loop.rounds.iteration"

workflow w:
  entry: count
  count -> count as rounds(500)
  count -> done
`);
    const noAgent: Script = async function* () {
      yield* [];
    };

    it('in parts, between which others have their turn', async () => {
      const drive = new MemoryDrive(noAgent, { plan: counting() });
      const commits: number[] = [];
      const { commit } = drive;
      drive.commit = (...what) => {
        const before = drive.entries.length;
        const written = commit(...what);
        commits.push(drive.entries.length - before);
        return written;
      };
      await drive.send('go');
      await drive.run.settled();
      expect(drive.state.machine.run).toMatchObject({ status: 'ended', reason: 'done' });
      // Each node is an intent and an outcome; the first commit is the message.
      expect(commits).toEqual([1, 400, 400, 202]);
    });

    it('until a person interrupts it, and goes on from there', async () => {
      const drive = new MemoryDrive(noAgent, { plan: counting() });
      await drive.send('go');
      const judged = judgeInterrupt(drive.state, 't1', ada);
      if ('entry' in judged) await drive.commit([judged.entry]);
      await drive.run.settled();
      expect(drive.state.machine.pauses).toMatchObject([
        { kind: 'recovery', cause: 'paused', code: 'interrupted', node: 'count' },
      ]);
      expect(drive.state.machine.run?.loops['rounds']?.count).toBeLessThan(500);
      await drive.answer('again');
      await drive.run.settled();
      expect(drive.state.machine.run).toMatchObject({ status: 'ended', reason: 'done' });
    });
  });

  it('resumes the session of the turn before and drafts without storing', async () => {
    const backend = new ScriptBackend(async function* () {
      yield session;
      yield { type: 'draft', text: 'h' };
      yield { type: 'draft', text: 'hi' };
      yield done('hi');
    });
    const drive = new MemoryDrive(backend);
    await drive.send('one');
    await drive.run.settled();
    await drive.send('two');
    await drive.run.settled();
    expect(backend.turns.map(turn => turn.session)).toMatchObject([
      { mode: 'fresh' },
      { mode: 'resume', id: 's1', strict: false },
    ]);
    expect(drive.drafts).toEqual(['h', 'hi', 'h', 'hi']);
    expect(JSON.stringify(drive.events)).not.toContain('draft');
  });

  it('shows nothing before the session is kept, for which the backend need not wait', async () => {
    let went = false;
    const drive: MemoryDrive = new MemoryDrive(async function* () {
      yield session;
      went = true;
      yield { type: 'draft', text: 'h' };
      yield done('hi');
    });
    const kept = Promise.withResolvers<void>();
    const { commit } = drive;
    drive.commit = async (entries, ...more) => {
      await commit(entries, ...more);
      if (entries[0]?.is === 'session') await kept.promise;
    };
    await drive.send('hello');
    await expect.poll(() => went).toBe(true);
    await new Promise(resolve => setImmediate(resolve));
    expect(drive.drafts).toEqual([]);
    kept.resolve();
    await drive.run.settled();
    expect(drive.drafts).toEqual(['h']);
    expect(drive.kinds.slice(4)).toEqual(['session', 'ended', 'intended', 'ended']);
  });

  it.each([
    ['is silent', new Promise<void>(() => undefined)],
    ['answers at once', Promise.resolve()],
  ])('ends when the session cannot be kept, at any moment, where the backend %s', async (_, until) => {
    for (let moments = 0; moments < 40; moments += 1) {
      const drive: MemoryDrive = new MemoryDrive(async function* () {
        yield session;
        await until;
        yield done('hi');
      });
      const { commit } = drive;
      drive.commit = async (entries, ...more) => {
        if (entries[0]?.is === 'session') {
          for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
          drive.fails = true;
          // As whoever keeps the truth does when it cannot be written.
          void drive.run.close();
        }
        return commit(entries, ...more);
      };
      await drive.send('hello');
      await drive.run.settled();
      expect(drive.kinds).not.toContain('session');
    }
  });

  it('writes down a tool call before it runs and its result before the agent has it', async () => {
    const order: string[] = [];
    const drive: MemoryDrive = new MemoryDrive(
      async function* (_turn, host) {
        yield session;
        const result = await host.call({ id: 'c1', name: 'change', args: {} });
        order.push(`result ${JSON.stringify(result.content)} after ${drive.kinds.at(-1)}`);
        const unknown = await host.call({ id: 'c2', name: 'erase', args: {} });
        order.push(unknown.error ?? 'none');
        yield done('changed');
      },
      {
        tools: [
          tool('change', {
            run: () => Promise.resolve({ content: order.push(`ran after ${drive.kinds.at(-1)}`) }),
          }),
          tool('erase'),
        ],
      },
    );
    await drive.send('change it');
    await drive.run.settled();
    expect(order).toEqual([
      'ran after called',
      'result 1 after returned',
      'There is no tool "erase" here; use one of: change.',
    ]);
    expect(drive.events.filter(event => event.type === 'tool').map(event => event.change)).toEqual([
      'started',
      'completed',
      'denied',
    ]);
  });

  it('R13.3: parks on a question and tells the answer in the same session', async () => {
    const backend = new ScriptBackend(async function* (turn) {
      yield session;
      const [answer] = turn.answers;
      if (answer === undefined)
        yield {
          type: 'parked',
          asks: [{ text: 'Sure?', options: [{ id: 'yes', label: 'Yes' }], allowFreeText: false }],
          permits: [],
        };
      else yield done(`you said ${JSON.stringify(answer.result)}`);
    });
    const drive = new MemoryDrive(backend);
    await drive.send('close them');
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'question' }]);
    await drive.answer('yes');
    await drive.run.settled();
    expect(backend.turns[1]).toMatchObject({
      session: { mode: 'resume', id: 's1' },
      answers: [{ ask: 'Sure?', result: { option: 'yes' } }],
    });
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'chat', text: 'you said {"option":"yes"}' }]);
  });

  it('offers steering messages to the running agent, once and in order', async () => {
    const gate = Promise.withResolvers<void>();
    const offered: string[] = [];
    const drive = new MemoryDrive(async function* (turn, _host, inbox) {
      yield session;
      if (turn.prompt.user === 'one') {
        await gate.promise;
        offered.push(...inbox.map(message => message.text));
        yield { type: 'taken', messages: inbox.map(message => message.id) };
        yield { type: 'seen', messages: inbox.map(message => message.id) };
      }
      yield done(turn.prompt.user);
    });
    await drive.send('one');
    await drive.send('two', 'steer');
    await drive.send('three', 'steer');
    gate.resolve();
    await drive.run.settled();
    expect(offered).toEqual(['two', 'three']);
    expect(drive.state.inbox).toEqual([]);
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'chat', text: 'one' }]);
  });

  it('interrupts what a person interrupted, and a plain message takes it up again', async () => {
    const backend = new ScriptBackend(async function* (turn, _host, _inbox, stopped) {
      yield session;
      if (turn.attempt === 1) {
        await stopped;
        yield { type: 'stopped' };
      } else yield done(`again with ${turn.interrupted?.unseen.map(message => message.text).join()}`);
    });
    const drive = new MemoryDrive(backend);
    await drive.send('long work');
    await new Promise(resolve => setImmediate(resolve));
    const judged = judgeInterrupt(drive.state, 't1', ada);
    if ('entry' in judged) await drive.commit([judged.entry]);
    drive.run.kick();
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
    await drive.send('shorter');
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'chat', text: 'again with shorter' }]);
  });

  it('interrupts a turn whose backend was not started yet', async () => {
    const directory = Promise.withResolvers<string>();
    const drive: MemoryDrive = new MemoryDrive(async function* (_turn, _host, _inbox, stopped) {
      yield session;
      await stopped;
      yield { type: 'stopped' };
    });
    drive.directory = () => directory.promise;
    await drive.send('long work');
    const judged = judgeInterrupt(drive.state, 't1', ada);
    if ('entry' in judged) await drive.commit([judged.entry]);
    drive.run.kick();
    directory.resolve('/backend/bot');
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
  });

  it('follows a limit that is raised while the agent works', async () => {
    const clock = new HandClock();
    const gate = Promise.withResolvers<void>();
    const drive = new MemoryDrive(
      async function* () {
        yield session;
        await gate.promise;
        yield done('finished');
      },
      { clock, plan: chatPlan({ lifetime: { duration: 1000 } }) },
    );
    await drive.send('long work');
    await new Promise(resolve => setImmediate(resolve));
    clock.advance(500);
    await drive.commit([{ is: 'raised', ledger: 'lifetime', axis: 'duration', to: 100_000, by: ada }]);
    drive.run.kick();
    clock.advance(1500);
    gate.resolve();
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'chat', text: 'finished' }]);
  });

  it('trusts a carried session only when it stands on an output', async () => {
    const plan = chatPlan();
    const forged = { key: '_session_id', value: ['somebody-else'] };
    const mark = { key: '_session_fingerprint', value: ['f'] };
    const edges = plan.edges.map(edge =>
      edge.from === 'seed' ? { ...edge, with: [...edge.with, forged, mark] } : edge,
    );
    const backend = new ScriptBackend(async function* () {
      yield session;
      yield done('hi');
    });
    const drive = new MemoryDrive(backend, { plan: { ...plan, edges } });
    await drive.send('one');
    await drive.run.settled();
    expect(backend.turns[0]?.session).toMatchObject({ mode: 'fresh' });
  });

  it('refuses a node whose list of tools its backend cannot keep to, before anything begins', async () => {
    const loose = (script: Script) =>
      Object.assign(new ScriptBackend(script), {
        capabilities: { ...ALL_CAPABILITIES, toolBoundary: false },
      });
    const script: Script = async function* () {
      yield session;
      yield done('hi');
    };
    const [bound, open] = [loose(script), loose(script)];
    const drive = new MemoryDrive(bound, { plan: chatPlan({ agent: { tools: ['read_file'] } }) });
    await drive.send('one');
    await drive.run.settled();
    expect(bound.turns).toEqual([]);
    expect(drive.state.machine.pauses).toMatchObject([
      { kind: 'recovery', code: 'tool_boundary', text: expect.stringContaining('"script" cannot keep') },
    ]);
    const free = new MemoryDrive(open, { plan: chatPlan({ agent: { tools: null } }) });
    await free.send('one');
    await free.run.settled();
    expect(free.state.machine.pauses).toMatchObject([{ kind: 'chat', text: 'hi' }]);
  });

  it('gives a person what an outcome of ours could not be taken as', async () => {
    const drive = new MemoryDrive(async function* () {
      yield session;
      yield { type: 'done', output: null as never, text: '' };
    });
    await drive.send('hello');
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([
      { kind: 'recovery', cause: 'failed', code: 'protocol' },
    ]);
  });

  it('R13.22: charges active time only, and stops a node at its limit', async () => {
    const clock = new HandClock();
    const drive = new MemoryDrive(
      async function* (_turn, _host, _inbox, stopped) {
        yield session;
        await stopped;
        yield { type: 'stopped' };
      },
      { clock, plan: chatPlan({ burst: { duration: 1000 } }) },
    );
    await drive.send('long work');
    await new Promise(resolve => setImmediate(resolve));
    clock.advance(1000);
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([
      { kind: 'recovery', cause: 'budget', code: 'burst.duration' },
    ]);
    clock.advance(86_400_000);
    expect(drive.state.ledgers.burst.activeMs).toBe(1000);
    expect(drive.state.ledgers.lifetime.activeMs).toBe(1000);
  });

  it.each([
    [
      'throws',
      async function* () {
        yield session;
        throw new Error('boom');
      } as Script,
      'crashed',
    ],
    [
      'ends without an ending',
      async function* () {
        yield session;
      } as Script,
      'protocol',
    ],
    [
      'fails',
      async function* () {
        yield { type: 'failed', code: 'auth', message: 'no key', began: false };
      } as Script,
      'auth',
    ],
  ])('holds a backend that %s for a person', async (_name, script, code) => {
    const drive = new MemoryDrive(script);
    await drive.send('hello');
    await drive.run.settled();
    expect(drive.state.machine.pauses).toMatchObject([{ kind: 'recovery', cause: 'failed', code }]);
    expect(drive.state.ledgers.lifetime).toMatchObject({ ...NO_SPEND, iterations: 1 });
  });

  it('stops at once when the truth cannot be written', async () => {
    const started: number[] = [];
    const drive: MemoryDrive = new MemoryDrive(async function* () {
      started.push(1);
      drive.fails = true;
      yield session;
      yield done('never');
    });
    await drive.send('hello');
    await drive.run.settled();
    expect(started).toEqual([1]);
    expect(drive.kinds.at(-1)).toBe('intended');
  });
});
