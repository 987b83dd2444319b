import type { BackendEvent } from '@hearth/engine/backend.ts';
import { expect, test } from 'vitest';
import type { Present } from './kit.ts';
import type { Play } from './subject.ts';
import { message, type Talk } from './talk.ts';

/*
 * The end of the service, and of the program behind a backend, at each event of a turn. Nothing outlives it, nothing is run
 * twice by itself, and the session can be gone on with.
 */

const PLAYS: readonly Play[] = [
  { is: 'calls', calls: [{ name: 'close_issue', args: { id: 'HB-1' } }], text: 'I close it.' },
  { is: 'answers', reply: 'It is closed.' },
];

/** Plays the turn until as many events have come, and breaks off by `how`. Gives what came. */
async function brokenOff(one: Talk, at: number, how: () => void): Promise<readonly BackendEvent[]> {
  const words = one.arranged('calls a tool', PLAYS);
  const started = one.start(one.turn(words));
  let count = 0;
  await started.until(() => (count += 1) === at).catch(() => undefined);
  how();
  return (await started.told.catch(() => ({ events: [] }))).events;
}

/** Goes on with whatever session there is, on a new backend. */
async function resumed(one: Talk, events: readonly BackendEvent[]): Promise<void> {
  one.calls.splice(0);
  await one.stage.restart();
  const words = one.arranged('answers', [
    { is: 'answers', reply: 'I am back.' },
    { is: 'answers', reply: 'I am back.' },
  ]);
  const began = events.some(event => event.type === 'session');
  const turn = one.turn(words, {
    attempt: 2,
    ...(began
      ? { interrupted: { effect: 'e1', toolsStarted: ['close_issue'], unseen: [message(1, 'Go on.')] } }
      : { session: { mode: 'fresh' } }),
  });
  const { last } = await one.start(turn).told;
  expect(last.type).toBe('done');
  expect(one.calls.filter(call => call.name === 'close_issue')).toEqual([]);
}

export function deathTests({ talk, subject }: Present): void {
  const points = Array.from({ length: subject.deaths ?? 12 }, (_, at) => at + 1);

  test.each(points)('the service goes down at event %i, and the next one goes on', async at => {
    const one = talk();
    const events = await brokenOff(one, at, () => one.abort());
    await expect.poll(() => one.stage.processes()).toBe(0);
    await resumed(one, events);
  });

  test.each(points)('its program is killed at event %i: that is said, and can be gone on with', async at => {
    const one = talk();
    const { kill } = one.stage;
    if (kill === null) return;
    const events = await brokenOff(one, at, kill);
    const last = events.at(-1);
    if (last?.type !== 'done') expect(last).toMatchObject({ type: 'failed', code: 'crashed' });
    await resumed(one, events);
  });
}
