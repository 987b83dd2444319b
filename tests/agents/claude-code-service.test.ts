import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { turnReport } from '@hearth/client/report.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLAUDE, DIALECT, KEY, processesIn } from '../support/claude-stage.ts';
import { calls, FakeProvider } from '../support/fake-provider.ts';
import { makeProject } from '../support/project.ts';
import { partsOf } from '../support/recorded-moves.ts';
import { faultsOf } from '../support/request-check.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* Nexie on the real Claude Code, in the real service: the model behind it does what our own recording holds. */

const TICKETS = [
  'Paint the door',
  'Fix a typo in the readme',
  'Sweep the path',
  'Plan the invoices export',
  'Order new seed trays',
];
const signal = AbortSignal.timeout(300_000);

let root = '';
let project = '';
let provider: FakeProvider;
let service: Service;
let client: HearthClient;
let c: ConversationId;

async function start(): Promise<void> {
  const home = join(root, 'home');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(root, 'person'),
    HEARTH_BACKEND: 'claude-code',
    HEARTH_CLAUDE: CLAUDE,
    ANTHROPIC_BASE_URL: provider.address,
    ANTHROPIC_API_KEY: KEY,
  };
  service = await startService({ home, env });
  client = clientOf(service.address, readFileSync(join(home, 'token'), 'utf8').trim());
  c = (await client.default()).id;
}

beforeEach(async () => {
  root = tempDirectory('nexie');
  mkdirSync(join(root, 'person'));
  project = makeProject();
  provider = await FakeProvider.start();
  await start();
  const tickets = TICKETS.map(title => ({ title, state: 'inbox' }));
  await client.importTickets(project, 'tickets.json', JSON.stringify(tickets));
});

afterEach(async () => {
  await service.stop();
  await provider.close();
  await expect.poll(() => processesIn(root)).toEqual([]);
  removeTemps();
});

async function say(text: string, delivery: 'queue' | 'steer' = 'queue') {
  const { receipt } = await client.send(c, { text, delivery, workspace: project });
  return { turn: receipt?.did.turn ?? null, message: receipt?.did.message ?? null };
}

const settled = (of: Awaited<ReturnType<typeof say>>) =>
  turnReport({ client, conversation: c, ...of, signal });

async function events(): Promise<Event[]> {
  const page = await client.events(c, null, 500);
  if (!('events' in page)) throw new Error(`the log needs a recovery: ${page.code}`);
  return page.events.map(({ event }) => event).filter(event => event.type !== 'unsupported');
}

test('a day with Nexie, as it was recorded, with a restart while a question waits', async () => {
  expect((await client.status()).backend).toMatchObject({ name: 'claude-code' });
  let of: Awaited<ReturnType<typeof say>> = { turn: null, message: null };
  for (const { person, moves, told } of partsOf('whats-next', 'a-day', DIALECT)) {
    provider.forget().plays(...moves);
    if (person.is === 'message') {
      of = await say(person.text);
    } else {
      // The service goes down while the question waits, and comes up again.
      await service.stop();
      await start();
      const [open] = (await client.get(c)).pauses.filter(pause => pause.kind === 'question');
      if (open === undefined) throw new Error('no question is open');
      await client.decide(c, open.id, person.act);
    }
    const report = await settled(of);
    expect(report.state === 'waiting' ? report.questions[0]?.text : report.reply).toBe(told);
  }
  const states = await Promise.all(['HB-2', 'HB-3', 'HB-4', 'HB-5'].map(id => client.ticket(project, id)));
  expect(states.map(ticket => ticket.state)).toEqual(['ready', 'done', 'inbox', 'inbox']);
  expect(states[1]?.comments).toHaveLength(1);
  const log = await events();
  const sessions = log.flatMap(event => (event.type === 'session' ? [event.change] : []));
  expect(sessions).toEqual(['opened', ...sessions.slice(1).map(() => 'resumed')]);
  expect(sessions).toHaveLength(7);
  expect(log).toContainEqual(expect.objectContaining({ type: 'narration', text: 'Reading the board.' }));
  expect(log).toContainEqual(expect.objectContaining({ type: 'run', change: 'ended', reason: 'done' }));
  expect(provider.requests.flatMap(faultsOf)).toEqual([]);
  expect((await client.get(c)).budget.lifetime.tokens).toBeGreaterThan(0);
}, 300_000);

test('words in the middle of a turn join it once, and what became of them is told (B23)', async () => {
  const held = Promise.withResolvers<void>();
  const list = { name: DIALECT.tool('list_issues'), args: {} };
  const answer = (reply: string) =>
    calls([
      { name: 'StructuredOutput', args: { reply, close: false, quick_replies: [], dispatched_ids: [] } },
    ]);
  provider.plays(calls([list], 'I look.', { hold: held.promise }), answer('Both are done.'));
  const first = await say('Look at the board.');
  await expect.poll(() => provider.requests.length).toBe(1);
  const second = await say('And at the barn.', 'steer');
  const moved = async () =>
    (await events()).flatMap(event =>
      event.type === 'message.moved' && event.message === second.message ? [event.to] : [],
    );
  await expect.poll(moved).toContain('delivered');
  held.resolve();
  expect(await settled(first)).toMatchObject({ state: 'settled', reply: 'Both are done.' });
  const heard = provider.requests.at(-1)?.text ?? '';
  expect(heard.split('And at the barn.')).toHaveLength(2);
  expect(await moved()).toEqual(['queued', 'delivered', 'consumed', 'absorbed']);
}, 120_000);
