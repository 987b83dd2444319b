import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandEnvironment } from './environment.ts';

const ENV = { A: 'a', B: 'b', EMPTY: '', UNDEFINED: undefined, DOLLAR: '$A ${B}', BRACE: '}', _x1: 'x' };

describe('forms', () => {
  test.each([
    ['', ''],
    ['no dollar', 'no dollar'],
    ['${A}', 'a'],
    ['$A', 'a'],
    ['$A/$B', 'a/b'],
    ['$A_', ''],
    ['$_x1-y', 'x-y'],
    ['<${NOPE}>', '<>'],
    ['<$NOPE>', '<>'],
    ['<${EMPTY}$UNDEFINED>', '<>'],
    ['${A:-m}', 'a'],
    ['${NOPE:-m}', 'm'],
    ['${EMPTY:-m}', 'm'],
    ['${UNDEFINED:-m}', 'm'],
    ['${NOPE:-}', ''],
    ['${NOPE:-a:-b}', 'a:-b'],
    ['${NOPE:-${B:-m}}', 'b'],
    ['${NOPE:-${EMPTY:-m}}', 'm'],
    ['${NOPE:-<${EMPTY:-m}/$A>} after', '<m/a> after'],
    ['${A:-${B}}${NOPE:-${B}}', 'ab'],
    ['pre-${NOPE:-m}-post', 'pre-m-post'],
  ])('%j is %j', (text, expected) => {
    expect(expandEnvironment(text, ENV)).toBe(expected);
  });
});

describe('what is no form stays', () => {
  test.each([
    '$',
    '$$',
    '$1',
    '${}',
    '${1}',
    '${ A }',
    '${A-b}',
    '${NOPE',
    '${NOPE:-open',
    '${NOPE:-${NOPE:-',
    '}',
    '{A}',
    'costs $5',
  ])('%j', text => {
    expect(expandEnvironment(text, ENV)).toBe(text);
  });

  test('around what is one', () => {
    expect(expandEnvironment('${NOPE:-open $A', ENV)).toBe('${NOPE:-open a');
    expect(expandEnvironment('$$A', ENV)).toBe('$a');
  });
});

test('a value is never read again', () => {
  expect(expandEnvironment('$DOLLAR ${NOPE:-$DOLLAR$BRACE}', ENV)).toBe('$A ${B} $A ${B}}');
});

test('names of every object name no variable', () => {
  expect(expandEnvironment('<$constructor${toString}>', {})).toBe('<>');
});

test('any text is expanded, however deep and however open', () => {
  const piece = fc.constantFrom('$', '{', '}', ':-', 'A', 'NOPE', '${', '${NOPE:-', ' ');
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = pieces.join('');
      const expanded = expandEnvironment(text, ENV);
      if (!text.includes('$')) expect(expanded).toBe(text);
      expect(expandEnvironment(`\${NOPE:-${text.replaceAll(/[$}]/g, '')}}`, ENV)).toBe(
        text.replaceAll(/[$}]/g, ''),
      );
    }),
  );
  const deep = 100_000;
  expect(expandEnvironment(`${'${NOPE:-'.repeat(deep)}m${'}'.repeat(deep)}`, ENV)).toBe('m');
  expect(expandEnvironment('${NOPE:-'.repeat(deep), ENV)).toBe('${NOPE:-'.repeat(deep));
});
