import type { Event } from '@hearth/protocol/event.ts';
import { describe, expect, test } from 'vitest';
import { TurnMetrics, TurnSettled } from './metrics.ts';

const C = 'c_01jd0000000000000000000000';
const SPEND = { activeMs: 5, tokens: 7, costUsd: null, iterations: 1, unpriced: 1 };
const MUTATES: Readonly<Record<string, boolean>> = { board_move: true, read_file: false };
const metrics = (): TurnMetrics => new TurnMetrics(tool => MUTATES[tool] ?? null);

/** Numbers and times events; each second brings one. */
function told(...bodies: readonly object[]): Event[] {
  return bodies.map((body, index) => {
    const at = `2026-01-01T00:00:0${index}.000Z`;
    return { v: 1, seq: index + 1, at, ...body } as Event;
  });
}
const message = (id: string): object => ({
  type: 'message',
  message: id,
  by: { kind: 'person', name: 'ada', surface: 'x' },
  text: 'SENTINEL words',
  attachments: [],
});
const turn = (id: string, change: string, of: string, more: object = {}): object => ({
  type: 'turn',
  turn: id,
  change,
  message: of,
  ...more,
});
const tool = (name: string, change = 'completed'): object => ({
  type: 'tool',
  turn: 't1',
  call: 'k',
  name,
  change,
  title: 'SENTINEL',
  detail: 'SENTINEL',
});
const rows = (by: TurnMetrics, events: readonly Event[]): TurnSettled[] =>
  events.flatMap(event => by.take(C, event) ?? []);

describe('40: one row for each owned turn', () => {
  test('names and counts, no words and no arguments', () => {
    const events = told(
      message('m1'),
      turn('t1', 'started', 'm1'),
      { type: 'session', turn: 't1', node: 'chat', backend: 'rehearsal', change: 'opened' },
      { type: 'context', turn: 't1', node: 'chat', used: 10, window: 100 },
      tool('board_move', 'started'),
      tool('board_move'),
      tool('read_file', 'failed'),
      tool('read_file', 'denied'),
      turn('t1', 'completed', 'm1', { spend: SPEND, summary: 'SENTINEL' }),
    );
    const [row, ...others] = rows(metrics(), events);
    expect(others).toEqual([]);
    expect(TurnSettled.parse(row)).toEqual({
      v: 1,
      conversation: C,
      turn: 't1',
      acceptedAt: events[0]?.at,
      endedAt: events.at(-1)?.at,
      outcome: 'completed',
      code: null,
      tools: { board_move: 1, read_file: 1 },
      mutating: 1,
      spend: SPEND,
      context: { start: 10, end: 10 },
      backend: 'rehearsal',
    });
    expect(JSON.stringify(row)).not.toContain('SENTINEL');
  });

  test('none for a message that joined another turn', () => {
    const events = told(
      message('m1'),
      turn('t1', 'started', 'm1'),
      message('m2'),
      turn('t2', 'queued', 'm2'),
      turn('t2', 'absorbed', 'm2', { into: 't1' }),
      turn('t1', 'failed', 'm1', { code: 'quota' }),
    );
    expect(rows(metrics(), events)).toMatchObject([{ turn: 't1', outcome: 'failed', code: 'quota' }]);
  });

  test('what was not seen is unknown, and not zero', () => {
    const events = told(tool('read_file'), turn('t1', 'resumed', 'm1'), turn('t1', 'completed', 'm1'));
    expect(rows(metrics(), events)).toMatchObject([
      { acceptedAt: null, tools: null, mutating: null, spend: null, backend: null },
    ]);
  });

  test('a tool of which nothing is known leaves the count of changes unknown, and its name has a form', () => {
    const events = told(
      message('m1'),
      turn('t1', 'started', 'm1'),
      tool('board_move'),
      tool('words, and more of them\n'),
      turn('t1', 'completed', 'm1'),
    );
    expect(rows(metrics(), events)).toMatchObject([{ tools: { board_move: 1, other: 1 }, mutating: null }]);
  });

  test('what is told again counts once', () => {
    const by = metrics();
    const begun = told(message('m1'), turn('t1', 'started', 'm1'), tool('read_file'));
    const events = told(
      message('m1'),
      turn('t1', 'started', 'm1'),
      tool('read_file'),
      turn('t1', 'completed', 'm1'),
    );
    rows(by, begun);
    expect(rows(by, events)).toMatchObject([{ tools: { read_file: 1 }, mutating: 0 }]);
    expect(rows(by, events)).toEqual([]);
  });
});
