import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedBackend } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import { Reply } from '@hearth/protocol/receipt.ts';
import { RetentionReport } from '@hearth/protocol/retention.ts';
import { TrashList } from '@hearth/protocol/trash.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { startService } from './main.ts';

/* What is kept of conversations, over HTTP: reset, trash, restore, retention, and the first start. */

type Service = Awaited<ReturnType<typeof startService>>;

const running: Service[] = [];
const newHome = (): string => mkdtempSync(join(tmpdir(), 'hearth-keeping-'));
const actor = { kind: 'person', name: 'ada', surface: 'test' };

async function start(home: string): Promise<Service> {
  const backends = [new ScriptedBackend(() => [reply('ok')])];
  const service = await startService({ env: {}, home, backends });
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(service => service.stop()));
});

function surface(service: Service, home: string) {
  const authorization = `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}`;
  const ask = async (path: string, init: RequestInit) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${service.address}/v1${path}`, { ...init, headers });
    return { status: response.status, json: (await response.json()) as unknown };
  };
  return {
    get: (path: string) => ask(path, {}),
    post: (path: string, body: object = {}, commandId = randomUUID()) =>
      ask(path, { method: 'POST', body: JSON.stringify({ commandId, actor, ...body }) }),
  };
}

describe('a conversation', () => {
  test('is reset, closed and restored by routes that can be called again', async () => {
    const home = newHome();
    const { get, post } = surface(await start(home), home);
    const made = Reply.parse((await post('/conversations', { bot: 'hello', title: 'Talk' })).json);
    const at = `/conversations/${made.view.id}`;
    const id = randomUUID();
    const reset = await post(`${at}/reset`, {}, id);
    expect(reset.status).toBe(200);
    expect(parseCursor(Reply.parse(reset.json).view.head)?.epoch).toBe(2);
    expect((await post(`${at}/reset`, {}, id)).json).toMatchObject({ replayed: true });
    expect(await get(`${at}/events?after=1.1.aaaaaa`)).toMatchObject({
      status: 409,
      json: { code: 'epoch_changed' },
    });

    const closing = randomUUID();
    expect((await post(`${at}/close`, {}, closing)).status).toBe(200);
    expect(await post(`${at}/close`, {}, closing)).toMatchObject({ status: 200, json: { replayed: true } });
    expect(await post(`${at}/close`)).toMatchObject({ status: 404, json: { code: 'unknown_conversation' } });
    const [entry] = TrashList.parse((await get('/trash')).json).trash;
    expect(entry).toMatchObject({
      conversation: made.view.id,
      title: 'Talk',
      by: { name: 'ada' },
      why: null,
    });

    const restoring = randomUUID();
    const back = await post(`/trash/${entry!.name}/restore`, {}, restoring);
    expect(Reply.parse(back.json).view).toMatchObject({ id: made.view.id, title: 'Talk' });
    expect((await post(`/trash/${entry!.name}/restore`, {}, restoring)).json).toMatchObject({
      replayed: true,
    });
    expect(await post('/trash/nothing/restore')).toMatchObject({
      status: 404,
      json: { code: 'unknown_conversation', detail: expect.stringContaining('hearth trash') },
    });
  });
});

test('retention is predicted and done by what the settings say, at the start too', async () => {
  const home = newHome();
  const first = await start(home);
  const { post } = surface(first, home);
  for (const title of ['a', 'b', 'c']) await post('/conversations', { bot: 'hello', title });
  await first.stop();
  writeFileSync(join(home, 'settings.json'), '{"retention": {"conversations": 2}}');
  const { get, post: again } = surface(await start(home), home);
  // The pass of the start comes before whatever is asked for.
  const dry = RetentionReport.parse((await get('/retention')).json);
  expect(dry).toMatchObject({ dryRun: true, limits: { conversations: 2 } });
  expect(dry.choices.map(choice => choice.reason).toSorted()).toEqual(['default', 'within']);
  expect(
    TrashList.parse((await get('/trash')).json)
      .trash.map(one => one.title)
      .toSorted(),
  ).toEqual(['a', 'b']);
  const did = RetentionReport.parse((await again('/retention')).json);
  expect(did.choices.filter(choice => choice.remove)).toEqual([]);
  const log = readFileSync(join(home, 'logs/service.log'), 'utf8');
  expect(log).toContain('"event":"retention","removed":2');
});

test('two starts at once on an empty home make one service and one default conversation', async () => {
  for (let round = 0; round < 5; round += 1) {
    const home = newHome();
    const starts = await Promise.allSettled([start(home), start(home)]);
    expect(starts.filter(one => one.status === 'fulfilled')).toHaveLength(1);
    expect(starts.find(one => one.status === 'rejected')?.reason).toMatchObject({ code: 'already_running' });
    expect(readdirSync(join(home, 'conversations'))).toHaveLength(1);
    const service = running.at(-1)!;
    expect((await surface(service, home).get('/conversations/default')).status).toBe(200);
    await service.stop();
    const again = await start(home);
    expect(readdirSync(join(home, 'conversations'))).toHaveLength(1);
    await again.stop();
  }
});
