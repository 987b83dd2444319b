import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { describe, expect, it, test } from 'vitest';
import { claimed, failedOnce, opened, parked } from './claim.ts';
import { type DispatchFacts, nextDue, plan, placeOf, queue, type Standing } from './dispatch.ts';
import { created, moved } from './ticket-change.ts';

const NOW = Date.UTC(2026, 0, 1);
const LEASE = 60_000;
const at = (ms: number): string => new Date(NOW + ms).toISOString();
const stamp = { at: at(0), by: 'dispatcher' };
const c = `c_${'0'.repeat(26)}` as ConversationId;
const me = { holder: 'me', epoch: 1 };
const workspace = '/w';

const fresh = (number = 1, more: object = {}): Ticket =>
  created(
    `HB-${number}`,
    { title: 'Door', state: 'ready', bot: 'worker', ...more },
    { at: at(number), by: 'ada' },
  );
const taken = (ticket = fresh()): Ticket => claimed(ticket, { holder: 'me', until: NOW + LEASE }, stamp);
const working = (): Ticket => opened(taken(), me, c);
const waiting = (): Ticket => parked(working(), me, 'p4', 'waits', stamp);
const failedBefore = (failures: number, code = 'overloaded'): Ticket => {
  const ticket = working();
  return { ...ticket, dispatch: { ...ticket.dispatch!, failures, code, failed: 'p1' } };
};

function facts(
  tickets: readonly Ticket[],
  more: Partial<DispatchFacts> = {},
  standing?: Standing,
): DispatchFacts {
  return {
    now: NOW,
    holder: 'me',
    on: true,
    concurrency: 2,
    attempts: 3,
    leaseMs: LEASE,
    tickets: tickets.map(ticket => ({ workspace, ticket })),
    standings: new Map(standing === undefined ? [] : [[c, standing]]),
    unfit: new Map(),
    closed: new Set(),
    ...more,
  };
}

const does = (made: DispatchFacts): readonly string[] =>
  plan(made).map(action => `${action.do} ${action.ticket.id}`);

const failure = (id: string, code = 'overloaded') => ({ id, code, text: 'no' });
const failing = (id: string, code?: string): Standing => ({
  is: 'waiting',
  pause: 'p2',
  text: 'no',
  failure: failure(id, code),
});

describe('what is to be done about a ticket that is claimed', () => {
  it.each<[string, Ticket, Standing | undefined, readonly string[]]>([
    ['it has no conversation yet', taken(), undefined, ['open HB-1']],
    ['nothing was said in it', working(), { is: 'fresh' }, ['send HB-1']],
    ['its bot works', working(), { is: 'working' }, []],
    ['its bot works again after it waited', waiting(), { is: 'working' }, ['resume HB-1']],
    ['nobody can look at it now', working(), { is: 'unknown' }, []],
    ['it asks', working(), { is: 'waiting', pause: 'p4', text: 'oil?', failure: null }, ['park HB-1']],
    ['it asks what it asked before', waiting(), { is: 'waiting', pause: 'p4', text: '', failure: null }, []],
    [
      'it asks something else',
      waiting(),
      { is: 'waiting', pause: 'p5', text: '', failure: null },
      ['park HB-1'],
    ],
    ['its turn is over', working(), { is: 'completed', text: 'done' }, ['conclude HB-1']],
    ['it was over while it waited', waiting(), { is: 'completed', text: 'done' }, ['conclude HB-1']],
    ['a person stopped it', working(), { is: 'stopped' }, ['set_aside HB-1']],
    ['its conversation was closed', working(), { is: 'gone' }, ['set_aside HB-1']],
    ['a step failed', working(), failing('p2'), ['retry HB-1']],
    ['the run failed', working(), { is: 'failed', failure: failure('t1') }, ['retry HB-1']],
    ['the failure that was counted is still there', failedBefore(1), failing('p1'), ['again HB-1']],
    [
      'the run that was counted has ended',
      failedBefore(1),
      { is: 'failed', failure: failure('p1') },
      ['send HB-1'],
    ],
    ['the last attempt failed', failedBefore(2), failing('p2'), ['give_up HB-1']],
    ['what cannot pass fails twice', failedBefore(1, 'auth'), failing('p2', 'auth'), ['give_up HB-1']],
    ['something else fails then', failedBefore(1, 'auth'), failing('p2', 'network'), ['retry HB-1']],
    [
      'a person moved it',
      moved(working(), 'backlog', { ...stamp, by: 'ada' }),
      { is: 'working' },
      ['let_go HB-1'],
    ],
    [
      'a person closed it while it waited',
      moved(waiting(), 'done', { ...stamp, by: 'ada' }),
      undefined,
      ['let_go HB-1'],
    ],
  ])('%s', (_when, ticket, standing, actions) => {
    expect(does(facts([ticket], {}, standing))).toEqual(actions);
    // What is under way is followed while it is off as well.
    expect(does(facts([ticket], { on: false }, standing))).toEqual(actions);
  });
});

