import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerOn, type Fetch } from './answering.ts';
import { type Listener, listen } from './listener.ts';
import { PlainResponse } from './plain-response.ts';
import { jsonResponse } from './route.ts';

/* Requests that come on a connection, and the answers on it. */

let listener: Listener;
const cancelled = Promise.withResolvers<void>();
const unread = Promise.withResolvers<void>();
/** The request that waits until its client has left. */
const waiting = Promise.withResolvers<void>();

beforeAll(async () => {
  listener = await listen(0, () => async (asked, { outgoing }) => {
    const { url, headers } = asked;
    const { pathname } = new URL(url);
    if (pathname === '/endless') {
      const start = (to: ReadableStreamDefaultController): void =>
        to.enqueue(new TextEncoder().encode('first'));
      return new Response(new ReadableStream({ start, cancel: () => cancelled.resolve() }));
    }
    if (pathname === '/late') {
      waiting.resolve();
      await once(outgoing, 'close');
      expect(asked.signal.aborted).toBe(true);
      return new Response(new ReadableStream({ cancel: () => unread.resolve() }));
    }
    const answer = jsonResponse({ pathname, said: headers.get('Authorization') });
    if (pathname === '/changed') answer.headers.set('x-more', 'yes');
    return answer;
  });
});

afterAll(async () => {
  const closed = listener.close();
  listener.cut();
  await closed;
});

/** What comes back for these lines. */
function raw(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1', () =>
      socket.write([...lines, 'host: 127.0.0.1', 'connection: close', '', ''].join('\r\n')),
    );
    let told = '';
    socket.on('data', bytes => (told += bytes.toString()));
    socket.on('end', () => resolve(told)).on('error', reject);
  });
}

test('whoever leaves a stream ends what is sent to it', async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${listener.address}/endless`, { signal: leaving.signal });
  const { value } = (await answer.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toBe('first');
  leaving.abort();
  await cancelled.promise;
});

test('whoever has left before the answer is there is sent none of it', async () => {
  const leaving = new AbortController();
  const answer = fetch(`${listener.address}/late`, { signal: leaving.signal });
  await waiting.promise;
  leaving.abort();
  await expect(answer).rejects.toThrow('abort');
  await unread.promise;
});

test.each(['GET \\evil HTTP/1.1', 'GET /a\\b HTTP/1.1', 'GET evil HTTP/1.1'])('%s is refused', async line => {
  expect(await raw(line)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['/a\\b', '*', 'ftp://127.0.0.1/'])('%s is told to be no address of a service', async target => {
  const answer = await raw(`OPTIONS ${target} HTTP/1.1`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*application\/problem\+json[^]*"code":"malformed"/);
});

test('a path is told without its detours, and a host in the target is not taken for ours', async () => {
  expect(await raw('GET /v1/../page?x=1 HTTP/1.1')).toContain('"pathname":"/page"');
  expect(await raw('GET http://evil.example/page HTTP/1.1')).toContain('"pathname":"/page"');
});

test('headers of one name are seen all, so that a second one hides behind none', async () => {
  const told = await raw('GET / HTTP/1.1', 'authorization: Bearer a', 'authorization: Bearer b');
  expect(told).toContain('"said":"Bearer a, Bearer b"');
});

test('a body that nobody reads keeps nobody from the next answer', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: unknown[] = [];
  for (const body of ['x'.repeat(1_000_000), 'y']) {
    statuses.push(
      await new Promise((resolve, reject) => {
        const asking = request(listener.address, { agent, method: 'POST' }, answer => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        });
        asking.on('error', reject).end(body);
      }),
    );
  }
  agent.destroy();
  expect(statuses).toEqual([200, 200]);
});

test('a body that goes on and on is read no further than its bound, and its connection ended once', async () => {
  const warnings: string[] = [];
  const warned = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', warned);
  const partly: Fetch = async ({ body }) => {
    for await (const _ of body ?? []) break;
    return jsonResponse({});
  };
  const server = createServer((incoming, outgoing) => void answerOn(partly, incoming, outgoing, 1000));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = new Promise(resolve => socket.on('error', () => undefined).once('close', resolve));
  let told = '';
  socket.on('data', bytes => (told += String(bytes)));
  // Many pieces that come in one moment.
  const piece = '10\r\nsixteen letters.\r\n'.repeat(1000);
  socket.write(`POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n${piece}`);
  await expect.poll(() => told).toContain('{}');
  socket.write(piece);
  await closed;
  server.close();
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('an answer is sent as it is, also when a header was added', async () => {
  const plain = jsonResponse({ a: 'é' });
  expect(plain instanceof PlainResponse ? plain.plain : null).toMatchObject({ content: '{"a":"é"}' });
  const answer = await fetch(`${listener.address}/changed`);
  expect([answer.status, answer.headers.get('x-more')]).toEqual([200, 'yes']);
  expect(await answer.json()).toEqual({ pathname: '/changed', said: null });
});

test('a connection ends with its last answer once no more are taken, however long its client would keep it', async () => {
  const agent = new Agent({ keepAlive: true });
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const other = await listen(0, () => async () => {
    asked.resolve();
    await go.promise;
    return jsonResponse({ last: true });
  });
  const told = new Promise((resolve, reject) => {
    const asking = request(other.address, { agent }, answer => {
      let text = '';
      answer.on('data', bytes => (text += String(bytes))).on('end', () => resolve(text));
    });
    asking.on('error', reject).end();
  });
  await asked.promise;
  const closed = other.close();
  other.closeIdle();
  go.resolve();
  expect(await told).toBe('{"last":true}');
  await closed;
  agent.destroy();
});
