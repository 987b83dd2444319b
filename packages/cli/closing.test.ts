import type { Actor } from '@hearth/protocol/actor.ts';
import { CommandId } from '@hearth/protocol/ids.ts';
import type { Ticket, TicketChange } from '@hearth/protocol/ticket.ts';
import { describe, expect, test } from 'vitest';
import { closingIds } from './closing.ts';

const ADA: Actor = { kind: 'person', name: 'ada', surface: 'cli' };
const at = '2026-01-01T00:00:00.000Z';
const did = (what: TicketChange['what']): TicketChange => ({ at, by: 'ada', what });
const ticket = (id: Ticket['id'], ...history: TicketChange[]): Ticket => ({
  id,
  title: 'Mend the door',
  body: '',
  state: 'ready',
  labels: [],
  bot: null,
  owner: null,
  comments: [],
  history,
  createdAt: at,
  updatedAt: at,
});
const OPEN = ticket('HB-1', did('created'), did('moved'));
const ids = closingIds(ADA, '/project', OPEN, 'Done.');

describe('the ids of a closing', () => {
  test('are two, and command ids', () => {
    expect(ids.comment).not.toBe(ids.close);
    for (const id of Object.values(ids)) expect(CommandId.safeParse(id).success).toBe(true);
  });

  test('are the same when the comment was made and the ticket is still open', () => {
    const commented = ticket('HB-1', did('created'), did('moved'), did('commented'), did('labelled'));
    expect(closingIds(ADA, '/project', commented, 'Done.')).toEqual(ids);
  });

  test.each([
    ['another comment', ADA, '/project', OPEN, 'Obsolete.'],
    ['another board', ADA, '/other', OPEN, 'Done.'],
    ['another ticket', ADA, '/project', ticket('HB-2', did('created'), did('moved')), 'Done.'],
    ['another person', { ...ADA, name: 'bob' }, '/project', OPEN, 'Done.'],
    [
      'a ticket that was closed and reopened',
      ADA,
      '/project',
      ticket('HB-1', did('created'), did('moved'), did('closed'), did('reopened')),
      'Done.',
    ],
  ])('are others for %s', (_name, actor, workspace, one, comment) => {
    const others = closingIds(actor, workspace, one, comment);
    expect(others.comment).not.toBe(ids.comment);
    expect(others.close).not.toBe(ids.close);
  });
});
