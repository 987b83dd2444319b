import { expect, test } from 'vitest';
import { JsonLines, LineTooLong } from './json-lines.ts';

test('objects are read however their lines are cut into pieces', () => {
  const text = '{"a":1}\n\n  {"b":"ü\\n"}\r\n{"c":[1,2]}';
  for (let cut = 1; cut < text.length; cut += 1) {
    const lines = new JsonLines();
    const read = [...lines.add(text.slice(0, cut)), ...lines.add(text.slice(cut)), ...lines.add('\n')];
    expect(read.map(line => (line.is === 'object' ? line.value : line))).toEqual([
      { a: 1 },
      { b: 'ü\n' },
      { c: [1, 2] },
    ]);
  }
});

test('what is no object is words, and spoils nothing', () => {
  expect(new JsonLines().add('Loading…\n[1]\n"x"\n{"ok":true}\n')).toEqual([
    { is: 'words', text: 'Loading…' },
    { is: 'words', text: '[1]' },
    { is: 'words', text: '"x"' },
    { is: 'object', value: { ok: true } },
  ]);
});

test('a line that does not end is given up', () => {
  const lines = new JsonLines(10);
  expect(lines.add('123456789\n')).toHaveLength(1);
  lines.add('12345');
  expect(() => lines.add('678901')).toThrow(LineTooLong);
});
