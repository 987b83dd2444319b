import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Watchdog } from './watchdog.ts';

async function after(clock: SimClock, watchdog: Watchdog, ms: number): Promise<string> {
  for (let passed = 0; passed < ms; passed += 5000) clock.advance(5000);
  return await Promise.race([
    watchdog.silent,
    new Promise<string>(resolve => setImmediate(() => resolve('-'))),
  ]);
}

test('a program that says nothing at all is cold, long before it would be quiet', async () => {
  const clock = new SimClock();
  const watchdog = new Watchdog(clock, { quietMs: 300_000 });
  expect(await after(clock, watchdog, 85_000)).toBe('-');
  expect(await after(clock, watchdog, 10_000)).toBe('cold');
});

test('each word begins the silence anew', async () => {
  const clock = new SimClock();
  const watchdog = new Watchdog(clock, { quietMs: 300_000 });
  for (let minute = 0; minute < 20; minute += 1) {
    watchdog.heard();
    expect(await after(clock, watchdog, 60_000)).toBe('-');
  }
  expect(await after(clock, watchdog, 300_000)).toBe('quiet');
});

test('a tool may work for as long as it likes', async () => {
  const clock = new SimClock();
  const watchdog = new Watchdog(clock, { quietMs: 60_000 });
  watchdog.begin('call-1');
  expect(await after(clock, watchdog, 3_600_000)).toBe('-');
  watchdog.end('call-1');
  expect(await after(clock, watchdog, 65_000)).toBe('quiet');
});

test('one that is stopped watches no more', async () => {
  const clock = new SimClock();
  const watchdog = new Watchdog(clock, { quietMs: 60_000 });
  watchdog.stop();
  watchdog.heard();
  expect(await after(clock, watchdog, 600_000)).toBe('-');
});
