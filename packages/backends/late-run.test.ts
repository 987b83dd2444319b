import type { BackendEvent, BackendRun } from '@hearth/engine/backend.ts';
import { expect, test } from 'vitest';
import { LateRuns } from './late-run.ts';

/* A run whose program is still being loaded is a run to whoever started it. */

const END: BackendEvent = { type: 'stopped' };
const MESSAGE = { id: 'm1', text: 'more' } as unknown as Parameters<BackendRun['offer']>[0];

/** Notes what reaches it. */
class NotingRun implements BackendRun {
  readonly #noted: string[];
  readonly #signal: AbortSignal;
  constructor(noted: string[], signal: AbortSignal) {
    this.#noted = noted;
    this.#signal = signal;
  }
  offer({ id }: { readonly id: string }): void {
    this.#noted.push(`offer ${id}`);
  }
  interrupt(): Promise<void> {
    this.#noted.push('interrupt');
    return Promise.resolve();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    this.#noted.push(this.#signal.aborted ? 'begin aborted' : 'begin');
    await Promise.resolve();
    yield END;
  }
}

async function eventsOf(run: BackendRun): Promise<readonly BackendEvent[]> {
  const events: BackendEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

test('what is asked of a run before it is loaded reaches it, once it has begun and in that order', async () => {
  const noted: string[] = [];
  const loaded = Promise.withResolvers<(signal: AbortSignal) => BackendRun>();
  const runs = new LateRuns(() => loaded.promise);
  const stop = new AbortController();
  const run = runs.start(stop.signal);
  const events = eventsOf(run);
  run.offer(MESSAGE);
  const interrupted = run.interrupt();
  stop.abort();
  loaded.resolve(signal => new NotingRun(noted, signal));
  await interrupted;
  expect(await events).toEqual([END]);
  expect(noted).toEqual(['begin aborted', 'offer m1', 'interrupt']);
  expect(runs.start(stop.signal)).toBeInstanceOf(NotingRun);
});

test('a run that cannot be loaded has failed before anything began, and the next one is tried again', async () => {
  const noted: string[] = [];
  let loads = 0;
  const runs = new LateRuns(() => {
    loads += 1;
    return loads === 1
      ? Promise.reject(new Error('gone'))
      : Promise.resolve((signal: AbortSignal) => new NotingRun(noted, signal));
  });
  const { signal } = new AbortController();
  const failed = runs.start(signal);
  failed.offer(MESSAGE);
  await failed.interrupt();
  expect(await eventsOf(failed)).toMatchObject([{ type: 'failed', code: 'missing', began: false }]);
  expect(await eventsOf(runs.start(signal))).toEqual([END]);
  expect([loads, noted]).toEqual([2, ['begin']]);
});
