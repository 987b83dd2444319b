import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changesBetween } from './line-changes.ts';

const marks = { same: ' ', added: '+', removed: '-' };
const drawn = (before: string, after: string): string[] =>
  changesBetween(1, before, after).lines.map(line =>
    line.is === 'left' ? `(${line.lines})` : `${marks[line.is]}${line.text}`,
  );

it('tells the lines that came and went, with what is around them', () => {
  expect(drawn('a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nD\nd\nf\ng')).toEqual([
    '(1)',
    ' b',
    ' c',
    '+D',
    ' d',
    '-e',
    ' f',
    ' g',
  ]);
  expect(changesBetween(3, 'a\nb', 'a\nc\nd')).toMatchObject({ since: 3, added: 2, removed: 1 });
});

it('tells of no change by leaving everything out', () => {
  expect(changesBetween(1, 'a\nb', 'a\nb')).toEqual({
    since: 1,
    added: 0,
    removed: 0,
    lines: [{ is: 'left', lines: 2 }],
  });
});

it('tells of texts that differ in very many lines as one taken out and one put in', () => {
  const long = (word: string): string => Array.from({ length: 2000 }, (_, at) => `${word} ${at}`).join('\n');
  expect(changesBetween(1, long('old'), long('new'))).toMatchObject({ added: 2000, removed: 2000 });
});

it('gives back both texts, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', ' a'), { maxLength: 12 })
    .map(lines => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { lines, added, removed } = changesBetween(1, before, after);
      const sameCount = lines.reduce(
        (sum, line) => sum + (line.is === 'left' ? line.lines : line.is === 'same' ? 1 : 0),
        0,
      );
      expect(sameCount + added).toBe(after.split('\n').length);
      expect(sameCount + removed).toBe(before.split('\n').length);
      const kept = (is: 'added' | 'removed') => lines.flatMap(line => (line.is === is ? [line.text] : []));
      for (const line of kept('added')) expect(after.split('\n')).toContain(line);
      for (const line of kept('removed')) expect(before.split('\n')).toContain(line);
    }),
  );
});
