import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HearthClient } from './http.ts';
import { HearthProblem } from './problem.ts';
import { eager, TestService } from './testing/service.ts';
import { CONVERSATION, PERSON } from './testing/world.ts';

let service: TestService;
beforeEach(async () => {
  service = await TestService.start();
});
afterEach(() => service.stop());

async function problemOf(call: Promise<unknown>): Promise<HearthProblem> {
  const caught = await call.catch((error: unknown) => error);
  expect(caught).toBeInstanceOf(HearthProblem);
  return caught as HearthProblem;
}

describe('a write', () => {
  it('carries its command id and who asks', async () => {
    await service
      .client()
      .send(CONVERSATION, { text: 'hello', delivery: 'steer', workspace: '/src', expects: 3 });
    expect(service.received).toMatchObject([
      {
        method: 'POST',
        path: `/conversations/${CONVERSATION}/messages`,
        body: { text: 'hello', delivery: 'steer', workspace: '/src', expects: 3, actor: PERSON },
      },
    ]);
  });

  it('that got no answer is sent again under the same id and happens once', async () => {
    service.swallow = 2;
    const reply = await service.client().send(CONVERSATION, { text: 'hello', delivery: 'queue' });
    expect(reply).toMatchObject({ replayed: true, receipt: { did: { message: 'm1' } } });
    expect(service.received).toHaveLength(1);
    expect(service.world.log.filter(({ event }) => event.type === 'message')).toHaveLength(1);
  });

  it('that costs something each time is sent once, and waited for longer', async () => {
    const [waits, arrived]: [number[], string[]] = [[], []];
    const client = new HearthClient({
      address: 'http://127.0.0.1:9',
      token: 'secret',
      surface: 'test',
      name: 'ada',
      newCommandId: () => 'command-00000001',
      timers: { now: () => 0, after: ms => (waits.push(ms), () => undefined) },
      fetch: url => (arrived.push(url), Promise.reject(new Error('gone'))),
    });
    expect((await problemOf(client.testModel('auto'))).code).toBe('unreachable');
    expect(arrived).toEqual(['http://127.0.0.1:9/v1/models/test']);
    expect(waits).toEqual([150_000]);
  });

  it('is given up when nobody ever answers, and can be made later under the same id', async () => {
    service.swallow = 99;
    const client = service.client();
    const commandId = client.newCommandId();
    const problem = await problemOf(
      client.send(CONVERSATION, { text: 'hello', delivery: 'queue', commandId }),
    );
    expect(problem).toMatchObject({ code: 'unreachable', status: 0 });
    service.swallow = 0;
    const reply = await client.send(CONVERSATION, { text: 'hello', delivery: 'queue', commandId });
    expect(reply.replayed).toBe(true);
  });

  it('that is refused is not sent again', async () => {
    let asked = 0;
    service.refuse = () => {
      asked++;
      return {
        status: 409,
        body: {
          type: 'about:blank',
          title: 'Refused',
          status: 409,
          code: 'closed',
          detail: 'Closed.',
          view: service.world.view(),
        },
      };
    };
    const problem = await problemOf(
      service.client().decide(CONVERSATION, 'p1', { do: 'answer', option: 'yes' }),
    );
    expect(problem).toMatchObject({
      code: 'closed',
      status: 409,
      detail: 'Closed.',
      view: { id: CONVERSATION },
    });
    expect(asked).toBe(1);
  });

  it.each([
    ['unsend', 'DELETE', '/messages/m1', (c: HearthClient) => c.unsend(CONVERSATION, 'm1')],
    ['interrupt', 'POST', '/interrupt', (c: HearthClient) => c.interrupt(CONVERSATION, 't1')],
    ['raise', 'POST', '/budget', (c: HearthClient) => c.raise(CONVERSATION, 'burst', 'cost', 2)],
    ['cancel', 'POST', '/runs/r1/cancel', (c: HearthClient) => c.operate(CONVERSATION, 'r1', 'cancel')],
    ['close', 'POST', '/close', (c: HearthClient) => c.close(CONVERSATION)],
    ['patch', 'PATCH', '', (c: HearthClient) => c.patch(CONVERSATION, { title: 'T' })],
    ['decide', 'POST', '/decisions', (c: HearthClient) => c.decide(CONVERSATION, 'p1', { do: 'cancel' })],
  ])('%s goes to its route', async (_name, method, path, call) => {
    await call(service.client());
    expect(service.received).toMatchObject([{ method, path: `/conversations/${CONVERSATION}${path}` }]);
    expect(service.received[0]?.body.commandId).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
  });
});

