import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { RunList, RunSummary, RunTracePage } from '@hearth/protocol/run.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsOf } from './runs.ts';
import { reportOf } from './run-report.ts';
import { costText, timeText } from '@hearth/client/spend-text.ts';
import { typed } from './testing/typed.ts';

/* `hearth runs`, against a real service with the rehearsal, and the report by itself. */

describe('the commands of runs', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-runs-')));
  const hearth = (...words: string[]) =>
    typed(words, base, '', { ...process.env, HEARTH_HOME: join(base, 'home') });
  let c: string;
  beforeAll(async () => {
    c = (await hearth('new', '--bot', 'hello', '--title', 'Talk')).out.trim();
  });
  afterAll(async () => {
    await hearth('stop');
    rmSync(base, { recursive: true, force: true });
  });

  test('say that nothing ran yet, and refuse what names nothing', async () => {
    expect(await hearth('runs', 'list', '-c', c)).toMatchObject({
      code: 0,
      out: 'No run has begun here yet.\n',
    });
    const none = await hearth('runs', 'report', '-c', c);
    expect([none.code, none.err]).toEqual([EXIT.failed, expect.stringContaining('No run has begun')]);
    expect((await hearth('runs', 'show', 'seven', '-c', c)).code).toBe(EXIT.usage);
    expect((await hearth('runs')).err).toContain('needs a command');
  });

  test('list, show, trace and report tell of a turn, and all of it is there as JSON', async () => {
    await hearth('send', 'Good day | to you', '-c', c);
    expect((await hearth('runs', 'list', '-c', c)).out).toMatch(/^r1 .*1 turn /);
    const list = RunList.parse(JSON.parse((await hearth('runs', 'list', '-c', c, '--json')).out));
    expect(list.runs).toMatchObject([{ run: 'r1', turns: 1 }]);
    const shown = RunSummary.parse(JSON.parse((await hearth('runs', 'show', '-c', c, '--json')).out));
    expect(shown).toEqual(list.runs[0]);
    expect((await hearth('runs', 'show', 'r1', '-c', c)).out).toContain('node');
    const trace = RunTracePage.parse(JSON.parse((await hearth('runs', 'trace', '-c', c, '--json')).out));
    const lines = (await hearth('runs', 'trace', '-c', c)).out.trim().split('\n');
    expect(lines).toHaveLength(trace.steps.length);
    const report = (await hearth('runs', 'report', '-c', c)).out;
    expect(report).toContain('# Run r1 of "Talk"');
    expect(report).toContain('> Good day | to you');
    expect(report).toContain('## What ran');
  });

  test('operate the run under way, and a refusal is exit code 1 with what to do', async () => {
    const paused = await hearth('runs', 'pause', '-c', c);
    expect([paused.code, paused.err]).toEqual([EXIT.failed, expect.stringContaining('waits for you')]);
    const resumed = await hearth('runs', 'resume', '-c', c);
    expect([resumed.code, resumed.err]).toEqual([EXIT.failed, expect.stringContaining('nothing to resume')]);
    expect((await hearth('runs', 'raise', 'burst', 'duration', 'soon', '-c', c)).code).toBe(EXIT.usage);
    expect((await hearth('runs', 'raise', 'weekly', 'cost', '3', '-c', c)).code).toBe(EXIT.usage);
    expect(await hearth('runs', 'cancel', 'r1', '-c', c)).toMatchObject({ code: 0 });
    expect((await hearth('runs', 'list', '-c', c)).out).toContain('cancelled (CANCELLED)');
    expect((await hearth('runs', 'cancel', 'r1', '-c', c)).err).toContain('has ended');
  });
});

describe('figures in words', () => {
  test.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [12_340, '12.3 s'],
    [245_000, '4 min 5 s'],
    [7_380_000, '2 h 3 min'],
  ])('%i milliseconds are %s', (ms, text) => expect(timeText(ms)).toBe(text));

  test.each([
    [{ costUsd: 0, unpriced: 0 }, '$0.00'],
    [{ costUsd: 0.0123, unpriced: 0 }, '$0.0123'],
    [{ costUsd: 2.5, unpriced: 3 }, '$2.50 and 3 steps of unknown cost'],
    [{ costUsd: null, unpriced: 1 }, 'cost not known'],
  ])('%j is %s', (spend, text) => expect(costText(spend)).toBe(text));
});

test('a report is one of its own words: nothing that was said or named can be a part of its form', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const ada = { kind: 'person', name: 'a|d*a', surface: 'cli' } as const;
  const report = reportOf({
    title: '# not a heading',
    bot: 'hello',
    summary: {
      run: 'r1',
      status: 'failed',
      code: 'FAIL_NODE',
      plan: null,
      startedAt: at,
      endedAt: at,
      dropped: 2,
      turns: 1,
      pauses: 1,
      spend: NO_SPEND,
      nodes: [{ node: 'a|b', runs: 2, failed: 1, spend: NO_SPEND }],
      tools: [{ name: 'look', calls: 3 }],
    },
    said: [{ turn: 't1', by: 'ada', text: '# mine\n- item' }],
    steps: [
      { n: 1, at, is: 'node', node: 'a', iteration: 0, change: 'ended', to: 'b', loop: 'l' },
      { n: 2, at, is: 'node', node: 'a', iteration: 1, change: 'ended', to: 'b', loop: 'l' },
      { n: 3, at, is: 'pause', pause: 'p1', kind: 'recovery', node: 'a', cause: 'failed', code: 'auth' },
      { n: 4, at, is: 'answer', pause: 'p1', how: 'answered', by: ada, choice: 'again' },
      { n: 4, at, is: 'pause', pause: 'p2', kind: 'chat', node: 'home' },
      { n: 5, at, is: 'effect', effect: 'e1', node: 'a', change: 'failed', code: 'auth' },
      {
        n: 5,
        at,
        is: 'node',
        node: 'all',
        iteration: 0,
        change: 'ended',
        forks: [{ to: 'b' }, { to: 'c|d' }],
      },
      { n: 6, at, is: 'artifact', artifact: 'plan', version: 2, change: 'confirmed' },
    ],
  });
  const headings = report.split('\n').filter(line => line.startsWith('#'));
  expect(headings.map(line => line.replace(/^#+ /, ''))).toEqual([
    'Run r1 of "\\# not a heading"',
    'What was asked',
    'What ran',
    'Ways taken',
    'Pauses',
    'Artifacts',
    'Failures',
  ]);
  expect(report).toContain('> # mine\n> - item');
  expect(report).toContain('| a\\|b | 2 | 1 |');
  expect(report).toContain('- a → b (loop l): 2 times');
  expect(report).toContain('- all → b\n- all → c\\|d');
  expect(report).toContain('p1, recovery (failed) at a');
  expect(report).toContain('answered by a\\|d\\*a: again');
  expect(report).not.toContain('p2');
  expect(report).toContain('and not counted: 2');
});

test.each<[object, string]>([
  [{}, 'all ended'],
  [{ to: 'b', loop: 'l' }, 'all ended -> b (l)'],
  [{ forks: [{ to: 'b' }, { to: 'c', loop: 'l' }] }, 'all ended -> b, c (l)'],
])('a step tells every way on which it went: %o', (ways, words) => {
  const at = '2026-01-01T00:00:00.000Z';
  expect(wordsOf({ n: 1, at, is: 'node', node: 'all', iteration: 0, change: 'ended', ...ways })).toBe(words);
});
