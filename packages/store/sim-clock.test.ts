import { expect, it } from 'vitest';
import { instant } from './clock.ts';
import { SimClock } from './sim-clock.ts';

it('fires timers in the order of their instants, then of their setting, each at its own', () => {
  const clock = new SimClock(0);
  const fired: string[] = [];
  const note = (name: string) => (): void => void fired.push(`${name}@${clock.now()}`);
  clock.after(30, note('late'));
  clock.after(10, note('first'));
  clock.after(10, note('second'));
  clock.after(10, () => clock.after(5, note('nested')));
  clock.after(100, note('beyond'));
  clock.advance(40);
  expect(fired).toEqual(['first@10', 'second@10', 'nested@15', 'late@30']);
  expect([clock.now(), clock.active(), clock.timers]).toEqual([40, 40, 1]);
});

it('does not fire what was cancelled, also by an earlier timer of the same instant', () => {
  const clock = new SimClock();
  const fired: string[] = [];
  let cancel = (): void => undefined;
  clock.after(10, () => cancel());
  cancel = clock.after(10, () => void fired.push('cancelled'));
  clock.after(10, () => void fired.push('kept'));
  clock.advance(10);
  cancel();
  expect(fired).toEqual(['kept']);
});

it('sleeps: the wall clock moves on, active time and timers do not', () => {
  const clock = new SimClock(Date.UTC(2026, 0, 1));
  const fired: number[] = [];
  clock.after(10, () => void fired.push(clock.active()));
  clock.suspend(60_000);
  expect([fired, clock.active(), instant(clock)]).toEqual([[], 0, '2026-01-01T00:01:00.000Z']);
  clock.advance(10);
  expect(fired).toEqual([10]);
});
