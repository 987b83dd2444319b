import { TurnReport } from '@hearth/protocol/turn-report.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReportOptions } from './report.ts';
import { stopped } from './problem.ts';
import { turnReport } from './report.ts';
import { TestService, until } from './testing/service.ts';
import { CONVERSATION } from './testing/world.ts';

let service: TestService;
beforeEach(async () => {
  service = await TestService.start();
});
afterEach(() => service.stop());

function report(turn: ReportOptions['turn'], more: Partial<ReportOptions> = {}): Promise<TurnReport> {
  const signal = new AbortController().signal;
  return turnReport({ client: service.client(), conversation: CONVERSATION, turn, signal, ...more });
}

describe('a turn that settles', () => {
  it('is reported with its reply and its quick replies', async () => {
    const { turn, message } = service.world.send('hello');
    const waiting = report(turn, { message });
    await until(() => service.streams === 1);
    service.world.narrate('thinking');
    service.world.reply('Hello, Ada.', ['Show the board']);
    expect(TurnReport.parse(await waiting)).toEqual({
      conversation: CONVERSATION,
      turn,
      state: 'settled',
      reply: 'Hello, Ada.',
      quickReplies: ['Show the board'],
      questions: [],
      cards: [],
      cursor: service.world.head,
    });
    await until(() => service.streams === 0);
  });

  it('is reported when it settled before anybody asked', async () => {
    const { turn } = service.world.send('hello');
    service.world.reply('Hello, Ada.');
    expect(await report(turn)).toMatchObject({ state: 'settled', reply: 'Hello, Ada.' });
  });

  it('is given up with its own words when what happens cannot be saved', async () => {
    const { turn } = service.world.send('hello');
    const waiting = report(turn);
    await until(() => service.streams === 1);
    const problem = { code: 'disk_full', detail: 'The disk is full.' };
    service.publish({ frame: 'cut', code: 'not_saved', resumeFrom: service.world.head, problem });
    await expect(waiting).rejects.toMatchObject({
      code: 'disk_full',
      detail:
        'The disk is full. The turn was stopped; what was accepted is kept, and it can be taken up again.',
    });
  });

  it('is reported over broken connections', async () => {
    service.cutAfter = 1;
    const { turn } = service.world.send('hello');
    const waiting = report(turn);
    service.world.narrate('one');
    service.world.narrate('two');
    service.world.reply('Done.');
    expect(await waiting).toMatchObject({ state: 'settled', reply: 'Done.' });
  });

  it('is reported whole, although the events of its end come one by one', async () => {
    const { turn } = service.world.send('hello');
    const waiting = report(turn);
    await until(() => service.streams === 1);
    service.cut();
    service.cutAfter = 1;
    service.world.reply('Done.', ['more'], 'end first');
    expect(await waiting).toMatchObject({ state: 'settled', reply: 'Done.', quickReplies: ['more'] });
  });

  it('is followed into the turn that absorbed it', async () => {
    const running = service.world.send('first');
    const steered = service.world.send('second', { delivery: 'steer' });
    const waiting = report(steered.turn, { message: steered.message });
    await until(() => service.streams === 1);
    service.world.absorb();
    service.world.reply('Both.');
    expect(await waiting).toMatchObject({ turn: running.turn, state: 'settled', reply: 'Both.' });
  });

  it('is waited for behind another turn', async () => {
    service.world.send('first');
    const second = service.world.send('second');
    const waiting = report(second.turn, { message: second.message });
    await until(() => service.streams === 1);
    service.world.reply('1');
    service.world.reply('2', ['more']);
    expect(await waiting).toMatchObject({
      turn: second.turn,
      state: 'settled',
      reply: '2',
      quickReplies: ['more'],
    });
  });

  it('is reported with what was proposed in it, although another turn has ended since', async () => {
    const first = service.world.send('first');
    const second = service.world.send('second');
    service.world.reply('1', ['of the first']);
    service.world.reply('2', ['of the second']);
    const of = async ({ turn, message }: typeof first) => (await report(turn, { message })).quickReplies;
    expect(await of(first)).toEqual(['of the first']);
    expect(await of(second)).toEqual(['of the second']);
    service.world.trim(0);
    expect(await of(first)).toEqual([]);
    expect(await of(second)).toEqual(['of the second']);
  });

  it('is reported although the log no longer tells of it', async () => {
    const { turn } = service.world.send('hello');
    service.world.reply('Hello.');
    service.world.trim(0);
    expect(await report(turn)).toMatchObject({ state: 'settled', turn, reply: 'Hello.' });
  });
});

