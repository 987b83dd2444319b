import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, fail, gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import type { Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Ticket, TicketState } from '@hearth/protocol/ticket.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { ServiceOptions } from './main.ts';
import { endAll, newHome, serve, type Served } from './testing/served.ts';

/* Bots that work on tickets by themselves, through the whole service: from ready to review, with everything between. */

afterEach(endAll);

const WORKER = `
vars:
  initial_message: string = ""
  depth: int = 1

schema task:
  task: string
  depth: int

schema result:
  reply: string

prompt worker_system:
  Work on the ticket.

prompt worker_user:
  {{input.task}} (depth {{input.depth}})

compute seed:
  output: task
  expr:
    task: "vars.initial_message"
    depth: "vars.depth"

agent worker:
  model: "\${HEARTH_MODEL:-auto}"
  input: task
  output: result
  system: worker_system
  user: worker_user

workflow worker:
  entry: seed
  worktree: none
  seed -> worker with { task: "{{outputs.seed.task}}", depth: "{{outputs.seed.depth}}" }
  worker -> done
`;

interface Shop {
  readonly served: Served;
  readonly workspace: string;
  readonly worker: string;
}

/** A service whose dispatcher is on, a project, and a bot that does one turn. */
async function shop(
  script: Script,
  settings: object = {},
  options: Partial<ServiceOptions> = {},
  command: readonly string[] = [],
): Promise<Shop> {
  const home = options.home ?? newHome();
  const dispatch = { on: true, ...settings };
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ dispatch, notification: { command } }));
  const workspace = newHome();
  const worker = join(newHome(), 'worker');
  mkdirSync(worker);
  writeFileSync(join(worker, 'main.bot'), WORKER);
  return { served: await serve(script, { ...options, home }), workspace, worker };
}

async function ready({ served, workspace, worker }: Shop, title: string, more: object = {}): Promise<Ticket> {
  return served.client.addTicket(workspace, { title, state: 'ready', bot: worker, ...more });
}

