import { TurnId } from '@hearth/protocol/ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Drafts, SHOWN } from './drafts.ts';

function shown(text: string): string {
  const frames: string[] = [];
  const drafts = new Drafts(new SimClock(), frame => frames.push(frame.text));
  drafts.put({ turn: TurnId.parse('t1'), node: 'nexie', sequence: 1, text });
  return frames.join('|');
}

test('shows a text as it is while it is short', () => {
  const text = 'a\n'.repeat(SHOWN / 2);
  expect(shown(text)).toBe(text);
});

test('shows the last lines of a long text, after a mark', () => {
  const line = `${'word '.repeat(19)}end\n`;
  const end = shown(line.repeat(10_000));
  expect(end.startsWith('…\nword ')).toBe(true);
  expect(end.endsWith(line)).toBe(true);
  expect(end.length).toBeLessThanOrEqual(SHOWN + 2);
});

test('cuts one long line between characters', () => {
  const end = shown(`${'🦊'.repeat(SHOWN)}x`);
  expect(end.isWellFormed()).toBe(true);
  expect(end.slice(0, 4)).toBe('…\n🦊');
});
