import { reply } from '@hearth/backends/testing/scripted/step.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { Problem } from '@hearth/protocol/problem.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../route.ts';
import { openRoutes, routes } from '../routes.ts';
import { endAll, type Served, serve } from '../testing/served.ts';
import type { LoginWiring } from '../routes/login.ts';
import type { Wiring } from '../wiring.ts';
import { ANSWERS } from './answers.ts';
import { answerOf, describe as described, problemsOf } from './description.ts';

/** The rows are read and not performed, so nothing of the wiring is asked for. */
const guarded = routes({} as Wiring);
const open = openRoutes({} as LoginWiring);
const named = ({ method, path }: Route): string => `${method} ${path}`;

test('every route has a summary, an answer, and problems; and no answer is without its route', () => {
  const all = [...guarded, ...open];
  expect(all.filter(row => !/^[A-Z].*\.$/.test(row.summary)).map(named)).toEqual([]);
  expect(all.map(named).toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
  for (const row of all) expect(problemsOf(row, true).length).toBeGreaterThan(0);
});

test('a route that writes takes a body, and every part of a path is a parameter', () => {
  const { paths } = described(guarded, open) as unknown as {
    paths: Record<
      string,
      Record<string, { requestBody?: object; parameters: { in: string; name: string }[]; responses: object }>
    >;
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody, parameters, responses }] of Object.entries(methods)) {
      expect([path, method, requestBody !== undefined]).toEqual([path, method, method !== 'get']);
      const names = parameters.filter(one => one.in === 'path').map(one => `{${one.name}}`);
      expect(names).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '403', '503']));
    }
  }
});

describe('live answers are as described', () => {
  let served: Served;
  let c: ConversationId;

  beforeAll(async () => {
    served = await serve(() => [reply('hello')]);
    c = await served.conversation();
    await served.client.send(c, { text: 'x'.repeat(100), delivery: 'queue' });
    await served.until(c, view => view.state === 'idle' && view.turn === null);
    await served.client.addTicket(served.home, { title: 'A ticket' });
    await served.client.close(await served.conversation());
  });
  afterAll(endAll);

  const parts = (path: string): string =>
    path
      .replace(':c', c)
      .replace(':ticket', 'HB-1')
      .replace(':digest', '0'.repeat(64))
      .replace(':t', 'nothing');
  const queried = (path: string): string =>
    path.startsWith('/board') ? `${parts(path)}?workspace=${encodeURIComponent(served.home)}` : parts(path);

  test.each(guarded.filter(row => row.method === 'GET').map(row => [named(row), row] as const))(
    '%s',
    async (_, row) => {
      const controller = new AbortController();
      const answer = await served.fetch(`/v1${queried(row.path)}`, { signal: controller.signal });
      const type = answer.headers.get('content-type') ?? '';
      const known = answerOf(row);
      if (answer.status !== 200) {
        const problem = Problem.parse(await answer.json());
        expect(problemsOf(row, true)).toContain(problem.code);
      } else if (typeof known?.with === 'string') {
        expect(type).toContain(known.with);
      } else {
        const parsed = known?.with[1].safeParse(await answer.json());
        expect(parsed?.error?.issues).toBeUndefined();
      }
      controller.abort();
    },
  );

  test.each(guarded.filter(row => row.method !== 'GET').map(row => [named(row), row] as const))(
    '%s refuses an empty body as described, or does what it can without one',
    async (_, row) => {
      if (row.path === '/stop' || row.path === '/token/rotate') return;
      const answer = await served.fetch(`/v1${queried(row.path)}`, {
        method: row.method,
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      const body: unknown = await answer.json();
      if (answer.status === 200) return;
      const { code, status } = Problem.parse(body);
      expect([answer.status, problemsOf(row, true)]).toEqual([status, expect.arrayContaining([code])]);
    },
  );

  test('it is served, and only to whoever has authority', async () => {
    const answer = await served.fetch('/v1/openapi.json');
    expect(await answer.json()).toMatchObject({
      openapi: '3.1.0',
      paths: { '/v1/status': { get: {} }, '/login': { post: {} } },
    });
    expect((await fetch(`${served.service.address}/v1/openapi.json`)).status).toBe(401);
  });
});
