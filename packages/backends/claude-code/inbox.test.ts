import { expect, test } from 'vitest';
import { Inbox } from './inbox.ts';
import { messageId } from '../agent-programs/opening.ts';

const TURN = { directory: '/c/backend/nexie' };
const id = (message: string): string => messageId(TURN, message);

test('a message is taken when the program holds it, and seen at the step after it is read', () => {
  const inbox = new Inbox(TURN, () => false);
  expect(inbox.offer({ id: 'm1', text: '/now' })).toEqual({ id: id('m1'), text: ' /now' });
  expect([inbox.unheard, inbox.waiting]).toEqual([true, false]);
  expect(inbox.moved(id('m1'), 'queued')).toEqual([{ type: 'taken', messages: ['m1'] }]);
  expect([inbox.unheard, inbox.waiting]).toEqual([false, true]);
  expect(inbox.stepped()).toEqual([]);
  expect(inbox.moved(id('m1'), 'started')).toEqual([]);
  expect(inbox.stepped()).toEqual([{ type: 'seen', messages: ['m1'] }]);
  expect(inbox.moved(id('m1'), 'completed')).toEqual([]);
  expect(inbox.stepped()).toEqual([]);
  expect([inbox.unheard, inbox.waiting]).toEqual([false, false]);
});

test('one that is read at once is taken all the same, and none is offered twice', () => {
  const inbox = new Inbox(TURN, () => false);
  inbox.offer({ id: 'm1', text: 'a' });
  inbox.offer({ id: 'm2', text: 'b' });
  expect(inbox.offer({ id: 'm1', text: 'a' })).toEqual([]);
  expect(inbox.moved(id('m2'), 'started')).toEqual([{ type: 'taken', messages: ['m2'] }]);
  expect(inbox.moved(id('m1'), 'started')).toEqual([{ type: 'taken', messages: ['m1'] }]);
  expect(inbox.stepped()).toEqual([{ type: 'seen', messages: ['m1', 'm2'] }]);
  expect(inbox.moved('somebody-elses', 'queued')).toEqual([]);
});

test('what the session has read in an attempt before is not said again', () => {
  const inbox = new Inbox(TURN, words => words === id('m1'));
  expect(inbox.offer({ id: 'm1', text: 'a' })).toEqual([
    { type: 'taken', messages: ['m1'] },
    { type: 'seen', messages: ['m1'] },
  ]);
  expect([inbox.unheard, inbox.waiting]).toEqual([false, false]);
});
