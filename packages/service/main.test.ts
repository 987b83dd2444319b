import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedBackend, type Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { ask, gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import { Frame } from '@hearth/protocol/frame.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { type Did, Reply } from '@hearth/protocol/receipt.ts';
import type { Event } from '@hearth/protocol/event.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { afterEach, expect, test } from 'vitest';
import { type ServiceOptions, startService } from './main.ts';
import type { Service } from './service.ts';

type Json = Record<string, unknown>;

const running: Service[] = [];
const home = (): string => mkdtempSync(join(tmpdir(), 'hearth-service-'));
const workspace = (): string => mkdtempSync(join(tmpdir(), 'hearth-work-'));
const actor = { kind: 'person', name: 'ada', surface: 'test' };

async function start(script: Script, options: Partial<ServiceOptions> & { home: string }): Promise<Service> {
  const service = await startService({ env: {}, backends: [new ScriptedBackend(script)], ...options });
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(service => service.stop()));
});

const token = (at: string): string => readFileSync(join(at, 'token'), 'utf8').trim();

/** What a stream sent: the SSE id, the frame, and its event if it is one. */
interface Sent {
  readonly id: string | null;
  readonly frame: Frame;
  readonly event: Event | null;
}

/** A surface of one home. */
class Surface {
  readonly service: Service;
  readonly headers: Record<string, string>;
  constructor(service: Service, at: string) {
    this.service = service;
    this.headers = { authorization: `Bearer ${token(at)}` };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.service.address}/v1${path}`, {
      ...init,
      headers: { ...this.headers, ...(init.headers as Record<string, string>) },
    });
  }

  async get(path: string): Promise<{ status: number; json: Json }> {
    const response = await this.fetch(path);
    return { status: response.status, json: (await response.json()) as Json };
  }

  async post(path: string, body: Json = {}, method = 'POST'): Promise<{ status: number; json: Json }> {
    const response = await this.fetch(path, {
      method,
      body: JSON.stringify({ commandId: randomUUID(), actor, ...body }),
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.status, json: (await response.json()) as Json };
  }

  /** Reads frames until one fits. */
  async frames(
    path: string,
    until: (frame: Frame) => boolean,
    headers: Record<string, string> = {},
  ): Promise<Sent[]> {
    const controller = new AbortController();
    const response = await this.fetch(path, { headers, signal: controller.signal });
    expect(response.status).toBe(200);
    const found: Sent[] = [];
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const frame = Frame.parse(JSON.parse(data));
        found.push({
          id: /^id: (.*)$/m.exec(block)?.[1] ?? null,
          frame,
          event: frame.frame === 'event' ? frame.event : null,
        });
        if (until(frame)) {
          controller.abort();
          return found;
        }
      }
    }
    return found;
  }

  /** A conversation with a bot of the smallest kind. */
  async conversation(): Promise<string> {
    const { status, json } = await this.post('/conversations', { bot: 'hello', title: 'Talk' });
    expect(status).toBe(200);
    return Reply.parse(json).view.id;
  }

  async say(c: string, text: string): Promise<Reply> {
    const sent = await this.post(`/conversations/${c}/messages`, { text, workspace: workspace() });
    expect(sent.status).toBe(200);
    return Reply.parse(sent.json);
  }
}

const turnEnded = (frame: Frame): boolean =>
  frame.frame === 'event' && frame.event.type === 'turn' && frame.event.change === 'completed';
const questionOpened = (frame: Frame): boolean =>
  frame.frame === 'event' && frame.event.type === 'pause.opened' && frame.event.pause.kind === 'question';
/** What was said in a history, of one kind of line. */
const wordsIn = (json: Json, is: 'said' | 'replied'): readonly unknown[] =>
  HistoryPage.parse(json).items.flatMap(line => (line.is === is ? [line.text] : []));
const didIn = (json: unknown): Did => Reply.parse(json).receipt!.did;

const echo: Script = turn => [reply(`You said: ${turn.prompt.user.trim()}`)];

test('a fresh home gets its files, all of them private, and publishes the service last', async () => {
  const at = home();
  const service = await start(echo, { home: at });
  expect(readdirSync(at)).toEqual(
    expect.arrayContaining(['home.json', 'lock.sqlite', 'service.json', 'token', 'conversations']),
  );
  for (const name of readdirSync(at, { recursive: true, encoding: 'utf8' })) {
    const info = statSync(join(at, name));
    expect([name, info.mode & 0o777]).toEqual([name, info.isDirectory() ? 0o700 : 0o600]);
  }
  const published = JSON.parse(readFileSync(join(at, 'service.json'), 'utf8')) as Json;
  expect(published).toMatchObject({ address: service.address, pid: process.pid });
  expect(service.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('every route asks for the token, and for our own host and origin', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${surface.service.address}/v1/status`, { headers })).status;
  expect(await status(surface.headers)).toBe(200);
  expect(await status({})).toBe(401);
  expect(await status({ authorization: `Bearer ${'0'.repeat(64)}` })).toBe(401);
  expect(await status({ ...surface.headers, origin: 'https://evil.example' })).toBe(403);
});

