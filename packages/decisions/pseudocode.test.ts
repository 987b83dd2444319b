import { expect, test } from 'vitest';
import { findingsOf } from './lint.ts';

const found = (text: string): string[] =>
  findingsOf('pseudocode', text).map(({ code, line }) => `${line} ${code}`);

test.each<[string, string, string[]]>([
  [
    'readable structured English',
    'FIND train options\n    FOR two adults\n    EXCLUDING buses\nIF fewer than three remain THEN\n    STATE how many\nENDIF\nPRESENT a table\n    ORDERED BY price, cheapest first',
    [],
  ],
  [
    'a case with its words before colons',
    'CASE size OF\n    small: KEEP it\n    OTHERS: DROP it\nENDCASE',
    [],
  ],
  ['a repetition that ends', 'REPEAT\n    ASK once more\nUNTIL it is clear', []],
  ['a code fence', '```\nDO it\n```', ['1 code_fence', '3 code_fence']],
  ['a field label', 'OUTPUT: a table', ['1 label']],
  [
    'what is left open',
    'CHOOSE the method TBD\nSORT by what is to be determined',
    ['1 deferred', '2 deferred'],
  ],
  ['a rule about drafting', 'LIST prices\nDO NOT COMPUTE YET', ['2 drafting_rule']],
  ['a step that says nothing', 'GATHER facts\n    ANALYZE\nWRITE', ['2 placeholder', '3 placeholder']],
  ['tabs and spaces', 'DO it\n \tFOR two', ['2 mixed_indent']],
  ['a block that does not end', 'FOR each option\n    RATE it', ['1 unbalanced']],
  ['an end without a block', 'RATE it\nENDIF', ['2 unbalanced']],
  ['a name of the host', 'READ CONFIRMED_PROMPT_BODY', ['1 host_name']],
])('%s', (_what, text, findings) => {
  expect(found(text)).toEqual(findings);
});

test('no more is told of one text than a person reads, and nothing where there is no such check', () => {
  expect(found('TBD\n'.repeat(1000))).toHaveLength(20);
  expect(findingsOf(null, 'TBD')).toEqual([]);
  expect(findingsOf('constructor', 'TBD')).toEqual([]);
});
