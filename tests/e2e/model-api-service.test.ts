import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { turnReport } from '@hearth/client/report.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { calls, FakeProvider, type Move, replies, says, status } from '../support/fake-provider.ts';
import { makeProject, TWELVE_TICKETS } from '../support/project.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* The bot whats-next on a model API, in the real service: what a person sees, over restarts and failures. */

const KEY = 'sk-fake-secret-of-the-service';
const signal = AbortSignal.timeout(120_000);

let home = '';
let project = '';
let provider: FakeProvider;
let service: Service | null = null;
let client: HearthClient;
let c: ConversationId;

async function start(): Promise<void> {
  service = await startService({ home, env: provider.env('anthropic', KEY) });
  client = clientOf(service.address, readFileSync(join(home, 'token'), 'utf8').trim());
  c = (await client.default()).id;
}

async function restart(): Promise<void> {
  await service?.stop();
  await start();
}

beforeEach(async () => {
  home = tempDirectory('model-home');
  project = makeProject();
  provider = await FakeProvider.start();
  await start();
  await client.importTickets(project, 'tickets.json', JSON.stringify(TWELVE_TICKETS));
});

afterEach(async () => {
  await provider.close();
  await service?.stop();
  removeTemps();
});

async function say(text: string, delivery: 'queue' | 'steer' = 'queue') {
  const { receipt } = await client.send(c, { text, delivery, workspace: project });
  return { turn: receipt?.did.turn ?? null, message: receipt?.did.message ?? null };
}

const settled = (of: Awaited<ReturnType<typeof say>>) =>
  turnReport({ client, conversation: c, ...of, signal });

const told = async (text: string) => settled(await say(text));

async function events(): Promise<Event[]> {
  const page = await client.events(c, null, 500);
  if (!('events' in page)) throw new Error(`the log needs a recovery: ${page.code}`);
  return page.events.map(({ event }) => event).filter(event => event.type !== 'unsupported');
}

