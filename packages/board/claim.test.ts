import type { ConversationId } from '@hearth/protocol/ids.ts';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { describe, expect, it, test } from 'vitest';
import {
  claimed,
  concluded,
  failedOnce,
  gaveUp,
  letGo,
  opened,
  parked,
  renewed,
  resumed,
  setAside,
  takenOver,
} from './claim.ts';
import { created, moved } from './ticket-change.ts';

const NOW = Date.UTC(2026, 0, 1);
const stamp = { at: new Date(NOW).toISOString(), by: 'dispatcher' };
const ada = { ...stamp, by: 'ada' };
const lease = { holder: 'me', until: NOW + 1000 };
const me = { holder: 'me', epoch: 1 };
const c = `c_${'0'.repeat(26)}` as ConversationId;
const fresh = created('HB-1', { title: 'Door', state: 'ready', bot: 'worker' }, ada);
const held = opened(claimed(fresh, lease, stamp), me, c);
const failed = { id: 'p1', code: 'auth', comment: 'no key' };

const every: readonly [string, (fence: typeof me) => Ticket][] = [
  ['renewed', fence => renewed(held, fence, NOW)],
  ['opened', fence => opened(held, fence, c)],
  ['parked', fence => parked(held, fence, 'p1', 'waits', stamp)],
  ['resumed', fence => resumed(held, fence, stamp)],
  ['concluded', fence => concluded(held, fence, 'done', stamp)],
  ['failedOnce', fence => failedOnce(held, fence, failed, stamp.at, stamp)],
  ['gaveUp', fence => gaveUp(held, fence, failed, stamp)],
  ['setAside', fence => setAside(held, fence, 'stopped', stamp)],
  ['letGo', fence => letGo(held, fence, stamp)],
];

describe('under which claim a ticket is changed', () => {
  it.each(every)('%s is refused to an earlier claim, and to another holder', (_name, change) => {
    const lost = expect.objectContaining({ code: 'claim_lost' });
    expect(() => change({ holder: 'me', epoch: 2 })).toThrow(lost);
    expect(() => change({ holder: 'other', epoch: 1 })).toThrow(lost);
  });

  it.each(every)('%s leaves a ticket that can be read again', (_name, change) => {
    const ticket = change(me);
    expect(Ticket.parse(JSON.parse(JSON.stringify(ticket)))).toEqual(ticket);
  });

  it.each([
    ['one that is not ready', moved(fresh, 'backlog', ada)],
    ['one that is claimed', held],
    ['one without a bot', { ...fresh, bot: null }],
  ])('%s cannot be claimed', (_what, ticket) => {
    expect(() => claimed(ticket, lease, stamp)).toThrow(expect.objectContaining({ code: 'claim_lost' }));
  });
});

test('R13.17: a claim is taken over when it has run out, and no earlier; its conversation and its pause stay', () => {
  const other = { holder: 'other', until: NOW + 5000 };
  const waiting = parked(held, me, 'p1', 'waits', stamp);
  expect(() => takenOver(waiting, other, NOW + 999, stamp)).toThrow('HB-1');
  const over = takenOver(waiting, other, NOW + 1000, stamp);
  expect(over.claim).toMatchObject({ holder: 'other', epoch: 2, waits: 'p1' });
  expect(over).toMatchObject({ state: 'awaiting_input', dispatch: { epoch: 2, round: 1, conversation: c } });
  expect(() => concluded(over, me, 'done', stamp)).toThrow('HB-1');
});

test('a pause is told once', () => {
  const once = parked(held, me, 'p1', 'waits', stamp);
  expect(parked(once, me, 'p1', 'waits', stamp).comments).toHaveLength(1);
  expect(parked(once, me, 'p2', 'waits', stamp).comments).toHaveLength(2);
});

test('renewing is no news', () => {
  const later = renewed(held, me, NOW + 9000);
  expect(later).toMatchObject({ updatedAt: held.updatedAt, history: held.history });
});

test('an attempt that is due goes on in its round; a person who moves the ticket begins another', () => {
  const due = failedOnce(held, me, failed, stamp.at, stamp);
  expect(due).toMatchObject({ state: 'ready', dispatch: { failures: 1, failed: 'p1' } });
  const again = claimed(due, lease, stamp);
  expect(again.dispatch).toMatchObject({ epoch: 2, round: 1, failures: 1, failed: 'p1', conversation: c });
  const begun = moved(moved(due, 'backlog', ada), 'ready', ada);
  expect(claimed(begun, lease, stamp).dispatch).toMatchObject({
    epoch: 2,
    round: 2,
    failures: 0,
    conversation: null,
  });
});

test('what was given up is begun afresh by whoever moves it', () => {
  const given = gaveUp(held, me, failed, stamp);
  expect(given).toMatchObject({ state: 'blocked', dispatch: { gaveUp: true } });
  const back = moved(given, 'ready', ada);
  expect(back.dispatch?.gaveUp).toBeUndefined();
  expect(claimed(back, lease, stamp).dispatch).toMatchObject({ round: 2, failures: 0 });
});