test('a second start in the same home is refused and names the first', async () => {
  const at = home();
  const first = await start(echo, { home: at });
  await expect(start(echo, { home: at })).rejects.toMatchObject({
    code: 'already_running',
    address: first.address,
  });
});

test('a port that is taken is refused, and the home is free again', async () => {
  const first = await start(echo, { home: home() });
  const at = home();
  const port = Number(new URL(first.address).port);
  await expect(start(echo, { home: at, port })).rejects.toMatchObject({ code: 'port_in_use' });
  expect(existsSync(join(at, 'service.json'))).toBe(false);
  await start(echo, { home: at });
});

test('a stop withdraws the service, and the next start finds everything', async () => {
  const at = home();
  const service = await start(echo, { home: at });
  const surface = new Surface(service, at);
  const c = await surface.conversation();
  await surface.say(c, 'hello');
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const before = token(at);
  expect((await surface.post('/stop')).json).toEqual({ stopping: true });
  await service.closed;
  expect(existsSync(join(at, 'service.json'))).toBe(false);
  const again = new Surface(await start(echo, { home: at }), at);
  expect(token(at)).toBe(before);
  const { json } = await again.get(`/conversations/${c}/history`);
  expect(wordsIn(json, 'replied')).toEqual(['You said: hello']);
});

test('a turn: accepted, streamed, settled, in the log and in the history', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const c = await surface.conversation();
  const sent = await surface.say(c, 'hello');
  expect(sent.receipt?.did).toMatchObject({ turn: 't1', message: 'm1', as: 'started' });
  const frames = await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const events = frames.filter(({ frame }) => frame.frame === 'event');
  expect(events.every(({ id, frame }) => frame.frame === 'event' && id === frame.cursor)).toBe(true);
  expect(events.map(({ event }) => event?.seq)).toEqual(events.map((_, index) => index + 1));
  const page = await surface.get(`/conversations/${c}/events`);
  expect(EventPage.parse(page.json).events.slice(0, events.length)).toEqual(
    events.map(({ id, event }) => ({ cursor: id, event })),
  );
  const view = await surface.get(`/conversations/${c}`);
  expect(view.json).toMatchObject({ id: c, title: 'Talk', bot: 'hello', state: 'idle' });
  expect(ConversationView.parse(view.json).pauses.map(pause => pause.kind)).toEqual(['chat']);
});

test('a stream resumes after the last event that was seen; Last-Event-ID wins over the query', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const c = await surface.conversation();
  await surface.say(c, 'hello');
  const all = await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const ids = all.flatMap(({ id }) => (id === null ? [] : [id]));
  const rest = await surface.frames(`/conversations/${c}/stream?after=${ids[0]}`, turnEnded, {
    'last-event-id': ids[1]!,
  });
  expect(rest.flatMap(({ id }) => (id === null ? [] : [id]))).toEqual(ids.slice(2));
});

test.each([
  ['another check', (cursor: string) => cursor.replace(/\.[0-9a-f]{6}$/, '.000001')],
  ['no cursor at all', () => 'rubbish'],
  ['ahead', () => '1.99999.abcdef'],
])(
  'a cursor that cannot be continued (%s) is answered with a recovery, in pages and in streams alike',
  async (_name, spoil) => {
    const at = home();
    const surface = new Surface(await start(echo, { home: at }), at);
    const c = await surface.conversation();
    await surface.say(c, 'hello');
    const frames = await surface.frames(`/conversations/${c}/stream`, turnEnded);
    const cursor = spoil(frames.find(({ id }) => id !== null)!.id!);
    const page = await surface.get(`/conversations/${c}/events?after=${cursor}`);
    expect(page.status).toBe(409);
    expect(page.json).toMatchObject({ view: { id: c }, status: 409 });
    const [first] = await surface.frames(
      `/conversations/${c}/stream?after=${cursor}`,
      frame => frame.frame === 'recover',
    );
    expect(first?.frame).toMatchObject({ frame: 'recover', recovery: Recovery.parse(page.json) });
  },
);

