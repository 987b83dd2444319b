import type { EventBody } from '@hearth/protocol/event.ts';
import { Event } from '@hearth/protocol/event.ts';
import { describe, expect, it } from 'vitest';
import { factOf } from './facts.ts';

const plan = `sha256:${'0'.repeat(64)}` as const;
const ref = { artifact: 'approach', version: 3, digest: plan };
const scope = { kind: 'global' } as const;

function told(body: EventBody): string | null {
  const fact = factOf(Event.parse({ v: 1, seq: 1, at: '', ...body }));
  return fact === null ? null : `${fact.severity} ${fact.code}: ${fact.text}`;
}

describe('told in one line', () => {
  it.each<[EventBody, string]>([
    [{ type: 'notice', code: 'x', severity: 'warning', text: 'Mind the gap.' }, 'warning x: Mind the gap.'],
    [
      { type: 'turn', turn: 't1', message: 'm1', change: 'failed', code: 'auth', summary: 'No key.' },
      'error auth: The turn failed: No key.',
    ],
    [
      { type: 'turn', turn: 't1', message: 'm1', change: 'cancelled' },
      'info turn_cancelled: The turn was interrupted.',
    ],
    [
      { type: 'turn', turn: 't1', message: 'm1', change: 'cancelled', code: 'STOPPED' },
      'info turn_cancelled: The turn was stopped.',
    ],
    [
      { type: 'run', run: 'r1', change: 'ended', plan, reason: 'done' },
      'info run_ended: The bot closed this run; your next message starts a fresh one.',
    ],
    [
      { type: 'session', node: 'n', backend: 'b', change: 'reseeded', reason: 'lost' },
      "warning session_reseeded: The model's own memory of this conversation was lost; it goes on from the transcript: lost",
    ],
    [
      { type: 'budget', ledger: 'burst', axis: 'cost', change: 'stopped', used: 2, limit: 2, unpriced: 0 },
      'warning budget_stopped: The burst budget for cost is used up and stopped the work (2 of 2).',
    ],
    [
      { type: 'artifact', ref, change: 'confirmed', from: [] },
      'info artifact_confirmed: approach@3 is confirmed.',
    ],
    [
      { type: 'ticket', ticket: 'HB-4', title: 'Tidy', state: 'done', change: 'closed', watched: true },
      'info ticket: HB-4 "Tidy" closed: done.',
    ],
    [
      { type: 'ticket', ticket: 'HB-4', title: 'Tidy', state: 'ready', change: 'watched', watched: true },
      'info ticket: HB-4 "Tidy" is ready; its moves are told here.',
    ],
    [
      {
        type: 'ticket',
        ticket: 'HB-4',
        title: 'Tidy',
        state: 'in_progress',
        from: 'ready',
        change: 'moved',
        watched: true,
      },
      'info ticket: HB-4 "Tidy" moved: ready → in progress.',
    ],
    [
      { type: 'conversation', change: 'renamed', title: 'T', bot: 'b', scope },
      'info renamed: This conversation is now called "T".',
    ],
    [
      { type: 'conversation', change: 'reset', title: 'T', bot: 'b', scope },
      'info reset: A fresh context begins here.',
    ],
  ])('%j', (body, line) => {
    expect(told(body)).toBe(line);
  });

  it('an event of an unknown kind', () => {
    expect(factOf({ v: 1, seq: 1, at: '', type: 'unsupported', name: 'hologram' })?.text).toContain(
      'hologram',
    );
  });
});

describe('no news', () => {
  it.each<EventBody>([
    { type: 'turn', turn: 't1', message: 'm1', change: 'started' },
    { type: 'turn', turn: 't1', message: 'm1', change: 'completed' },
    { type: 'run', run: 'r1', change: 'started', plan },
    { type: 'run', run: 'r1', change: 'ended', plan, reason: 'reset' },
    { type: 'node', node: 'n', iteration: 0, change: 'started' },
    { type: 'session', node: 'n', backend: 'b', change: 'resumed' },
    { type: 'context', node: 'n', used: 1, window: 2 },
    { type: 'conversation', change: 'created', title: 'T', bot: 'b', scope },
    { type: 'artifact', ref, change: 'published', from: [] },
    { type: 'ticket', ticket: 'HB-4', title: 'Tidy', state: 'done', change: 'closed', watched: false },
  ])('%j', body => {
    expect(told(body)).toBeNull();
  });
});
