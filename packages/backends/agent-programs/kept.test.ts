import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Kept } from './kept.ts';

test('an answer is found once while it is good, whoever asks meanwhile, and anew afterwards', async () => {
  const clock = new SimClock();
  let looks = 0;
  const kept = new Kept(clock, 1000, () => Promise.resolve((looks += 1)));
  expect(await Promise.all([kept.get(), kept.get()])).toEqual([1, 1]);
  clock.advance(999);
  expect(await kept.get()).toBe(1);
  clock.advance(1);
  expect(await kept.get()).toBe(2);
});