test('a question waits, is answered once, and tells a second answer who was first', async () => {
  const at = home();
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const script: Script = turn =>
    turn.answers.length > 0
      ? [reply(`Chosen: ${JSON.stringify(turn.answers[0]!.result)}`)]
      : [ask('Really?', options)];
  const surface = new Surface(await start(script, { home: at }), at);
  const c = await surface.conversation();
  await surface.say(c, 'do it');
  const last = (await surface.frames(`/conversations/${c}/stream`, questionOpened)).at(-1)?.event;
  const asked = last?.type === 'pause.opened' ? last.pause : null;
  if (asked === null) throw new Error('no question');
  expect(asked).toMatchObject({ options, allowFreeText: false });

  const queued = await surface.say(c, 'something else');
  expect(queued.receipt?.did.as).toBe('queued');
  expect(queued.view.pauses.map(pause => pause.id)).toContain(asked.id);

  const decide = (act: Json, more: Json = {}): Promise<{ status: number; json: Json }> =>
    surface.post(`/conversations/${c}/decisions`, { pause: asked.id, act, ...more });
  expect(await decide({ do: 'answer', option: 'perhaps' })).toMatchObject({
    status: 409,
    json: { code: 'invalid_choice', view: { id: c } },
  });
  expect(await decide({ do: 'permit', grant: 'once' })).toMatchObject({
    status: 409,
    json: { code: 'wrong_state' },
  });
  expect(await decide({ do: 'dance' })).toMatchObject({ status: 422, json: { code: 'invalid' } });

  const commandId = randomUUID();
  const answer = { act: { do: 'answer', option: 'yes' }, pause: `${c}/${asked.id}`, commandId };
  const accepted = await surface.post(`/conversations/${c}/decisions`, answer);
  expect(accepted).toMatchObject({ status: 200, json: { replayed: false } });
  expect(await surface.post(`/conversations/${c}/decisions`, answer)).toMatchObject({
    status: 200,
    json: { replayed: true, receipt: accepted.json.receipt },
  });
  expect(await decide({ do: 'answer', option: 'no' })).toMatchObject({
    status: 409,
    json: { code: 'closed', by: { name: 'ada' } },
  });
  const other = `c_${'0'.repeat(26)}/${asked.id}`;
  expect(
    await surface.post(`/conversations/${c}/decisions`, { ...answer, commandId: randomUUID(), pause: other }),
  ).toMatchObject({ status: 404, json: { code: 'unknown_pause' } });
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
});

