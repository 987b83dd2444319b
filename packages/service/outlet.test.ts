import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Frame } from '@hearth/protocol/frame.ts';
import { type Clock, systemClock } from '@hearth/store/clock.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, expect, test } from 'vitest';
import { Gate } from './auth.ts';
import { createApp } from './http.ts';
import { type Listener, listen } from './listener.ts';
import { route } from './route.ts';
import { type Attach, Streams } from './sse.ts';

/* A stream on a connection: what holds of a stream holds on it, whatever the system's buffers between take in. */

const TOKEN = 'a-token-of-a-test';
const HEADERS = { authorization: `Bearer ${TOKEN}` };
const BUFFER = 256 * 1024;

const event = (seq: number, size = 100): Extract<Frame, { frame: 'event' }> => ({
  frame: 'event',
  cursor: `1.${seq}.abcdef`,
  event: { v: 1, seq, at: '', type: 'notice', code: 'x', severity: 'info', text: '.'.repeat(size) },
});

let listener: Listener | null = null;
afterEach(() => listener?.cut());

/** A served source, which is pushed from outside, and the address of its stream, which begins `after` something. */
async function source(
  limits: { buffer?: number } = {},
  after: (outgoing: ServerResponse | null) => Promise<unknown> = () => Promise.resolve(),
  clock: Clock = systemClock,
) {
  const streams = new Streams(clock, limits);
  const attached = Promise.withResolvers<void>();
  const from: { on: ((frame: Frame) => void) | null; ready: (() => Promise<void> | null) | null } = {
    on: null,
    ready: null,
  };
  const attach: Attach = (on, ready) => {
    Object.assign(from, { on, ready });
    attached.resolve();
    return Promise.resolve(() => void (from.on = null));
  };
  listener = await listen(0, port => {
    const app = createApp({
      routes: [
        route({
          method: 'GET',
          path: '/stream',
          summary: '',
          handle: async call => {
            await after(call.outgoing);
            return streams.serve(attach, '1.0.000000', call.outgoing);
          },
        }),
      ],
      gate: new Gate(TOKEN, port),
      log: { write: () => undefined, close: () => Promise.resolve() },
      stopping: () => false,
    });
    return (request, way) => app.fetch(request, { ...way });
  });
  return { streams, source: from, attached: attached.promise, address: `${listener.address}/v1/stream` };
}

/** The same, with somebody on the stream. */
async function served(limits: { buffer?: number } = {}, clock: Clock = systemClock) {
  let outgoing: ServerResponse | null = null;
  const note = (on: ServerResponse | null): Promise<void> => {
    outgoing = on;
    return Promise.resolve();
  };
  const { streams, source: from, address } = await source(limits, note, clock);
  const asked = get(address, { headers: HEADERS });
  asked.on('error', () => undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await expect.poll(() => from.on).not.toBeNull();
  return { streams, source: from, answer, outgoing: () => outgoing };
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

test.each([
  ['still reads in time gets the rest', true],
  ['reads nothing does not hold it for ever', false],
])('of what waits when a stream is cut off, whoever %s', async (_, reads) => {
  const clock = new SimClock();
  const { source, answer, outgoing } = await served({ buffer: 4 * BUFFER }, clock);
  for (let seq = 1; source.on !== null && seq < 10_000; seq += 1) {
    source.on(event(seq, 10_000));
    if (seq % 10 === 0) await new Promise(resolve => setImmediate(resolve));
  }
  clock.advance(29_000);
  expect([outgoing()?.destroyed, outgoing()?.writableFinished]).toEqual([false, false]);
  const got = reads ? await frames(answer) : [];
  clock.advance(1000);
  answer.resume().on('error', () => undefined);
  await expect.poll(() => outgoing()?.closed).toBe(true);
  expect(outgoing()?.writableFinished).toBe(reads);
  expect(got.at(-1)?.frame).toBe(reads ? 'cut' : undefined);
  expect(clock.timers).toBe(0);
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

test('whoever has left before the stream could begin costs nothing', async () => {
  const left = async (outgoing: ServerResponse | null): Promise<void> => {
    asked.destroy();
    if (outgoing !== null) await once(outgoing, 'close');
  };
  const { streams, attached, address } = await source({}, left);
  const asked = get(address, { headers: HEADERS });
  asked.on('error', () => undefined);
  await attached;
  await expect.poll(() => streams.open).toBe(0);
});
