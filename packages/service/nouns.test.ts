import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reply } from '@hearth/protocol/receipt.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { afterEach, expect, test } from 'vitest';
import { echo, home, type Json, start, stopAll, Surface, workspace } from './testing/surface.ts';

/* Conversations, the board and bots, over HTTP. */

afterEach(stopAll);

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