test('refusals of messages', async () => {
  const at = home();
  const { promise, resolve } = Promise.withResolvers<void>();
  const surface = new Surface(await start(() => [gate(promise), reply('done')], { home: at }), at);
  const c = await surface.conversation();
  const view = (await surface.get(`/conversations/${c}`)).json;
  const send = (body: Json, to = c): Promise<{ status: number; json: Json }> =>
    surface.post(`/conversations/${to}/messages`, body);
  expect(await send({ text: 'x' }, `c_${'0'.repeat(26)}`)).toMatchObject({
    status: 404,
    json: { code: 'unknown_conversation' },
  });
  expect(await send({ text: 'x' }, 'nonsense')).toMatchObject({
    status: 404,
    json: { code: 'unknown_conversation' },
  });
  expect(await send({})).toMatchObject({
    status: 422,
    json: { code: 'invalid', detail: expect.stringContaining('text') },
  });
  expect(await send({ text: 'x', commandId: 'short' })).toMatchObject({ status: 422 });
  expect(await send({ text: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject({
    status: 413,
    json: { code: 'too_large' },
  });
  expect(await send({ text: 'x'.repeat(5_000_000) })).toMatchObject({
    status: 413,
    json: { code: 'too_large' },
  });
  expect(await send({ text: 'x', expects: ConversationView.parse(view).revision + 7 })).toMatchObject({
    status: 409,
    json: { code: 'revision_conflict', view: { id: c } },
  });
  const first = await send({ text: 'work' });
  expect(await send({ text: 'x', delivery: 'reject' })).toMatchObject({
    status: 409,
    json: { code: 'turn_active' },
  });
  expect(await surface.post(`/conversations/${c}/close`)).toMatchObject({
    status: 409,
    json: { code: 'active' },
  });
  const queued = await send({ text: 'later' });
  const { message } = didIn(queued.json);
  expect(await surface.post(`/conversations/${c}/messages/${message}`, {}, 'DELETE')).toMatchObject({
    status: 200,
  });
  expect((await surface.get(`/conversations/${c}`)).json.queue).toEqual([]);
  expect(await surface.post(`/conversations/${c}/interrupt`, { turn: 't99' })).toMatchObject({
    status: 404,
    json: { code: 'unknown_turn' },
  });
  expect(await surface.post(`/conversations/${c}/interrupt`, { turn: didIn(first.json).turn })).toMatchObject(
    { status: 200 },
  );
  resolve();
});

test('conversations: default, create, change, list, close', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const main = await surface.get('/conversations/default');
  expect(main).toMatchObject({ status: 200, json: { isDefault: true, bot: 'whats-next' } });
  expect(await surface.post(`/conversations/${ConversationView.parse(main.json).id}/close`)).toMatchObject({
    status: 409,
    json: { code: 'default' },
  });

  const commandId = randomUUID();
  const create = { commandId, bot: 'hello', title: 'One' };
  const made = await surface.post('/conversations', create);
  const c = Reply.parse(made.json).view.id;
  expect(await surface.post('/conversations', create)).toMatchObject({
    json: { replayed: true, view: { id: c } },
  });
  expect(await surface.post('/conversations', { bot: 'nobody' })).toMatchObject({
    status: 404,
    json: { code: 'unknown_bot' },
  });
  expect(
    await surface.post('/conversations', { scope: { kind: 'workspace', path: '/nowhere' } }),
  ).toMatchObject({ json: { code: expect.any(String) } });

  expect(await surface.post(`/conversations/${c}`, { title: 'Two', pinned: true }, 'PATCH')).toMatchObject({
    status: 200,
    json: { view: { title: 'Two', pinned: true } },
  });
  const { json } = await surface.get('/conversations?q=two');
  expect(json.conversations).toMatchObject([{ id: c, title: 'Two' }]);
  expect((await surface.get('/conversations?scope=workspace')).json.conversations).toEqual([]);
  expect(await surface.get('/conversations?state=sleepy')).toMatchObject({ status: 422 });
  expect(await surface.post(`/conversations/${c}/close`)).toMatchObject({ status: 200 });
  expect(await surface.get(`/conversations/${c}`)).toMatchObject({
    status: 404,
    json: { code: 'unknown_conversation' },
  });
});

test('another conversation can be made the default', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const c = await surface.conversation();
  expect(await surface.post(`/conversations/${c}/default`)).toMatchObject({
    status: 200,
    json: { id: c, isDefault: true },
  });
  expect((await surface.get('/conversations/default')).json).toMatchObject({ id: c });
  const { json } = await surface.get('/conversations');
  const rows = json['conversations'] as readonly Json[];
  expect(rows.filter(row => row['isDefault'])).toHaveLength(1);
});

test("the home's own stream tells what changed and what left", async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const response = await surface.fetch('/stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const c = await surface.conversation();
  await surface.post(`/conversations/${c}/close`);
  let text = '';
  while (!text.includes('"removed"')) text += (await reader.read()).value ?? '';
  await reader.cancel();
  expect(text.indexOf(`{"frame":"changed","conversation":"${c}"}`)).toBeGreaterThan(0);
  expect(text).toContain(`{"frame":"removed","conversation":"${c}"}`);
});

test('the board of a workspace', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const where = { workspace: workspace() };
  const query = `?workspace=${encodeURIComponent(where.workspace)}`;
  const commandId = randomUUID();
  const added = await surface.post('/board/tickets', {
    ...where,
    commandId,
    ticket: { title: 'Mend the door' },
  });
  expect(added).toMatchObject({
    status: 200,
    json: { id: 'HB-1', state: 'inbox', history: [{ by: 'ada', what: 'created' }] },
  });
  expect(
    await surface.post('/board/tickets', { ...where, commandId, ticket: { title: 'Mend the door' } }),
  ).toEqual(added);
  expect(
    await surface.post('/board/tickets', { ...where, commandId, ticket: { title: 'Other' } }),
  ).toMatchObject({ status: 409, json: { code: 'command_conflict' } });
  expect(
    await surface.post('/board/tickets/hb-1', { ...where, state: 'ready', labels: ['home'] }, 'PATCH'),
  ).toMatchObject({ json: { state: 'ready', labels: ['home'] } });
  expect(await surface.post('/board/tickets/1/comments', { ...where, body: 'Squeaks.' })).toMatchObject({
    json: { comments: [{ body: 'Squeaks.', author: 'ada' }] },
  });
  expect(
    await surface.post('/board/import', {
      ...where,
      name: 'list.md',
      source: '- [ ] Paint it\n- [ ] Mend the door\n',
    }),
  ).toMatchObject({
    json: { created: [{ title: 'Paint it' }], skipped: [{ title: 'Mend the door' }] },
  });
  expect((await surface.get(`/board/tickets${query}&label=home`)).json.tickets).toMatchObject([
    { id: 'HB-1' },
  ]);
  expect(await surface.get(`/board/tickets/HB-2${query}`)).toMatchObject({ json: { title: 'Paint it' } });
  expect(await surface.get(`/board/tickets/HB-9${query}`)).toMatchObject({
    status: 404,
    json: { code: 'unknown_ticket' },
  });
  expect(await surface.get('/board/tickets?workspace=relative')).toMatchObject({
    status: 422,
    json: { code: 'invalid_workspace' },
  });
  expect(await surface.get('/board/tickets?workspace=/no/where')).toMatchObject({
    status: 404,
    json: { code: 'unknown_workspace' },
  });
  expect(
    await surface.post('/board/import', { ...where, name: 'x.json', source: '[{"title": 7}]' }),
  ).toMatchObject({ status: 422, json: { code: 'invalid_import' } });
});

