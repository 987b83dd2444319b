import type { Commit } from '@hearth/engine/commit.ts';
import type { RunId } from '@hearth/protocol/ids.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';

import { describe, expect, it } from 'vitest';
import { textOfFile } from './testing/sample-home.ts';
import { stepsOf } from './run-steps.ts';
import { Traces, TRACE_LIMIT, TRACES_KEPT } from './trace.ts';

const at = '2026-01-01T00:00:00.000Z';
const plan = `sha256:${'0'.repeat(64)}` as const;
const started = (n: number, run: RunId): Commit => ({
  n,
  fence: 1,
  at,
  entries: [{ at, is: 'unsent', message: 'm1', by: { kind: 'person', name: 'ada', surface: 'test' } }],
  events: [{ v: 1, seq: n, at, run, type: 'run', change: 'started', plan }],
  words: [],
});
const quiet = (n: number, detail = ''): Commit => ({
  n,
  fence: 1,
  at,
  entries: [{ at, is: 'damaged', detail }],
  events: [],
  words: [],
});
/** An effect with a long output, so many nodes, and the end of the run. */
const large = (n: number, nodes: number): Commit => ({
  n,
  fence: 1,
  at,
  entries: [
    {
      at,
      is: 'ended',
      effect: 'e1',
      outcome: { is: 'done', output: { text: 'x'.repeat(300_000) } },
      spend: NO_SPEND,
    },
  ],
  events: [
    ...Array.from({ length: nodes }, (_, index) => ({
      v: 1 as const,
      seq: index + 1,
      at,
      run: 'r1' as const,
      type: 'node' as const,
      node: 'one',
      iteration: index,
      change: 'started' as const,
    })),
    { v: 1, seq: nodes + 1, at, run: 'r1', type: 'run', change: 'ended', plan, reason: 'done' },
  ],
  words: [],
});
const numbers = async (traces: Traces, run: RunId): Promise<readonly number[] | undefined> =>
  (await traces.read(run))?.lines.map(line => line.n);

describe('the trace of a run', () => {
  it('holds its commits across snapshots, and those that only the journal has', async () => {
    const traces = new Traces(new SimDisk(), '/traces', null, [started(1, 'r1')]);
    traces.push(quiet(2));
    await traces.keep();
    traces.push(quiet(3));
    expect(await numbers(traces, 'r1')).toEqual([1, 2, 3]);
    traces.push(started(4, 'r2'));
    await traces.keep();
    expect(await traces.runs()).toEqual(['r1', 'r2']);
    expect(await numbers(traces, 'r1')).toEqual([1, 2, 3]);
    expect(await numbers(traces, 'r2')).toEqual([4]);
    expect(await traces.read('r3')).toBeNull();
  });

  it('misses nothing that is read, or comes, while a snapshot is being made', async () => {
    const traces = new Traces(new SimDisk(), '/traces', null, [started(1, 'r1')]);
    await traces.keep();
    traces.push(quiet(2));
    // Each reading begins one step later in the writing.
    const kept = traces.keep();
    const readings = [];
    for (let step = 0; step < 30; step += 1) {
      readings.push(numbers(traces, 'r1'), traces.runs());
      if (step === 0) traces.push(quiet(3));
      await Promise.resolve();
    }
    await kept;
    for (const reading of await Promise.all(readings)) {
      expect(typeof reading?.[0] === 'string' ? reading : reading?.slice(0, 2)).toEqual(
        typeof reading?.[0] === 'string' ? ['r1'] : [1, 2],
      );
    }
    expect(await numbers(traces, 'r1')).toEqual([1, 2, 3]);
  });

  it('takes a commit once that a crash left in the journal as well', async () => {
    const disk = new SimDisk();
    const commits = [started(1, 'r1'), quiet(2)];
    await new Traces(disk, '/traces', null, commits).keep();
    const again = new Traces(disk, '/traces', null, commits);
    again.push(quiet(3));
    expect(await numbers(again, 'r1')).toEqual([1, 2, 3]);
    await again.keep();
    expect(await numbers(again, 'r1')).toEqual([1, 2, 3]);
  });

  it('goes on after a line that was torn', async () => {
    const disk = new SimDisk();
    await new Traces(disk, '/traces', null, [started(1, 'r1'), quiet(2)]).keep();
    const text = await textOfFile(disk, '/traces/r1.jsonl');
    await disk.write('/traces/r1.jsonl', new TextEncoder().encode(text.slice(0, -20)));
    const after = new Traces(disk, '/traces', 'r1', [quiet(3)]);
    await after.keep();
    expect(await numbers(after, 'r1')).toEqual([1, 3]);
  });

  it('is bounded, and counts what went', async () => {
    const disk = new SimDisk();
    const traces = new Traces(disk, '/traces', null, [started(1, 'r1')]);
    for (let n = 2; n <= 60; n += 1) {
      traces.push(quiet(n, 'x'.repeat(100_000)));
      await traces.keep();
      expect((await disk.stat('/traces/r1.jsonl'))?.bytes).toBeLessThanOrEqual(TRACE_LIMIT);
    }
    const trace = await traces.read('r1');
    expect(trace?.lines.at(-1)?.n).toBe(60);
    expect(trace?.dropped).toBe((trace?.lines[0]?.n ?? 0) - 1);
    expect(trace?.dropped).toBeGreaterThan(30);
  });

  it('keeps the place of a commit that is too large', async () => {
    const traces = new Traces(new SimDisk(), '/traces', 'r1', [quiet(1, 'x'.repeat(300_000))]);
    await traces.keep();
    expect((await traces.read('r1'))?.lines).toMatchObject([{ n: 1, entries: [], events: [], cut: 300_124 }]);
  });

  it('keeps of it how it went, without what it gave', async () => {
    const traces = new Traces(new SimDisk(), '/traces', 'r1', [large(1, 2)]);
    await traces.keep();
    const trace = await traces.read('r1');
    const steps = stepsOf(trace?.lines ?? []);
    expect(steps.map(step => [step.is, 'change' in step ? step.change : ''])).toEqual([
      ['effect', 'done'],
      ['node', 'started'],
      ['node', 'started'],
      ['run', 'ended'],
    ]);
    expect(trace?.lines[0]).not.toHaveProperty('thin');
  });

  it('keeps of one with too many steps how it ended, and says so', async () => {
    const disk = new SimDisk();
    const traces = new Traces(disk, '/traces', 'r1', [large(1, 5000)]);
    await traces.keep();
    const trace = await traces.read('r1');
    expect(stepsOf(trace?.lines ?? [])).toMatchObject([{ is: 'run', change: 'ended', reason: 'done' }]);
    expect(trace?.lines[0]?.thin).toBe(true);
  });

  it('is kept of the latest runs', async () => {
    const traces = new Traces(new SimDisk(), '/traces', null, []);
    for (let n = 1; n <= TRACES_KEPT + 3; n += 1) {
      traces.push(started(n, `r${n}`));
      await traces.keep();
    }
    expect(await traces.runs()).toEqual(Array.from({ length: TRACES_KEPT }, (_, index) => `r${index + 4}`));
  });

  it('fails nobody when the disk takes nothing', async () => {
    const disk = new SimDisk();
    disk.append = () => Promise.reject(new Error('full'));
    const traces = new Traces(disk, '/traces', null, [started(1, 'r1')]);
    await traces.keep();
    traces.push(quiet(2));
    expect(await numbers(traces, 'r1')).toEqual([2]);
  });
});
