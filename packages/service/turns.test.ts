import { randomUUID } from 'node:crypto';
import type { Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { ask, gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { afterEach, expect, test } from 'vitest';
import {
  didIn,
  echo,
  home,
  type Json,
  questionOpened,
  start,
  stopAll,
  Surface,
  turnEnded,
} from './testing/surface.ts';

/* Turns, streams, questions and refusals, over HTTP. */

afterEach(stopAll);

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

test('R13.10: a question waits, is answered once, and tells a second answer who was first', async () => {
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