test('bots: listed, checked', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  expect((await surface.get('/bots')).json['bots']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'hello' }),
      expect.objectContaining({ name: 'whats-next', title: 'Nexie' }),
    ]),
  );
  const bad = mkdtempSync(join(tmpdir(), 'hearth-bad-'));
  writeFileSync(join(bad, 'main.bot'), 'workflow broken:\n  entry: nowhere\n');
  const checked = await surface.post('/bots/check', { path: bad });
  expect(checked.json).toMatchObject({ ok: false });
  expect(checked.json['diagnostics']).toEqual(
    expect.arrayContaining([expect.objectContaining({ severity: 'error', file: 'main.bot' })]),
  );
  const made = await surface.post('/conversations', { bot: bad });
  expect(made).toMatchObject({ status: 409, json: { code: 'broken_bot' } });
});

test('status counts, and names the backend', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  await surface.conversation();
  expect((await surface.get('/status')).json).toMatchObject({
    home: at,
    pid: process.pid,
    conversations: 2,
    working: 0,
    waiting: 0,
    backend: { name: 'scripted' },
  });
});

test('long text is a blob, fetched whole and never as a page', async () => {
  const at = home();
  const long = 'é'.repeat(50_000);
  const surface = new Surface(await start(() => [reply(long)], { home: at }), at);
  const c = await surface.conversation();
  await surface.say(c, 'hello');
  const frames = await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const text = frames.flatMap(({ event }) =>
    event?.type === 'message' && event.by.kind === 'bot' ? [event.text] : [],
  )[0];
  if (text === undefined || typeof text === 'string') throw new Error('no blob');
  const response = await surface.fetch(`/conversations/${c}/blobs/${text.blob.slice('sha256:'.length)}`);
  expect(await response.text()).toBe(long);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await surface.get(`/conversations/${c}/blobs/${'0'.repeat(64)}`)).status).toBe(404);
  expect((await surface.get(`/conversations/${c}/blobs/..%2f..%2ftoken`)).status).toBe(404);
});

test('a full disk refuses the message in one sentence, and the next one is taken', async () => {
  const at = home();
  let full = false;
  const disk: Disk = {
    ...nodeDisk,
    append: async path => {
      const handle = await nodeDisk.append(path);
      return {
        write: bytes =>
          full
            ? Promise.reject(
                new DiskError(
                  'disk_full',
                  path,
                  `The disk is full, so ${path} could not be written: free some space.`,
                ),
              )
            : handle.write(bytes),
        sync: () => handle.sync(),
        close: () => handle.close(),
      };
    },
  };
  const surface = new Surface(await start(echo, { home: at, disk }), at);
  const c = await surface.conversation();
  full = true;
  expect(await surface.post(`/conversations/${c}/messages`, { text: 'lost' })).toMatchObject({
    status: 507,
    json: { code: 'disk_full' },
  });
  full = false;
  await surface.say(c, 'kept');
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const { json } = await surface.get(`/conversations/${c}/history`);
  expect(wordsIn(json, 'said')).toEqual(['kept']);
});

test('neither words nor the token stand in the log', async () => {
  const at = home();
  const service = await start(echo, { home: at });
  const surface = new Surface(service, at);
  const c = await surface.conversation();
  await surface.say(c, 'very secret words');
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
  await service.stop();
  const log = readFileSync(join(at, 'logs', 'service.log'), 'utf8');
  expect(log).toContain('"started"');
  expect(log).not.toContain('very secret words');
  expect(log).not.toContain(token(at));
});
