import { Attachment, type FrameSource } from '@hearth/conversations/attachment.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Streams } from './sse.ts';

/* A consumer and the backlog that it came for: it is handed over as fast as it is taken, and no faster. */

const SIZE = 1_000;
const event = (seq: number): Extract<Frame, { frame: 'event' }> => ({
  frame: 'event',
  cursor: `1.${seq}.abcdef`,
  event: { v: 1, seq, at: '', type: 'notice', code: 'x', severity: 'info', text: '.'.repeat(SIZE) },
});
const moment = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A log of `count` events that grows when told, and tells how far it was read. */
class Log implements FrameSource {
  count: number;
  read = 0;
  readonly #listeners = new Set<(frame: Frame) => void>();
  constructor(count: number) {
    this.count = count;
  }
  page = (after: string | null, limit: number) => {
    const from = after === null ? 0 : Number(after.split('.')[1]);
    const until = Math.min(this.count, from + limit);
    const events = Array.from({ length: until - from }, (_, index) => event(from + index + 1));
    this.read = until;
    const cursor = (seq: number) => (seq === 0 ? '1.0.000000' : `1.${seq}.abcdef`);
    return Promise.resolve({ events, next: cursor(until), head: cursor(this.count), retained: cursor(0) });
  };
  subscribe = (on: (frame: Frame) => void) => {
    this.#listeners.add(on);
    return () => void this.#listeners.delete(on);
  };
  happen(): void {
    this.count += 1;
    for (const on of this.#listeners) on(event(this.count));
  }
  get listeners(): number {
    return this.#listeners.size;
  }
}

async function attached(log: Log) {
  const clock = new SimClock();
  const streams = new Streams(clock, { buffer: 20 * SIZE });
  const response = await streams.serve(
    (on, ready) => Attachment.begin(log, null, { on, ready }),
    '1.0.000000',
  );
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const read: Frame[] = [];
  /** The next frame; `null` at the end. */
  const next = async (): Promise<Frame | null> => {
    while (read.length === 0) {
      const { done, value } = await reader.read();
      if (done) return null;
      for (const [, data = ''] of decoder.decode(value).matchAll(/^data: (.*)$/gm))
        read.push(JSON.parse(data) as Frame);
    }
    return read.shift() ?? null;
  };
  return { clock, streams, next };
}

test('a backlog larger than the bound reaches whoever reads it, whole, with what happens meanwhile', async () => {
  const log = new Log(500);
  const { next } = await attached(log);
  const seqs: number[] = [];
  while (seqs.length < 520) {
    const frame = await next();
    if (frame?.frame !== 'event') throw new Error(`a frame ${frame?.frame} at ${seqs.length}`);
    seqs.push(frame.event.seq);
    if (seqs.length % 25 === 0 && log.count < 520) log.happen();
  }
  expect(seqs).toEqual(Array.from({ length: 520 }, (_, index) => index + 1));
});

test('a backlog waits for whoever does not read it, and takes no more memory than the bound', async () => {
  const log = new Log(500);
  await attached(log);
  for (let count = 0; count < 20; count += 1) await moment();
  // One page was read, and most of it is still to be handed over.
  expect(log.read).toBe(200);
  for (let count = 0; count < 100; count += 1) log.happen();
  await moment();
  expect(log.read).toBe(200);
});

test('whoever takes nothing for half a minute is cut off, and told where to resume', async () => {
  const log = new Log(500);
  const { clock, streams, next } = await attached(log);
  for (let count = 0; count < 20; count += 1) await moment();
  clock.advance(29_999);
  expect(streams.open).toBe(1);
  clock.advance(1);
  expect(streams.open).toBe(0);
  await moment();
  expect(log.listeners).toBe(0);
  let last: Frame | null = null;
  let seq = 0;
  for (let frame = await next(); frame !== null; frame = await next()) {
    last = frame;
    if (frame.frame === 'event') seq = frame.event.seq;
  }
  expect(seq).toBeGreaterThan(0);
  expect(seq).toBeLessThan(30);
  expect(last).toEqual({ frame: 'cut', code: 'consumer_too_slow', resumeFrom: `1.${seq}.abcdef` });
});

test('whoever reads a little now and then is not cut off', async () => {
  const log = new Log(200);
  const { clock, streams, next } = await attached(log);
  for (let count = 0; count < 60; count += 1) {
    for (let more = 0; more < 4; more += 1) await next();
    await moment();
    clock.advance(20_000);
  }
  expect(streams.open).toBe(1);
});