describe('tickets that others wait for', () => {
  const behind = (): Ticket => fresh(3, { blockers: ['HB-2', 'HB-1'] });
  const closed = (...ids: string[]): Pick<DispatchFacts, 'closed'> => ({
    closed: new Set(ids.map(id => `${workspace}\n${id}`)),
  });

  it('hold the ticket back until all of them are closed', () => {
    expect(does(facts([behind()]))).toEqual([]);
    expect(does(facts([behind()], closed('HB-1')))).toEqual([]);
    expect(does(facts([behind()], closed('HB-1', 'HB-2')))).toEqual(['claim HB-3']);
  });

  it('are named while it waits, and it takes no place', () => {
    const made = facts([behind(), fresh(4)], { concurrency: 1, ...closed('HB-1') });
    expect(queue(made).map(({ wait }) => wait)).toEqual([{ why: 'blockers', detail: 'HB-2' }, null]);
  });

  it('of another board count for nothing', () => {
    const elsewhere = { closed: new Set(['/v\nHB-1', '/v\nHB-2']) };
    expect(does(facts([behind()], elsewhere))).toEqual([]);
  });
});

describe('a lease', () => {
  it.each<[string, number, string, readonly string[]]>([
    ['one of mine is renewed when half of it is over', LEASE / 2, 'me', ['renew HB-1']],
    ['not before', LEASE / 2 - 1, 'me', []],
    ['one that somebody else holds is left alone', LEASE - 1, 'other', []],
    ['one of somebody else that ran out is taken over', LEASE, 'other', ['take_over HB-1']],
    ['so is one of a clock that has been put back', -3_600_000, 'other', ['take_over HB-1']],
  ])('%s', (_what, after, holder, actions) => {
    expect(does(facts([working()], { now: NOW + after, holder }, { is: 'working' }))).toEqual(actions);
  });

  it('of a ticket that is finished now is not renewed first', () => {
    const made = facts([working()], { now: NOW + LEASE }, { is: 'completed', text: '' });
    expect(does(made)).toEqual(['conclude HB-1']);
  });
});

test.each([
  [0, 10_000],
  [1, 20_000],
  [4, 160_000],
  [30, 3_600_000],
])('after %i failures the next attempt waits %i ms', (failures, wait) => {
  const [action] = plan(facts([failedBefore(failures)], { attempts: 99 }, failing('p2')));
  expect(action).toMatchObject({ do: 'retry', at: at(wait) });
});

test.each([
  ['by a day', -86_400_000, []],
  ['by a year', -365 * 86_400_000, ['claim HB-1']],
])('the next attempt is due when the clock is put back %s', (_how, by, actions) => {
  const failed = { id: 'p1', code: 'overloaded', comment: 'no' };
  const ticket = failedOnce(working(), me, failed, at(10_000), stamp);
  expect(does(facts([ticket], { now: NOW + by }))).toEqual(actions);
});

test('a provider that says when makes it wait until then', () => {
  const standing: Standing = {
    is: 'waiting',
    pause: 'p2',
    text: '',
    failure: { ...failure('p2'), retryAt: at(99_000) },
  };
  expect(plan(facts([working()], {}, standing))[0]).toMatchObject({ at: at(99_000) });
});

describe('what is begun', () => {
  const due = (ms: number): Ticket =>
    failedOnce(working(), me, { id: 'p1', code: 'network', comment: 'no' }, at(ms), stamp);

  it('so many at once, by priority, then the one that was made first', () => {
    const tickets = [fresh(4), fresh(3, { priority: 9 }), fresh(2, { priority: 0 }), fresh(1)];
    expect(does(facts(tickets))).toEqual(['claim HB-2', 'claim HB-1']);
    expect(queue(facts(tickets)).map(({ wait }) => wait?.why ?? null)).toEqual([
      null,
      null,
      'no_place',
      'no_place',
    ]);
  });

  it('what waits for a person takes no place, what works does', () => {
    const standing: Standing = { is: 'waiting', pause: 'p4', text: '', failure: null };
    expect(does(facts([waiting(), fresh(2)], { concurrency: 1 }, standing))).toEqual(['claim HB-2']);
    expect(does(facts([working(), fresh(2)], { concurrency: 1 }, { is: 'working' }))).toEqual([]);
  });

  it.each<[string, Ticket, Partial<DispatchFacts>, string | null]>([
    ['it is off', fresh(), { on: false }, 'off'],
    ['there is no bot', fresh(1, { bot: '' }), {}, 'no_bot'],
    [
      'its bot cannot do it',
      fresh(),
      { unfit: new Map([[placeOf({ workspace, ticket: fresh() }), 'no']]) },
      'unfit',
    ],
    ['its next attempt is not due', due(10_000), {}, 'retry'],
    ['its next attempt is due', due(0), {}, null],
  ])('%s', (_when, ticket, more, why) => {
    const [first] = queue(facts([ticket], more));
    expect(first?.wait?.why ?? null).toBe(why);
    expect(plan(facts([ticket], more))).toHaveLength(why === null ? 1 : 0);
  });

  it.each(['inbox', 'backlog', 'review', 'blocked', 'done', 'in_progress'] as const)(
    'nothing that is in %s',
    state => {
      expect(plan(facts([fresh(1, { state })]))).toEqual([]);
    },
  );

  it('something is due by itself at the next attempt, and at half of a lease', () => {
    expect(nextDue(facts([due(10_000)]))).toBe(NOW + 10_000);
    expect(nextDue(facts([due(10_000)], { on: false }))).toBeNull();
    expect(nextDue(facts([working()]))).toBe(NOW + LEASE / 2);
    expect(nextDue(facts([working()], { holder: 'other' }))).toBe(NOW + LEASE);
    expect(nextDue(facts([fresh()]))).toBeNull();
  });
});