describe('a failed call', () => {
  it('names the code and the sentence of the service', async () => {
    const wrong = new HearthClient({
      address: service.address,
      token: 'x',
      surface: 'cli',
      name: 'a',
      newCommandId: () => '',
    });
    expect(await problemOf(wrong.status())).toMatchObject({
      code: 'unauthorized',
      status: 401,
      detail: 'The token is wrong.',
    });
  });

  it('says that nobody answers', async () => {
    const client = service.client();
    await service.stop();
    const problem = await problemOf(client.get(CONVERSATION));
    expect(problem.code).toBe('unreachable');
    expect(problem.detail).toContain(client.address);
    service = await TestService.start();
  });

  it.each([
    [200, '<html>secret</html>'],
    [200, '{"id":1}'],
    [502, '<html>secret</html>'],
  ])('shows nothing of an answer (%i %s) that it does not understand', async (status, body) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new HearthClient({
      address,
      surface: 'cli',
      name: 'a',
      newCommandId: () => '',
      timers: eager,
    });
    const problem = await problemOf(client.default());
    expect(problem.code).toBe('unreadable_answer');
    expect(problem.detail).not.toContain('secret');
    await new Promise(resolve => server.close(resolve));
  });

  it.each([
    ['a read', (c: HearthClient) => c.get(CONVERSATION)],
    ['a long text', (c: HearthClient) => c.blob(CONVERSATION, `sha256:${'0'.repeat(64)}`)],
    ['each attempt of a write', (c: HearthClient) => c.interrupt(CONVERSATION, 't1')],
  ])('gives up %s that is never answered', async (_name, call) => {
    const limits: number[] = [];
    const client = new HearthClient({
      address: service.address,
      surface: 'cli',
      name: 'a',
      newCommandId: () => 'command-0123456789',
      // Nobody answers; whoever waits is only freed by its own signal.
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
        ),
      timers: {
        now: () => 0,
        after: (ms, callback) => {
          if (ms >= 10_000) limits.push(ms);
          setImmediate(callback);
          return () => {};
        },
      },
    });
    expect(await problemOf(call(client))).toMatchObject({ code: 'unreachable', status: 0 });
    expect(new Set(limits)).toEqual(new Set([30_000]));
  });

  it('says why a long text is not there', async () => {
    service.refuse = () => ({
      status: 404,
      body: { type: 'x', title: 'x', status: 404, code: 'unknown_blob', detail: 'There is no such text.' },
    });
    expect(await problemOf(service.client().blob(CONVERSATION, `sha256:${'0'.repeat(64)}`))).toMatchObject({
      code: 'unknown_blob',
      detail: 'There is no such text.',
    });
  });

  it('ends with the reason of its signal when it was aborted', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    await expect(service.client().status({ signal: abort.signal })).rejects.toThrow('enough');
  });
});

describe('a long text', () => {
  it('is read as it is, whatever it looks like', async () => {
    service.refuse = () => ({ status: 200, body: ['a', 1] });
    expect(await service.client().blob(CONVERSATION, `sha256:${'0'.repeat(64)}`)).toBe('["a",1]');
  });
});

describe('a page', () => {
  it('keeps events of an unknown kind in their place', async () => {
    service.world.send('hello');
    const odd = { v: 1, seq: service.world.log.length + 1, at: '2026-01-01T00:00:00.000Z', type: 'hologram' };
    service.world.log.push({ cursor: `1.${odd.seq}.abcdef`, event: odd as never });
    const page = await service.client().events(CONVERSATION, null, 100);
    expect('events' in page && page.events.at(-1)).toMatchObject({
      event: { type: 'unsupported', name: 'hologram', seq: odd.seq },
    });
  });

  it('that cannot be continued is a recovery', async () => {
    service.world.send('hello');
    expect(await service.client().events(CONVERSATION, '1.99.abcdef', 100)).toMatchObject({
      code: 'cursor_ahead',
    });
  });
});