async function until(
  { served, workspace }: Shop,
  id: string,
  fits: (ticket: Ticket) => boolean,
): Promise<Ticket> {
  for (;;) {
    const ticket = await served.client.ticket(workspace, id);
    if (fits(ticket)) return ticket;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

const isIn =
  (state: TicketState) =>
  (ticket: Ticket): boolean =>
    ticket.state === state;

const moves = (ticket: Ticket): readonly string[] =>
  ticket.history.flatMap(({ what, to }) => (what === 'moved' && to !== undefined ? [to] : []));

async function conversations({ served }: Shop): Promise<readonly string[]> {
  const { conversations: rows } = await served.client.list();
  return rows.filter(row => !row.isDefault).map(row => row.id);
}

describe('a ticket that is ready', () => {
  test('is worked on in a conversation of its own, and goes to review with the outcome', async () => {
    const place = await shop(turn => [reply(`Mended: ${turn.prompt.user.trim()}`)]);
    await ready(place, 'Mend the door', { body: 'It squeaks.', botArgs: { depth: 3 } });
    const ticket = await until(place, 'HB-1', isIn('review'));
    const c = ticket.dispatch?.conversation ?? '';
    expect(ticket.claim).toBeUndefined();
    expect(moves(ticket)).toEqual(['in_progress', 'review']);
    expect(ticket.comments.map(({ author, body }) => [author, body])).toEqual([
      ['dispatcher', `Done in ${c}:\n\nMended: HB-1: Mend the door\n\nIt squeaks. (depth 3)`],
    ]);
    expect(await conversations(place)).toEqual([c]);
    const view = await place.served.client.get(c as ConversationId);
    expect(view).toMatchObject({
      title: 'HB-1 Mend the door',
      scope: { kind: 'workspace', path: place.workspace },
      bot: place.worker,
    });
    const record = JSON.parse(
      readFileSync(join(place.served.home, 'conversations', c, 'conversation.json'), 'utf8'),
    );
    expect(record).toMatchObject({ origin: 'dispatch' });
    expect(await place.served.client.dispatch()).toMatchObject({ on: true, tickets: [], problems: [] });
  });

  test('R13.15: 16: waits with its claim while its bot asks, and goes on with the answer', async () => {
    const place = await shop(turn =>
      turn.answers.length === 0 ? [ask('Oil or grease?', [])] : [reply('Oiled.')],
    );
    await ready(place, 'Mend the door');
    const waiting = await until(place, 'HB-1', isIn('awaiting_input'));
    const c = waiting.dispatch?.conversation ?? ('' as ConversationId);
    const { client } = place.served;
    const [pause] = (await client.get(c as ConversationId)).pauses;
    expect(waiting.claim?.waits).toBe(pause?.id);
    expect(waiting.comments.map(one => one.body)).toEqual([
      `Waits for an answer in ${c} (${pause?.id}): Oil or grease?`,
    ]);
    expect((await client.dispatch()).tickets).toMatchObject([
      { ticket: 'HB-1', is: 'waits', conversation: c, pause: pause?.id },
    ]);
    await client.decide(c as ConversationId, pause!.id, { do: 'answer', text: 'Oil' });
    const done = await until(place, 'HB-1', isIn('review'));
    expect(moves(done).slice(0, 2)).toEqual(['in_progress', 'awaiting_input']);
    expect(done.claim).toBeUndefined();
    expect(done.comments).toHaveLength(2);
  });

  test('has the vars that its bot names for such runs, under its own', async () => {
    const place = await shop(turn => [reply(`Mended: ${turn.prompt.user.trim()}`)]);
    const manifest = join(place.worker, 'manifest.yaml');
    writeFileSync(manifest, 'dispatch_vars:\n  depth: 7\n');
    await ready(place, 'Mend the door');
    expect((await until(place, 'HB-1', isIn('review'))).comments[0]?.body).toContain('(depth 7)');
    await ready(place, 'Mend the roof', { botArgs: { depth: 3 } });
    expect((await until(place, 'HB-2', isIn('review'))).comments[0]?.body).toContain('(depth 3)');
    writeFileSync(manifest, 'dispatch_vars:\n  depth: deep\n');
    await ready(place, 'Mend the wall');
    const { tickets } = await place.served.client.dispatch();
    expect(tickets).toMatchObject([
      { ticket: 'HB-3', why: 'unfit', detail: expect.stringContaining('The var "depth"') },
    ]);
  });

  test('R13.18: is not begun while the dispatcher is off, without a bot, or with one that cannot do it', async () => {
    const place = await shop(() => [reply('Done.')], { on: false });
    await ready(place, 'One');
    await ready(place, 'Two', { bot: 'nobody' });
    await ready(place, 'Three', { botArgs: { width: 1 } });
    await place.served.client.addTicket(place.workspace, { title: 'Four', state: 'ready' });
    const { client } = place.served;
    expect((await client.dispatch()).tickets.map(one => [one.ticket, one.why])).toEqual([
      ['HB-1', 'off'],
      ['HB-2', 'off'],
      ['HB-3', 'off'],
      ['HB-4', 'no_bot'],
    ]);
    expect(await conversations(place)).toEqual([]);
    await client.setDispatch(true);
    await until(place, 'HB-1', isIn('review'));
    const status = await client.dispatch();
    expect(status.tickets.map(one => [one.ticket, one.state, one.why])).toEqual([
      ['HB-2', 'ready', 'unfit'],
      ['HB-3', 'ready', 'unfit'],
      ['HB-4', 'ready', 'no_bot'],
    ]);
    expect(status.tickets[0]?.detail).toContain('There is no bot "nobody"');
    expect(status.tickets[1]?.detail).toContain('has no var "width"');
    expect((await client.ticket(place.workspace, 'HB-2')).history.map(one => one.what)).toEqual(['created']);
  });
});

test('so many at once, the first by priority first', async () => {
  const order: string[] = [];
  const open = Promise.withResolvers<void>();
  const place = await shop(
    turn => {
      order.push(/HB-\d+/.exec(turn.prompt.user)?.[0] ?? '');
      return [gate(open.promise), reply('Done.')];
    },
    { on: false, concurrency: 1 },
  );
  await ready(place, 'Later');
  await ready(place, 'First', { priority: 0 });
  await ready(place, 'Last', { priority: 9 });
  await place.served.client.setDispatch(true);
  await until(place, 'HB-2', isIn('in_progress'));
  expect((await place.served.client.dispatch()).tickets.map(one => [one.ticket, one.is, one.why])).toEqual([
    ['HB-2', 'working', undefined],
    ['HB-1', 'ready', 'no_place'],
    ['HB-3', 'ready', 'no_place'],
  ]);
  open.resolve();
  await until(place, 'HB-3', isIn('review'));
  expect(order).toEqual(['HB-2', 'HB-1', 'HB-3']);
});

test('one that waits for others is begun when the last of them is done', async () => {
  const place = await shop(() => [reply('Done.')], { on: false });
  const { client } = place.served;
  await ready(place, 'Dig');
  await ready(place, 'Plant', { blockers: ['HB-1'] });
  await client.setDispatch(true);
  await until(place, 'HB-1', isIn('review'));
  expect((await client.dispatch()).tickets).toMatchObject([
    { ticket: 'HB-2', is: 'ready', why: 'blockers', detail: 'HB-1' },
  ]);
  await client.changeTicket(place.workspace, 'HB-1', { state: 'done' });
  await until(place, 'HB-2', isIn('review'));
});

test('a person who takes a ticket away interrupts the work on it', async () => {
  const place = await shop(() => [gate(new Promise(() => undefined)), reply('Never.')]);
  await ready(place, 'Mend the door');
  const ticket = await until(place, 'HB-1', one => one.dispatch?.conversation != null);
  const c = ticket.dispatch?.conversation as ConversationId;
  await place.served.until(c, view => view.turn?.status === 'running');
  await place.served.client.changeTicket(place.workspace, 'HB-1', { state: 'backlog' });
  const left = await until(place, 'HB-1', one => one.claim === undefined);
  expect(left.state).toBe('backlog');
  await place.served.until(c, view => view.turn?.status !== 'running');
});

test('the conversation that handed the ticket over is told all of it', async () => {
  const place = await shop(turn =>
    turn.node === 'hello' ? [reply('On it.', { dispatched_ids: ['HB-1'] })] : [reply('Done.')],
  );
  await place.served.client.setDispatch(false);
  await ready(place, 'Mend the door');
  const c = await place.served.conversation();
  await place.served.client.send(c, {
    text: 'dispatch HB-1',
    delivery: 'queue',
    workspace: place.workspace,
  });
  await place.served.until(c, view => view.watched?.[0]?.state === 'ready');
  await place.served.client.setDispatch(true);
  await place.served.until(c, view => view.watched?.[0]?.state === 'review');
  const page = await place.served.client.events(c, null, 500);
  if ('code' in page) throw new Error(page.code);
  expect(
    page.events.flatMap(({ event }) =>
      event.type === 'ticket' ? [`${event.from ?? ''}>${event.state}`] : [],
    ),
  ).toEqual(['>ready', 'ready>in_progress', 'in_progress>review']);
});

test('whoever is waited for is called, and the service that comes next goes on where the last one stopped', async () => {
  const home = newHome();
  const called = join(home, 'called');
  const script: Script = turn =>
    turn.answers.length === 0 ? [ask('Oil or grease?', [])] : [reply('Oiled.')];
  const place = await shop(script, {}, { home }, [
    process.execPath,
    '-e',
    'require("node:fs").appendFileSync(process.argv[1], process.env.HEARTH_TEXT + "\\n")',
    called,
  ]);
  await ready(place, 'Mend the door');
  const waiting = await until(place, 'HB-1', isIn('awaiting_input'));
  const c = waiting.dispatch?.conversation as ConversationId;
  await expect
    .poll(() => (existsSync(called) ? readFileSync(called, 'utf8') : ''), { timeout: 20_000 })
    .toBe('Oil or grease?\n');
  await place.served.service.stop({ now: true });

  const again = { ...place, served: await serve(script, { home }) };
  // A clean stop gives its claims back, so nobody waits for the lease.
  const taken = await until(again, 'HB-1', one => one.claim?.epoch === 2);
  expect(taken).toMatchObject({ state: 'awaiting_input', comments: [{ author: 'dispatcher' }] });
  const [pause] = (await again.served.client.get(c)).pauses;
  await again.served.client.decide(c, pause!.id, { do: 'answer', text: 'Oil' });
  const done = await until(again, 'HB-1', isIn('review'));
  expect(done.dispatch).toMatchObject({ conversation: c, round: 1 });
  expect(done.comments).toHaveLength(2);
});

describe('a bot that fails', () => {
  test('R13.19: is tried again later, in the same conversation, and given up in the end', async () => {
    let turns = 0;
    const place = await shop(
      () => {
        turns += 1;
        return [fail('auth', 'No key.')];
      },
      { attempts: 2 },
    );
    await ready(place, 'Mend the door');
    const once = await until(place, 'HB-1', one => one.dispatch?.retryAt !== undefined);
    expect(once).toMatchObject({ state: 'ready', dispatch: { failures: 1, code: 'auth' } });
    expect(once.comments.at(-1)?.body).toContain('Attempt 1 of 2 failed');
    expect(Date.parse(once.dispatch!.retryAt!) - Date.parse(once.updatedAt)).toBeGreaterThanOrEqual(9000);
    expect(turns).toBe(1);
    expect((await place.served.client.dispatch()).tickets).toMatchObject([
      { ticket: 'HB-1', is: 'ready', why: 'retry', at: once.dispatch?.retryAt },
    ]);
  });

  test('R13.33: in the same way twice, where that cannot pass by itself, is given up', async () => {
    const place = await shop(() => [fail('auth', 'No key.')], { attempts: 1 });
    await ready(place, 'Mend the door');
    const ticket = await until(place, 'HB-1', isIn('blocked'));
    expect(ticket).toMatchObject({ dispatch: { gaveUp: true, failures: 1 } });
    expect(ticket.claim).toBeUndefined();
    expect(ticket.comments.at(-1)?.body).toContain('Gave up after its only attempt');
    expect((await place.served.client.dispatch()).tickets).toMatchObject([{ ticket: 'HB-1', is: 'gave_up' }]);
    // Whoever moves it has it begun afresh.
    await place.served.client.changeTicket(place.workspace, 'HB-1', { state: 'ready' });
    const again = await until(place, 'HB-1', one => one.dispatch?.round === 2 && one.state === 'blocked');
    expect(again.dispatch?.conversation).not.toBe(ticket.dispatch?.conversation);
  });
});