async function pause<K extends Pause['kind']>(kind: K): Promise<Extract<Pause, { kind: K }>> {
  const found = (await client.get(c)).pauses.find(one => one.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} is open`);
  return found as Extract<Pause, { kind: K }>;
}

const stateOf = async (id: string): Promise<string> => (await client.ticket(project, id)).state;
const last = (): string => provider.requests.at(-1)?.text ?? '';

test('R13.4: 5: five turns in one session across a restart: each request holds what came before', async () => {
  provider.plays(
    calls([{ name: 'list_issues', args: {} }], 'I read the board.'),
    replies('Take "Add a favicon" (HB-2).', { quick_replies: ['Do it', 'Another'] }),
    replies('second-reply'),
    replies('third-reply'),
    replies('fourth-reply'),
    replies('fifth-reply'),
  );
  const first = await told('first-words');
  expect(first).toMatchObject({ state: 'settled', reply: 'Take "Add a favicon" (HB-2).' });
  expect(first.quickReplies).toEqual(['Do it', 'Another']);
  for (const word of ['second', 'third']) await told(`${word}-words`);
  await restart();
  for (const word of ['fourth', 'fifth']) await told(`${word}-words`);
  const known = [
    'first-words',
    'Add a favicon',
    ...['second', 'third', 'fourth'].flatMap(word => [`${word}-words`, `${word}-reply`]),
    'fifth-words',
  ];
  for (const words of known) expect(last()).toContain(words);
  const order = known.map(words => last().indexOf(words));
  expect(order).toEqual(order.toSorted((a, b) => a - b));

  const log = await events();
  expect(log.flatMap(event => (event.type === 'session' ? [event.change] : []))).toEqual([
    'opened',
    'resumed',
    'resumed',
    'resumed',
    'resumed',
  ]);
  expect(log).toContainEqual(expect.objectContaining({ type: 'narration', text: 'I read the board.' }));
  const view = await client.get(c);
  expect(view.session).toEqual({ backend: 'model-api', degraded: false });
  expect(view.budget.lifetime.tokens).toBe(720);
  expect(view.budget.lifetime.costUsd).toBeGreaterThan(0);
  expect((await client.status()).backend).toEqual({
    name: 'model-api',
    why: 'anthropic/claude-sonnet-5, since ANTHROPIC_API_KEY is set',
  });
});

test('a bulk confirmation parks, outlives a restart, and only its answer closes anything', async () => {
  const options = [
    { id: 'all', label: 'Do all' },
    { id: 'none', label: 'Leave it' },
  ];
  const doomed = ['HB-1', 'HB-2', 'HB-5'];
  provider.plays(
    calls([{ name: 'git_log', args: { grep: 'spelling' } }]),
    calls(
      [{ name: 'ask_user', args: { question: 'Close HB-1, HB-2 and HB-5?', options } }],
      'Three look done.',
    ),
  );
  const asked = await told('close the obsolete ones');
  expect(asked).toMatchObject({ state: 'waiting', questions: [{ text: 'Close HB-1, HB-2 and HB-5?' }] });
  await restart();
  for (const id of doomed) expect(await stateOf(id)).toBe('ready');
  provider.plays(
    calls(doomed.map(id => ({ name: 'close_issue', args: { id, comment: 'Settled by a commit.' } }))),
    replies('Closed three.'),
  );
  const question = await pause('question');
  await client.decide(c, question.id, { do: 'answer', option: 'all' });
  const done = await settled({ turn: asked.turn ?? null, message: null });
  expect(done).toMatchObject({ state: 'settled', reply: 'Closed three.' });
  for (const id of doomed) expect(await stateOf(id)).toBe('done');
  expect(provider.requests[2]?.text).toContain('Do all');
  expect(provider.requests[2]?.text.match(/close the obsolete ones/g)).toHaveLength(1);
  expect((await events()).filter(event => event.type === 'ticket')).toHaveLength(3);
});

describe('R13.25: a failure is a recovery pause that says what to do, and the turn can be taken up', () => {
  const busy = status(529);
  test.each<[string, Move[], RegExp]>([
    ['401', [status(401)], /refuses the key/],
    ['429', [status(429, { 'retry-after': '90' })], /It asks to wait 90 s/],
    ['529', [calls([{ name: 'list_issues', args: {} }]), busy], /overloaded/],
    ['a cut stream', [{ is: 'cut', text: 'I was about', how: 'socket' }], /connection/],
    ['garbage', [{ is: 'garbage', how: 'page' }], /not its API/],
  ])('%s', async (_, moves, words) => {
    provider.plays(...moves, replies('There we are.'));
    const report = await told('what is next?');
    expect(report.state).not.toBe('settled');
    const recovery = await pause('recovery');
    expect(recovery).toMatchObject({ cause: 'failed', detail: expect.stringMatching(words) });
    await client.decide(c, recovery.id, { do: 'answer', option: 'again' });
    expect(await settled({ turn: report.turn ?? null, message: null })).toMatchObject({
      state: 'settled',
      reply: 'There we are.',
    });
    expect(last().match(/what is next\?/g)).toHaveLength(1);
  });
});

test('a message steered into a running turn joins it', async () => {
  const gate = Promise.withResolvers<void>();
  provider.plays(
    calls([{ name: 'list_issues', args: {} }], 'Looking', { hold: gate.promise }),
    replies('Only docs.'),
  );
  const turn = await say('what is next?');
  await expect.poll(() => provider.requests.length).toBe(1);
  const steered = await say('only documentation please', 'steer');
  gate.resolve();
  expect(await settled(turn)).toMatchObject({ state: 'settled', reply: 'Only docs.' });
  expect(last()).toContain('only documentation please');
  expect(provider.requests).toHaveLength(2);
  const moved = (await events()).flatMap(event =>
    event.type === 'message.moved' && event.message === steered.message ? [event.to] : [],
  );
  expect(moved).toEqual(['queued', 'delivered', 'consumed', 'absorbed']);
});

test('an interrupt stops at once; a plain message takes the turn up in the same session', async () => {
  provider.plays(calls([{ name: 'list_issues', args: {} }]), { is: 'silence', after: 'Hmm' });
  const { turn } = await say('what is next?');
  await expect.poll(() => provider.requests.length).toBe(2);
  await client.interrupt(c, turn ?? 't1');
  await expect.poll(async () => (await client.get(c)).pauses.map(one => one.kind)).toEqual(['recovery']);
  provider.plays(replies('Going on, quicker.'));
  const report = await told('but be quick');
  expect(report).toMatchObject({ state: 'settled', reply: 'Going on, quicker.' });
  expect(last().match(/what is next\?/g)).toHaveLength(1);
  expect(last()).toContain('but be quick');
  expect(last()).toContain('list_issues');
});

test('a session that is gone is replaced in the open', async () => {
  provider.plays(replies('My name is Nexie.'), replies('I remember a little.'));
  await told('my name is Ada');
  const directory = join(home, 'conversations', c, 'epochs/1/backend/nexie');
  for (const name of readdirSync(directory)) rmSync(join(directory, name));
  await told('who am I?');
  expect(last()).toContain('my name is Ada');
  expect((await client.get(c)).session).toEqual({ backend: 'model-api', degraded: true });
});

test('the default model is set for the next turn on, over a restart, and is left to the person', async () => {
  provider.plays(replies('one'), replies('two'), replies('three'));
  expect((await client.models()).default).toEqual({ model: 'auto', by: 'settings' });
  await told('first');
  const changed = await client.setDefaultModel('anthropic/claude-opus-5');
  expect(changed).toMatchObject({
    default: { model: 'anthropic/claude-opus-5', by: 'settings' },
    chosen: { why: expect.stringContaining('anthropic/claude-opus-5') },
  });
  await told('second');
  await restart();
  await told('third');
  expect(provider.requests.map(({ body }) => body.model)).toEqual([
    'claude-sonnet-5',
    'claude-opus-5',
    'claude-opus-5',
  ]);
  // A bot's own goes before it, and a conversation's before that, over a restart too.
  provider.plays(replies('four'), replies('five'), replies('six'));
  await client.setDefaultModel('anthropic/claude-haiku-4-5', { bot: 'whats-next' });
  await told('fourth');
  expect((await client.patch(c, { model: 'anthropic/claude-opus-4-5' })).view.model).toBe(
    'anthropic/claude-opus-4-5',
  );
  await restart();
  await told('fifth');
  expect((await client.patch(c, { model: 'auto' })).view.model).toBeUndefined();
  expect((await client.setDefaultModel('auto', { bot: 'whats-next' })).bots).toEqual({});
  await told('sixth');
  expect(provider.requests.slice(3).map(({ body }) => body.model)).toEqual([
    'claude-haiku-4-5',
    'claude-opus-4-5',
    'claude-opus-5',
  ]);
  // One that cannot be used is never replaced by another.
  const missing = await client.setDefaultModel('openai/gpt-4o');
  expect(missing.chosen).toMatchObject({ name: 'none', why: expect.stringContaining('OPENAI_API_KEY') });
  // Settings that somebody has broken are told of, and left as they are.
  writeFileSync(join(home, 'settings.json'), '{');
  await expect(client.setDefaultModel('auto')).rejects.toMatchObject({
    code: 'settings_invalid',
    status: 409,
    detail: expect.stringContaining('settings.json'),
  });
});

test('the key is in no file of the home, and the models are listed without it', async () => {
  provider.plays(replies('Hello.'), status(401, {}, `Incorrect key ${KEY}`), says('ready'));
  await told('hello');
  await told('again');
  const listed = await client.models();
  expect(listed).toMatchObject({
    chosen: { name: 'model-api' },
    providers: [{ id: 'anthropic', usable: true }, { id: 'openai', usable: false }, {}, { usable: false }],
  });
  expect(await client.testModel('auto')).toEqual({
    ok: true,
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    said: 'ready',
  });
  expect(JSON.stringify([listed, await events()])).not.toContain(KEY);
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    const path = join(home, name);
    if (statSync(path).isFile()) expect(readFileSync(path).includes(KEY), name).toBe(false);
  }
});
