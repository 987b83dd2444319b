import { SimClock } from '@hearth/store/sim-clock.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimit, RateLimits } from './rate-limit.ts';

test('so many at once, then one each time the while has passed', () => {
  const clock = new SimClock();
  const limit = new RateLimit(clock, { burst: 3, everyMs: 1000 });
  expect([limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 0]);
  expect(limit.take()).toBe(1000);
  clock.advance(400);
  expect([limit.wait(), limit.take()]).toEqual([600, 600]);
  clock.advance(600);
  expect([limit.take(), limit.take()]).toEqual([0, 1000]);
});

test('looking counts nothing, and rest fills it only up to the burst', () => {
  const clock = new SimClock();
  const limit = new RateLimit(clock, { burst: 2, everyMs: 10 });
  for (let look = 0; look < 9; look += 1) expect(limit.wait()).toBe(0);
  clock.advance(100_000);
  expect([limit.take(), limit.take(), limit.take() > 0]).toEqual([0, 0, true]);
});

test('whatever the moments, no span of time lets through more than its share', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 200 }), steps => {
      const clock = new SimClock();
      const limit = new RateLimit(clock, { burst: 5, everyMs: 100 });
      let passed = 0;
      let took = 0;
      for (const step of steps) {
        clock.advance(step);
        passed += step;
        if (limit.take() === 0) took += 1;
      }
      expect(took).toBeLessThanOrEqual(5 + passed / 100);
    }),
  );
});

test('each object has its own', () => {
  const limits = new RateLimits(new SimClock(), { burst: 1, everyMs: 10 });
  const [one, two] = [{}, {}];
  expect([limits.of(one).take(), limits.of(one).take(), limits.of(two).take()]).toEqual([0, 10, 0]);
});
