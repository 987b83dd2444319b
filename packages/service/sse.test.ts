import type { Frame } from '@hearth/protocol/frame.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Streams } from './sse.ts';

const event = (seq: number, text: string): Frame => ({
  frame: 'event',
  cursor: `1.${seq}.abcdef`,
  event: { v: 1, seq, at: '2026-01-01T00:00:00.000Z', type: 'notice', code: 'x', severity: 'info', text },
});

/** A source that can be pushed from outside. */
class Source {
  on: ((frame: Frame) => void) | null = null;
  attach = (on: (frame: Frame) => void): Promise<() => void> => {
    this.on = on;
    return Promise.resolve(() => (this.on = null));
  };
}

async function frames(response: Response): Promise<{ id: string | null; frame: Frame }[]> {
  const text = await response.text();
  return text.split('\n\n').flatMap(block => {
    const id = /^id: (.*)$/m.exec(block)?.[1] ?? null;
    const data = /^data: (.*)$/m.exec(block)?.[1];
    return data === undefined ? [] : [{ id, frame: JSON.parse(data) as Frame }];
  });
}

test('events carry their cursor, other frames carry none', async () => {
  const source = new Source();
  const streams = new Streams(new SimClock());
  const response = await streams.serve(source.attach, '1.0.000000');
  source.on?.(event(1, 'one'));
  source.on?.({ frame: 'draft', turn: 't1', node: 'n', sequence: 1, text: 'wri' });
  streams.end();
  expect((await frames(response)).slice(0, 2)).toEqual([
    { id: '1.1.abcdef', frame: event(1, 'one') },
    { id: null, frame: { frame: 'draft', turn: 't1', node: 'n', sequence: 1, text: 'wri' } },
  ]);
});

test('the frames of one moment reach everybody who listens in one chunk, and each is written once', async () => {
  const sources = [new Source(), new Source()];
  const streams = new Streams(new SimClock());
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (const { attach } of sources)
    readers.push((await streams.serve(attach, '1.0.000000')).body!.getReader());
  let written = 0;
  const counted = (seq: number): Frame => {
    const frame = event(seq, 'one');
    return Object.assign({ ...frame }, { toJSON: () => (++written, frame) });
  };
  for (const frame of [counted(1), counted(2), counted(3)]) for (const { on } of sources) on?.(frame);
  for (const reader of readers) {
    await reader.read();
    const text = new TextDecoder().decode((await reader.read()).value);
    expect(text.match(/^id: .*$/gm)).toEqual(['id: 1.1.abcdef', 'id: 1.2.abcdef', 'id: 1.3.abcdef']);
  }
  expect(written).toBe(3);
});

test('a heartbeat comes every 15 seconds for as long as somebody listens', async () => {
  const clock = new SimClock();
  const streams = new Streams(clock);
  const response = await streams.serve(new Source().attach, '1.0.000000');
  clock.advance(14_999);
  clock.advance(1);
  clock.advance(15_000);
  streams.end();
  clock.advance(60_000);
  const got = (await frames(response)).map(({ frame }) => frame.frame);
  expect(got).toEqual(['heartbeat', 'heartbeat', 'cut']);
});

test('a slow consumer is told where to resume, and cut', async () => {
  const source = new Source();
  const streams = new Streams(new SimClock(), { buffer: 2000 });
  const response = await streams.serve(source.attach, '1.0.000000');
  for (let seq = 1; seq <= 20; seq += 1) source.on?.(event(seq, 'x'.repeat(200)));
  expect(source.on).toBeNull();
  expect(streams.open).toBe(0);
  const got = (await frames(response)).map(({ frame }) => frame);
  const cut = got.pop();
  const last = got.at(-1);
  expect(got.length).toBeGreaterThan(0);
  expect(last?.frame).toBe('event');
  expect(cut).toEqual({
    frame: 'cut',
    code: 'consumer_too_slow',
    resumeFrom: last?.frame === 'event' ? last.cursor : null,
  });
});

test('an event larger than the whole buffer still passes a consumer that keeps up', async () => {
  const source = new Source();
  const streams = new Streams(new SimClock(), { buffer: 500 });
  const response = await streams.serve(source.attach, '1.0.000000');
  source.on?.(event(1, 'x'.repeat(5000)));
  streams.end();
  const [first] = await frames(response);
  expect(first).toEqual({ id: '1.1.abcdef', frame: event(1, 'x'.repeat(5000)) });
});

test('whoever listens when the service stops is told so, and where to resume', async () => {
  const source = new Source();
  const streams = new Streams(new SimClock());
  const response = await streams.serve(source.attach, '1.0.000000');
  source.on?.(event(1, 'one'));
  streams.end();
  expect((await frames(response)).at(-1)?.frame).toEqual({
    frame: 'cut',
    code: 'stopping',
    resumeFrom: '1.1.abcdef',
  });
  expect(source.on).toBeNull();
  expect(streams.open).toBe(0);
});

test('a consumer that leaves frees its source', async () => {
  const source = new Source();
  const streams = new Streams(new SimClock());
  const response = await streams.serve(source.attach, '1.0.000000');
  await response.body?.cancel();
  expect(source.on).toBeNull();
  expect(streams.open).toBe(0);
});

test('streams beyond the bound are refused', async () => {
  const streams = new Streams(new SimClock(), { streams: 1 });
  await streams.serve(new Source().attach, '1.0.000000');
  await expect(streams.serve(new Source().attach, '1.0.000000')).rejects.toMatchObject({
    code: 'too_many_streams',
  });
});

test('a source that cannot be attached leaves nothing behind', async () => {
  const streams = new Streams(new SimClock());
  const response = await streams.serve(() => Promise.reject(new Error('no')), '1.0.000000');
  expect(await response.text()).toBe(': attached\n\n');
  expect(streams.open).toBe(0);
});