describe('a turn that waits', () => {
  it('lists every open question', async () => {
    const { turn } = service.world.send('hello');
    const waiting = report(turn);
    await until(() => service.streams === 1);
    service.world.ask({
      text: 'Close HB-4?',
      options: [{ id: 'yes', label: 'Close it' }],
      allowFreeText: true,
    });
    expect(TurnReport.parse(await waiting)).toMatchObject({
      state: 'waiting',
      questions: [
        {
          id: 'p1',
          kind: 'question',
          text: 'Close HB-4?',
          options: [{ id: 'yes', label: 'Close it' }],
          allowFreeText: true,
        },
      ],
    });
  });

  it('is reported to a message that is queued behind the question', async () => {
    const first = service.world.send('hello');
    service.world.ask();
    const queued = service.world.send('are you there?');
    expect(await report(queued.turn, { message: queued.message })).toMatchObject({
      state: 'waiting',
      questions: [{ id: 'p1' }],
    });
    expect(await report(first.turn)).toMatchObject({ state: 'waiting' });
  });

  it('is reported to a message that is queued behind an interrupted turn', async () => {
    service.world.send('hello');
    service.world.ask();
    const queued = service.world.send('and?');
    service.world.interrupt();
    expect(await report(queued.turn, { message: queued.message })).toMatchObject({
      state: 'waiting',
      questions: [{ kind: 'recovery', options: [{ id: 'again' }] }],
    });
    expect(await report(null)).toMatchObject({ state: 'waiting' });
  });

  it('goes on being waited for after its answer', async () => {
    const { turn } = service.world.send('hello');
    service.world.ask();
    service.world.answer('yes');
    const waiting = report(turn);
    await until(() => service.streams === 1);
    service.world.reply('Closed.');
    expect(await waiting).toMatchObject({ state: 'settled', reply: 'Closed.', questions: [] });
  });

  it('does not wait for an answer that nobody waits for', async () => {
    const { turn } = service.world.send('hello');
    service.world.ask({ blocking: false });
    service.world.answer('yes', 'p99');
    expect(
      await Promise.race([
        report(turn).then(() => 'reported'),
        new Promise(r => setTimeout(r, 50, 'going on')),
      ]),
    ).toBe('going on');
  });
});

describe('a verdict', () => {
  const inside = `/conversations/${CONVERSATION}`;

  it('that the events suggest counts only once the state confirms it', async () => {
    const { turn } = service.world.send('hello');
    const waiting = report(turn);
    await until(() => service.streams === 1);
    let asked = 0;
    service.refuse = ({ path }) => {
      if (path !== inside || asked++ > 0) return null;
      // The question that the log tells of has been settled already.
      const view = service.world.view();
      return { status: 200, body: { ...view, pauses: [], turn: { ...view.turn, status: 'running' } } };
    };
    service.world.ask();
    await until(() => asked > 0);
    service.world.answer('yes');
    service.world.reply('Done.');
    expect(await waiting).toMatchObject({ state: 'settled', reply: 'Done.', questions: [] });
  });
});

describe('a turn that fails', () => {
  it('carries the code and lists the recovery with its choices', async () => {
    const { turn } = service.world.send('hello');
    service.world.ask({
      kind: 'recovery',
      cause: 'failed',
      code: 'auth',
      detail: 'The key was refused.',
      text: 'The model did not answer.',
      choices: [{ id: 'again', label: 'Try again' }],
      retryAt: '2026-01-01T00:00:12.000Z',
      fields: { type: 'object' },
      unseen: [],
    });
    expect(TurnReport.parse(await report(turn))).toMatchObject({
      state: 'failed',
      error: { code: 'auth', message: 'The key was refused.' },
      questions: [
        {
          kind: 'recovery',
          options: [{ id: 'again', label: 'Try again' }],
          retryAt: '2026-01-01T00:00:12.000Z',
          fields: { type: 'object' },
        },
      ],
    });
  });

  it('that was broken by something else waits for the person', async () => {
    const { turn } = service.world.send('hello');
    service.world.ask({
      kind: 'recovery',
      cause: 'interrupted',
      code: 'x',
      detail: '',
      choices: [],
      unseen: [],
    });
    expect(await report(turn)).toMatchObject({ state: 'waiting' });
  });
});

describe('waiting', () => {
  it('ends with the reason of its signal, and the turn goes on', async () => {
    const { turn } = service.world.send('hello');
    const abort = new AbortController();
    const waiting = report(turn, { signal: abort.signal });
    await until(() => service.streams === 1);
    abort.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    expect(service.world.turn).toBe(turn);
    expect(service.received).toEqual([]);
  });

  it('goes on over a stopped service, says so once, and ends when it runs again', async () => {
    const { turn } = service.world.send('hello');
    let told = 0;
    let looked = 0;
    const renew = async () => {
      if (++looked < 5) throw stopped();
      service = await TestService.start();
      service.world.send('hello');
      service.world.reply('Done.');
      return service.client();
    };
    const waiting = report(turn, { renew, onStopped: () => told++ });
    await until(() => service.streams === 1);
    await service.stop();
    expect(await waiting).toMatchObject({ state: 'settled', reply: 'Done.' });
    expect(told).toBe(1);
  });

  it('without a turn reports the conversation as it stands', async () => {
    expect(await report(null)).toMatchObject({ turn: null, state: 'settled', reply: '' });
    await until(() => service.streams === 0);
    const { turn } = service.world.send('hello');
    const waiting = report(null);
    await until(() => service.streams === 1);
    service.world.reply('Hi.');
    expect(await waiting).toMatchObject({ turn, state: 'settled', reply: 'Hi.' });
  });
});
