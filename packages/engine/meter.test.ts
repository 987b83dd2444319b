import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { describe, expect, it } from 'vitest';
import { ActiveTime } from './active-time.ts';
import { Meter } from './meter.ts';

const spend = (costUsd: number | null, tokens: number | null = 0) => ({ ...NO_SPEND, costUsd, tokens });

describe('a meter', () => {
  it.each([
    [
      'cumulative reports at their highest, whatever their order',
      [
        [3, true],
        [5, true],
        [4, true],
      ],
      5,
    ],
    [
      'other reports as a sum',
      [
        [3, false],
        [5, false],
      ],
      8,
    ],
    [
      'both kinds side by side',
      [
        [3, true],
        [1, false],
        [5, true],
      ],
      6,
    ],
    [
      'a report without a price as unknown beside a known one',
      [
        [null, true],
        [2, true],
        [null, true],
      ],
      2,
    ],
    [
      'nothing known as unknown',
      [
        [null, true],
        [null, true],
      ],
      null,
    ],
  ] as const)('counts %s', (_name, reports, cost) => {
    const meter = new Meter(new ActiveTime(new SimClock()));
    for (const [report, cumulative] of reports) meter.note(spend(report), cumulative);
    // What was never reported is zero; only a report can say that a price is unknown.
    expect(meter.total().costUsd).toBe(cost);
  });

  it('counts the time of effects that overlap once, and none between them', () => {
    const clock = new SimClock();
    const time = new ActiveTime(clock);
    const [a, b, c] = [new Meter(time), new Meter(time), new Meter(time)];
    a.begin();
    clock.advance(100);
    b.begin();
    clock.advance(100);
    const first = a.total();
    expect(a.total()).toEqual(first);
    clock.advance(50);
    const second = b.total();
    clock.advance(10_000);
    c.begin();
    clock.advance(7);
    expect([first, second, c.total()].map(({ activeMs }) => activeMs)).toEqual([200, 50, 7]);
  });
});
