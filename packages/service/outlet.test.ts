import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Frame } from '@hearth/protocol/frame.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { afterEach, expect, test } from 'vitest';
import { Gate } from './auth.ts';
import { createApp } from './http.ts';
import { type Listener, listen } from './listener.ts';
import { route } from './route.ts';
import { type Attach, Streams } from './sse.ts';

/* A stream on a connection: what holds of a stream holds on it, whatever the system's buffers between take in. */

const TOKEN = 'a-token-of-a-test';
const BUFFER = 256 * 1024;

const event = (seq: number, size = 100): Extract<Frame, { frame: 'event' }> => ({
  frame: 'event',
  cursor: `1.${seq}.abcdef`,
  event: { v: 1, seq, at: '', type: 'notice', code: 'x', severity: 'info', text: '.'.repeat(size) },
});

let listener: Listener | null = null;
afterEach(() => listener?.cut());

/** A served source, which is pushed from outside, and a stream of it. */
async function served(limits: { buffer?: number } = {}) {
  const streams = new Streams(systemClock, limits);
  const source: { on: ((frame: Frame) => void) | null; ready: (() => Promise<void> | null) | null } = {
    on: null,
    ready: null,
  };
  const attach: Attach = (on, ready) => {
    Object.assign(source, { on, ready });
    return Promise.resolve(() => void (source.on = null));
  };
  listener = await listen(0, port => {
    const app = createApp({
      routes: [
        route({
          method: 'GET',
          path: '/stream',
          summary: '',
          handle: call => streams.serve(attach, '1.0.000000', call.outgoing),
        }),
      ],
      gate: new Gate(TOKEN, port),
      log: { write: () => undefined, close: () => Promise.resolve() },
      stopping: () => false,
    });
    return (request, way) => app.fetch(request, { ...way });
  });
  const asked = get(`${listener.address}/v1/stream`, { headers: { authorization: `Bearer ${TOKEN}` } });
  asked.on('error', () => undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await expect.poll(() => source.on).not.toBeNull();
  return { streams, source, answer };
}

async function frames(answer: IncomingMessage): Promise<Frame[]> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Frame);
}

test('what happens comes in order, as the stream that it is, and then its end', async () => {
  const { streams, source, answer } = await served();
  expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
  for (let seq = 1; seq <= 50; seq += 1) {
    source.on?.(event(seq));
    if (seq % 7 === 0) await new Promise(resolve => setImmediate(resolve));
  }
  streams.end();
  const got = await frames(answer);
  expect(got.map(one => (one.frame === 'event' ? one.event.seq : one.frame))).toEqual([
    ...Array.from({ length: 50 }, (_, at) => at + 1),
    'cut',
  ]);
});

test('whoever does not read is cut off where the bound ends, and told where to resume', async () => {
  const { streams, source, answer } = await served({ buffer: BUFFER });
  let seq = 0;
  while (source.on !== null && seq < 10_000) {
    source.on(event(++seq, 10_000));
    if (seq % 10 === 0) await new Promise(resolve => setImmediate(resolve));
  }
  expect(streams.open).toBe(0);
  const got = await frames(answer);
  const last = got.at(-2);
  expect(got.slice(0, -1)).toEqual(Array.from({ length: seq - 1 }, (_, at) => event(at + 1, 10_000)));
  expect(got.at(-1)).toEqual({
    frame: 'cut',
    code: 'consumer_too_slow',
    resumeFrom: last?.frame === 'event' ? last.cursor : null,
  });
});

test('a backlog that waits goes on when something was read, and is whole', async () => {
  const { streams, source, answer } = await served({ buffer: BUFFER });
  const count = 2000;
  const sending = (async () => {
    for (let seq = 1; seq <= count; seq += 1) {
      await source.ready?.();
      source.on?.(event(seq, 10_000));
    }
    streams.end();
  })();
  const got = await frames(answer);
  await sending;
  expect(got.slice(0, -1)).toEqual(Array.from({ length: count }, (_, at) => event(at + 1, 10_000)));
  expect(got.at(-1)).toMatchObject({ frame: 'cut', code: 'stopping' });
});

test('whoever leaves frees the source', async () => {
  const { streams, source, answer } = await served();
  answer.destroy();
  await expect.poll(() => source.on).toBeNull();
  expect(streams.open).toBe(0);
});
