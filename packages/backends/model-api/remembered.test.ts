import { describe, expect, test } from 'vitest';
import type { Entry, Line } from './line.ts';
import { cutOf, dropped, isFull, remembered } from './remembered.ts';
import { told } from './told.ts';

const words = (text: string): Line => ({ line: 'words', text });
const turn = (effect: string): Line => ({ line: 'turn', effect });
const step = (text: string, tokens?: number): Line => {
  const counted = tokens === undefined ? {} : { tokens };
  return { line: 'step', by: 'a', model: 'm', parts: [{ is: 'text', text }], ...counted };
};
const compacted = (from: number, summary: string): Line => ({
  line: 'compacted',
  summary,
  from,
  kept: 1,
  dropped: 1,
});
const placed = (...lines: readonly Line[]): Entry[] =>
  lines.map((line, id) => ({ id, parent: id === 0 ? null : id - 1, ...line }));
const textsOf = (lines: readonly Line[]) =>
  lines.flatMap(line => (line.line === 'words' ? [line.text] : line.line === 'step' ? ['step'] : []));
const two = { threshold: null, preserveRecent: 2 };

describe('what a request is made from', () => {
  test('everything, while nothing was shortened', () => {
    const lines = placed(turn('e1'), words('one'), step('two'));
    expect(remembered(lines)).toBe(lines);
  });

  test('the latest summary, what the turn under way was asked, and what stays; all else is gone', () => {
    const lines = placed(
      turn('e1'),
      words('old'),
      step('did'),
      turn('e2'),
      words('asked'),
      step('looked'),
      step('again'),
      compacted(6, 'first'),
      step('more'),
      compacted(8, 'second'),
      step('last'),
    );
    const [head, ...rest] = textsOf(remembered(lines));
    expect(head).toMatch(/^\[hearth\] .*summary[^]*second$/);
    expect(rest).toEqual(['asked', 'step', 'step']);
    expect(textsOf(remembered(lines.slice(0, 9)))).toEqual([
      expect.stringContaining('first'),
      'asked',
      'step',
      'step',
    ]);
  });
});

describe('where a session is cut', () => {
  const lines = placed(turn('e1'), words('a'.repeat(100)), step('b'), words('c'), step('d'));
  test('so many of the latest messages stay', () => {
    expect(cutOf(lines, two, false)).toEqual({ from: 3, kept: 2, dropped: 2 });
  });
  test('nowhere, when all of it stays, or nearly all of what it holds', () => {
    expect(cutOf(lines, undefined, false)).toBeNull();
    expect(cutOf(placed(words('a'), words('b'), step('c'.repeat(500))), two, false)).toBeNull();
  });
  test('in half at least, when it was refused; but the last message stays', () => {
    expect(cutOf(lines, undefined, true)).toEqual({ from: 3, kept: 2, dropped: 2 });
    expect(cutOf(placed(turn('e1'), words('a')), undefined, true)).toBeNull();
  });
  test('a second summary is made of the first and of what goes now', () => {
    const again = placed(...lines, compacted(3, 'first'), step('e'.repeat(20)), step('f'));
    const cut = cutOf(again, two, false);
    expect(cut).toEqual({ from: 6, kept: 2, dropped: 2 });
    expect(cut && textsOf(dropped(again, cut))).toEqual([expect.stringContaining('first'), 'c', 'step']);
  });
});

describe('when a session is full', () => {
  test('by what the provider counted, with what came since, against the part that is wanted', () => {
    const lines = placed(words('a'), step('b', 700), words('c'.repeat(400)));
    expect(isFull(lines, undefined, 1000)).toBe(false);
    expect(isFull(lines, { threshold: 0.79, preserveRecent: null }, 1000)).toBe(true);
    expect(isFull(placed(...lines, words('d'.repeat(8))), undefined, 1000)).toBe(true);
  });
  test('never, when the window is unknown; and not by what was counted before it was shortened', () => {
    const lines = placed(words('a'), step('b', 900));
    expect(isFull(lines, undefined, null)).toBe(false);
    expect(isFull(lines, undefined, 1000)).toBe(true);
    expect(isFull(placed(...lines, compacted(1, 's')), undefined, 1000)).toBe(false);
  });
});

test('a record is bounded, keeps its beginning and its end, and says what is left out', () => {
  const text = told([words('first'), words('x'.repeat(5000)), words('last')], 400);
  expect(text).toMatch(/^Person: first[^]*\[… \d+ characters are left out …\][^]*Person: last$/);
  expect(text.length).toBeLessThan(500);
});
