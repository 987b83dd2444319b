import { expect, test } from 'vitest';
import { parseImport } from './import.ts';

test('a checklist becomes new tickets', () => {
  expect(parseImport('# API\n- [ ] one\n  why\n- [x] two', 'plan.md')).toEqual([
    { title: 'one', body: 'why', labels: ['api'] },
    { title: 'two', body: '', labels: ['api'], state: 'done' },
  ]);
});

test('a JSON array becomes new tickets', () => {
  const source =
    '\uFEFF[{"title": " one "}, {"title": "two", "state": "ready", "labels": ["a"], "bot": "hello", "owner": "ada", "body": "b"}]';
  expect(parseImport(source, 'plan.json')).toEqual([
    { title: 'one' },
    { title: 'two', state: 'ready', labels: ['a'], bot: 'hello', owner: 'ada', body: 'b' },
  ]);
});

test.each([
  ['[{"title": "one"}]', '-', 'one'],
  ['[ ] no\n- [ ] one', '-', 'one'],
  ['- [ ] one', 'list', 'one'],
])('without a telling ending the text decides: %j', (source, name, title) => {
  expect(parseImport(source, name)).toMatchObject([{ title }]);
});

test.each([
  ['', 'a.md', 'a.md: nothing to import: it is empty, and no line is an item'],
  ['\n\nJust prose.', 'a.md', 'a.md: nothing to import: line 3 is "Just prose.", and no line is an item'],
  ['- [ ] one\n- [ ] #bug', 'a.md', 'a.md: line 2: the item has no title'],
  [`- [ ] one\n- [ ] ${'x'.repeat(301)}`, 'a.md', 'a.md: line 2: title: '],
  ['[]', 'a.json', 'a.json: nothing to import: the array is empty.'],
  ['{"title": "one"}', 'a.json', 'a.json: an import in JSON is one array of tickets'],
  ['[{"title": "one"},\n  oops]', 'a.json', "a.json: it is not JSON (Unexpected token 'o')"],
  ['[{"title": "one"}', 'a.json', 'a.json: it is not JSON (line 1, column 18)'],
  ['[{"title": "one"}, {"title": " "}]', 'a.json', 'a.json: entry 1 (counted from 0): title: '],
  ['[{"body": "b"}]', 'a.json', 'a.json: entry 0 (counted from 0): title: '],
  ['[{"title": "one", "state": "soon"}]', 'a.json', 'a.json: entry 0 (counted from 0): state: '],
  ['[{"title": "one", "labels": ["a", ""]}]', 'a.json', 'a.json: entry 0 (counted from 0): labels.1: '],
  [
    '[{"title": "one", "urgency": 3}]',
    'a.json',
    'a.json: entry 0 (counted from 0): "urgency" is not a field of a new ticket',
  ],
  ['["one"]', 'a.json', 'a.json: entry 0 (counted from 0): '],
])('%j in %s is refused', (source, name, start) => {
  expect(() => parseImport(source, name)).toThrow(
    expect.objectContaining({ code: 'invalid_import', message: expect.stringContaining(start) }),
  );
});
