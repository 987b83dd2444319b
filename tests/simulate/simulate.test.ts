import { afterAll, describe, expect, it } from 'vitest';
import { removeTemps } from '../support/temp.ts';
import { simulateAll } from './seeds.ts';
import { simulate } from './simulation.ts';

/*
 * A thousand seeds of one simulation: a console, a studio and a script at one service, on a machine that loses its power,
 * fills its disk and drops its connections. What is checked stands in history.ts and judgement.ts.
 */

const STEPS = 12;

describe('the simulation', () => {
  afterAll(removeTemps);

  it.each([1, 251, 501, 751])('of 250 seeds from %i on finds nothing', { timeout: 600_000 }, async from => {
    const totals = await simulateAll(from, 250, STEPS);
    // It is worth nothing when nothing goes wrong in it.
    expect(totals.boots).toBeGreaterThan(400);
    expect(totals.turns).toBeGreaterThan(500);
    expect(totals.cuts).toBeGreaterThan(20);
    expect(totals.refusals).toBeGreaterThan(20);
    expect(totals.owing).toBeGreaterThan(5);
    expect(totals.raised).toBeGreaterThan(5);
    expect(totals.attached).toBeGreaterThan(100);
  });

  it('runs the same again for the same seed', async () => {
    for (const seed of [3, 77]) expect(await simulate(seed, 40)).toEqual(await simulate(seed, 40));
  });
});
