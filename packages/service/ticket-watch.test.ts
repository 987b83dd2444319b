import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boardKey } from '@hearth/board/boards.ts';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, newHome, serve, type Served } from './testing/served.ts';

/* A conversation is told how the tickets move that its bot handed over, whoever moves them and without being asked. */

afterEach(endAll);

/** Hands over what the words name. */
const handsOver = (turn: { readonly prompt: { readonly user: string } }) => [
  reply('On it.', { dispatched_ids: turn.prompt.user.match(/HB-\d+/g) ?? [] }),
];

async function handedOver(served: Served, words: string, workspace: string): Promise<ConversationId> {
  const c = await served.conversation();
  await served.client.send(c, { text: words, delivery: 'queue', workspace });
  return c;
}

/** What the log tells of tickets: change and state of each. */
async function told(served: Served, c: ConversationId): Promise<readonly string[]> {
  const page = await served.client.events(c, null, 500);
  if ('code' in page) throw new Error(page.code);
  return page.events.flatMap(({ event }) =>
    event.type === 'ticket' && event.watched ? [`${event.ticket} ${event.change} ${event.state}`] : [],
  );
}

const stateOf = (state: string) => (view: { readonly watched?: readonly { readonly state: string }[] }) =>
  view.watched?.[0]?.state === state;

test('moves are told as they happen, also those made while no service ran', async () => {
  const workspace = newHome();
  const served = await serve(handsOver);
  await served.client.addTicket(workspace, { title: 'Mend the door', state: 'ready' });
  const c = await handedOver(served, 'dispatch HB-1 and HB-99', workspace);
  const view = await served.until(c, stateOf('ready'));
  // HB-99 is on no board, so nobody watches it.
  expect(view.watched).toEqual([{ ticket: 'HB-1', title: 'Mend the door', state: 'ready', workspace }]);
  await served.client.changeTicket(workspace, 'HB-1', { state: 'in_progress' });
  await served.until(c, stateOf('in_progress'));
  await served.client.commentTicket(workspace, 'HB-1', 'Oiled.');
  await served.service.stop({ now: true });

  // Somebody changes the file while nothing runs.
  const file = join(served.home, 'boards', boardKey(workspace), 'tickets', 'HB-1.json');
  const ticket = Ticket.parse(JSON.parse(readFileSync(file, 'utf8')));
  const at = ticket.updatedAt;
  const moves = [
    { at, by: 'ada', what: 'moved', from: 'in_progress', to: 'review' },
    { at, by: 'ada', what: 'closed', from: 'review', to: 'done' },
  ];
  writeFileSync(file, JSON.stringify({ ...ticket, state: 'done', history: [...ticket.history, ...moves] }));
  const again = await serve(handsOver, { home: served.home });
  await again.until(c, stateOf('done'));
  expect(await told(again, c)).toEqual([
    'HB-1 watched ready',
    'HB-1 moved in_progress',
    'HB-1 moved review',
    'HB-1 closed done',
  ]);
});

test('a change to the files is noticed without a restart', async () => {
  const workspace = newHome();
  const clock = new SimClock();
  const served = await serve(handsOver, { clock });
  await served.client.addTicket(workspace, { title: 'Mend the door', state: 'ready' });
  const c = await handedOver(served, 'dispatch HB-1', workspace);
  await served.until(c, stateOf('ready'));
  const file = join(served.home, 'boards', boardKey(workspace), 'tickets', 'HB-1.json');
  const ticket = Ticket.parse(JSON.parse(readFileSync(file, 'utf8')));
  const move = { at: ticket.updatedAt, by: 'ada', what: 'moved', from: 'ready', to: 'blocked' };
  writeFileSync(file, JSON.stringify({ ...ticket, state: 'blocked', history: [...ticket.history, move] }));
  clock.advance(10_000);
  await served.until(c, stateOf('blocked'));
  expect(await told(served, c)).toEqual(['HB-1 watched ready', 'HB-1 moved blocked']);
});

test('a conversation that was closed is forgotten', async () => {
  const workspace = newHome();
  const served = await serve(handsOver);
  await served.client.addTicket(workspace, { title: 'Mend the door', state: 'ready' });
  const c = await handedOver(served, 'dispatch HB-1', workspace);
  await served.until(c, stateOf('ready'));
  await served.client.close(c);
  await served.client.changeTicket(workspace, 'HB-1', { state: 'done' });
  await served.service.stop({ now: true });
  expect(JSON.parse(readFileSync(join(served.home, 'watching.json'), 'utf8'))).toEqual({
    format: 1,
    conversations: {},
  });
});
