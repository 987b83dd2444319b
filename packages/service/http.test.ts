import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Gate } from './auth.ts';
import { createApp } from './http.ts';
import { type Listener, listen } from './listener.ts';
import type { Log } from './log.ts';
import { ProblemError } from './problem.ts';
import { jsonResponse, route } from './route.ts';

const TOKEN = 'f'.repeat(64);
const SECRET = 'a secret of the inside';
const logged: string[] = [];
const log: Log = {
  write: (event, facts) => void logged.push(JSON.stringify({ event, ...facts })),
  close: () => Promise.resolve(),
};
let stopping = false;
let listener: Listener;

const table = [
  route({ method: 'GET', path: '/broken', summary: '', handle: () => Promise.reject(new Error(SECRET)) }),
  route({
    method: 'GET',
    path: '/refused',
    summary: '',
    handle: () => Promise.reject(new ProblemError('unknown_turn', 'No such turn.')),
  }),
  route({
    method: 'POST',
    path: '/things/:thing',
    summary: '',
    body: z.object({ thing: z.string(), deep: z.object({ count: z.int() }) }),
    fromPath: ['thing'],
    handle: call => Promise.resolve(jsonResponse(call.body)),
  }),
  route({
    method: 'GET',
    path: '/things',
    summary: '',
    query: z.object({ limit: z.coerce.number().int().max(5) }),
    handle: call => Promise.resolve(jsonResponse(call.query)),
  }),
];

beforeAll(async () => {
  listener = await listen(0, port => {
    const app = createApp({ routes: table, gate: new Gate(TOKEN, port), log, stopping: () => stopping });
    return request => app.fetch(request);
  });
});

afterAll(async () => {
  const closed = listener.close();
  listener.cut();
  await closed;
});

async function ask(
  method: string,
  path: string,
  body?: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${listener.address}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    json: JSON.parse(text) as Record<string, unknown>,
    text,
  };
}

test('a body and the path make one typed command', async () => {
  const { status, json } = await ask('POST', '/things/a%2Fb', '{"thing": "other", "deep": {"count": 3}}');
  expect(status).toBe(200);
  expect(json).toEqual({ thing: 'a/b', deep: { count: 3 } });
});

test.each<[string, string, string, string | Uint8Array | undefined, Record<string, string>, number, string]>([
  ['no JSON', 'POST', '/things/a', '{"deep": ', {}, 400, 'malformed'],
  ['no UTF-8', 'POST', '/things/a', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'malformed'],
  [
    'another type',
    'POST',
    '/things/a',
    'a=b',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  ['a wrong field', 'POST', '/things/a', '{"deep": {"count": "3"}}', {}, 422, 'invalid'],
  ['a list', 'POST', '/things/a', '[]', {}, 422, 'invalid'],
  ['no body', 'POST', '/things/a', undefined, {}, 422, 'invalid'],
  ['a wrong query', 'GET', '/things?limit=6', undefined, {}, 422, 'invalid'],
  ['another method', 'DELETE', '/things', undefined, {}, 405, 'method_not_allowed'],
  ['no route', 'GET', '/nothing', undefined, {}, 404, 'not_found'],
  ['a refusal', 'GET', '/refused', undefined, {}, 404, 'unknown_turn'],
  ['no bearer', 'GET', '/things', undefined, { authorization: '' }, 401, 'unauthorized'],
  ['no bearer and no route', 'GET', '/nothing', undefined, { authorization: '' }, 401, 'unauthorized'],
  ['a foreign page', 'GET', '/things', undefined, { origin: 'https://evil.example' }, 403, 'foreign_origin'],
])('%s is a problem', async (_name, method, path, body, headers, status, code) => {
  const answer = await ask(method, path, body, headers);
  expect(answer.status).toBe(status);
  expect(answer.type).toBe('application/problem+json');
  expect(answer.json).toMatchObject({ status, code });
  expect(answer.json['detail']).toMatch(/\.$/);
});

test('a schema problem names the field', async () => {
  const { json } = await ask('POST', '/things/a', '{"deep": {"count": "3"}}');
  expect(json['detail']).toContain('"deep.count"');
});

test('405 says what is allowed', async () => {
  expect((await ask('DELETE', '/things')).headers.get('allow')).toBe('GET');
});

test('HEAD opens nothing', async () => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await fetch(`${listener.address}/v1/things?limit=1`, { method: 'HEAD', headers })).status).toBe(
    405,
  );
});

test('a body of 5 MB is refused, and its sender reads so', async () => {
  const { status, json } = await ask('POST', '/things/a', JSON.stringify({ text: 'x'.repeat(5_000_000) }));
  expect(status).toBe(413);
  expect(json['code']).toBe('too_large');
});

test('what breaks inside stays inside', async () => {
  const { status, json, text } = await ask('GET', '/broken');
  expect(status).toBe(500);
  expect(json['code']).toBe('internal');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('    at ');
  expect(logged.join('\n')).toContain('http.test.ts');
  expect(logged.join('\n')).not.toContain(SECRET);
});

test('while it stops, nothing is begun', async () => {
  stopping = true;
  try {
    expect(await ask('GET', '/things?limit=1')).toMatchObject({ status: 503, json: { code: 'stopping' } });
  } finally {
    stopping = false;
  }
});

test('a port in use is told', async () => {
  await expect(listen(listener.port, () => () => new Response())).rejects.toMatchObject({
    code: 'port_in_use',
  });
});
