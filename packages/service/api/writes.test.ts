import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { ask, reply } from '@hearth/backends/testing/scripted/step.ts';
import type { ConversationId, PauseId } from '@hearth/protocol/ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRoutes, routes } from '../routes.ts';
import type { LoginWiring } from '../routes/login.ts';
import { endAll, newHome, type Served, serve } from '../testing/served.ts';
import type { Wiring } from '../wiring.ts';
import { describe as described, answerOf } from './description.ts';

/* Writes that do what they are asked take what the description says and answer as it says, with nothing besides. */

let served: Served;
let c: ConversationId;
let pause: PauseId;

beforeAll(async () => {
  served = await serve(({ answers }) =>
    answers.length === 0 ? [ask('Which?', [{ id: 'a', label: 'A' }])] : [reply('So.')],
  );
  c = await served.conversation();
});
afterAll(endAll);

const table = routes({} as Wiring);
const document = described(table, openRoutes({} as LoginWiring)) as unknown as {
  paths: Record<string, Record<string, { requestBody: Body; responses: { 200: Body } }>>;
  components: { schemas: Record<string, { properties?: object }> };
};
interface Body {
  readonly content: Record<string, { schema: { $ref?: string; properties?: object } }>;
}

/** Sends what a row takes, and compares the answer with what the description says of it. */
async function done(method: string, path: string, body: object = {}, parts: Record<string, string> = {}) {
  const row = table.find(one => one.method === method && one.path === path);
  const operation = document.paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
  if (row === undefined || operation === undefined) throw new Error(`${method} ${path} is not described`);
  const sent = { commandId: randomUUID(), actor: { kind: 'person', name: 'ada', surface: 'test' }, ...body };
  const asked = operation.requestBody.content['application/json']?.schema.properties ?? {};
  const unasked = Object.keys(body).filter(name => !(name in asked));
  expect(unasked).toEqual([]);
  const fill = path.replace(/:(\w+)/g, (_, name: string) => parts[name] ?? c);
  const answer = await served.fetch(`/v1${fill}`, {
    method,
    body: JSON.stringify(sent),
    headers: { 'content-type': 'application/json' },
  });
  const told: unknown = await answer.json();
  expect([answer.status, told]).toEqual([200, told]);
  const known = answerOf(row)?.with;
  if (known === undefined || typeof known === 'string') throw new Error(`${path} answers with no JSON`);
  const [name, schema] = known;
  expect(operation.responses[200].content['application/json']?.schema.$ref).toBe(
    `#/components/schemas/${name}`,
  );
  expect(document.components.schemas[name]).toBeDefined();
  // What the schema does not know is left out by it, and so would not be the same.
  expect(schema.parse(told)).toEqual(told);
  return told as { readonly view: { readonly id: string; readonly state: string; readonly title: string } };
}

test('create, rename, make the default', async () => {
  const { view } = await done('POST', '/conversations', { title: 'Made', bot: 'hello' });
  expect(view.title).toBe('Made');
  expect((await done('PATCH', '/conversations/:c', { title: 'Renamed' }, { c: view.id })).view.title).toBe(
    'Renamed',
  );
  await done('POST', '/conversations/:c/default', {}, { c: view.id });
});

test('message, decision', async () => {
  await done('POST', '/conversations/:c/messages', { text: 'go', delivery: 'queue' });
  const { pauses } = await served.until(c, view => view.state === 'waiting');
  pause = pauses.find(one => one.kind === 'question')?.id ?? 'p0';
  await done('POST', '/conversations/:c/decisions', { pause, act: { do: 'answer', option: 'a' } });
  const view = await served.until(c, one => one.state === 'idle' && one.turn === null);
  expect(view.pauses.some(one => one.id === pause)).toBe(false);
});

test('reset, close, restore, retention', async () => {
  await done('POST', '/conversations/:c/reset');
  await done('POST', '/conversations/:c/close');
  const { trash } = await served.client.trash();
  expect((await done('POST', '/trash/:t/restore', {}, { t: trash[0]?.name ?? '' })).view.id).toBe(c);
  await done('POST', '/retention');
});

test('a conversation is taken in', async () => {
  const answer = await served.fetch(`/v1/conversations/${c}/export`);
  const path = `${newHome()}/talk.tar`;
  writeFileSync(path, await answer.bytes());
  expect((await done('POST', '/conversations/import', { path })).view.id).not.toBe(c);
});
