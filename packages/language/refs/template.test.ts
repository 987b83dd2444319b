import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../value.ts';
import { isMixed, render, resolve } from './rendering.ts';
import { parseTemplate, templateText } from './template-parser.ts';

describe('parsing', () => {
  test('text and references, in order', () => {
    const { template, refs, problem } = parseTemplate('Hi {{vars.name}}{{ !outputs.a.items.0 }}!');
    expect(template).toEqual([
      'Hi ',
      { path: ['vars', 'name'], raw: false },
      { path: ['outputs', 'a', 'items', '0'], raw: true, written: '{{ !outputs.a.items.0 }}' },
      '!',
    ]);
    expect(refs.map(one => one.offset)).toEqual([3, 16]);
    expect(problem).toBeNull();
  });

  test.each([
    ['{{vars}}', 0],
    ['{{weird.x}}', 0],
    ['{{}}', 0],
    ['a {{vars.x', 2],
    ['{{vars.x {{vars.y}}', 0],
    ['{{vars.a}} {{nope}}', 11],
  ])('%j is malformed, and then all of it is text', (text, offset) => {
    const { template, refs, problem } = parseTemplate(text);
    expect(template).toEqual([text]);
    expect(refs).toEqual([]);
    expect(problem?.offset).toBe(offset);
  });

  test.each(['{{vars.}}', '{{vars.a..b}}', 'a }} b', '{{loop.l.previous_output.x}}'])(
    '%j is well-formed',
    text => {
      expect(parseTemplate(text).problem).toBeNull();
    },
  );

  test('secrets are a namespace of profile 2', () => {
    expect(parseTemplate('{{secrets.token}}').problem?.message).toMatch(/not with `secrets`$/);
    expect(parseTemplate('{{secrets.token}}', 2).refs.map(one => one.ref.path)).toEqual([
      ['secrets', 'token'],
    ]);
  });

  test('any text can be written back', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      ' ',
      '!',
      '.',
      'vars',
      'vars.x',
      '{{vars.x}}',
      '{{ input.y }}',
      'é',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map(parts => parts.join('')),
        text => {
          expect(templateText(parseTemplate(text).template)).toBe(text);
        },
      ),
    );
  });
});

const VALUES: Readonly<Record<string, Value>> = {
  s: 'text',
  n: 1.5,
  z: null,
  l: [1, { a: 'b' }],
  t: '{{vars.s}}',
};
const lookup = ({ path }: { path: readonly string[] }): Value | undefined => VALUES[path[1] ?? ''];

describe('rendering', () => {
  test.each([
    ['{{vars.s}} {{vars.n}}', 'text 1.5'],
    ['<{{vars.z}}>', '<>'],
    ['{{vars.l}}', '[1,{"a":"b"}]'],
    ['{{ vars.nope }} {{!vars.nope}}', '{{ vars.nope }} {{!vars.nope}}'],
    ['{{vars.t}}', '{{vars.s}}'],
  ])('%j', (text, expected) => {
    expect(render(parseTemplate(text).template, lookup)).toBe(expected);
  });

  test('what exceeds 5 MiB is dropped, in whole characters', () => {
    const limit = 5 * 1024 * 1024;
    const long = '😀'.repeat(limit / 4);
    const template = parseTemplate('a{{vars.x}} and more').template;
    const text = render(template, () => long);
    expect(Buffer.byteLength(text)).toBe(limit - 3);
    expect(text.endsWith('😀')).toBe(true);
    expect(render(parseTemplate('{{vars.x}}').template, () => long)).toBe(long);
  });
});

describe('values of `with`', () => {
  test.each<[string, Value]>([
    ['{{vars.l}}', [1, { a: 'b' }]],
    ['dropped {{vars.n}} text', 1.5],
    ['{{vars.nope}}', null],
    ['plain', 'plain'],
    ['{{vars.s}} and {{ vars.n }}', '{{vars.s}} and {{ vars.n }}'],
  ])('%j', (text, expected) => {
    expect(resolve(parseTemplate(text).template, lookup)).toEqual(expected);
  });
});

test.each([
  ['plain', false],
  ['{{vars.s}}', false],
  [' {{vars.s}}', true],
  ['{{vars.s}}{{vars.n}}', true],
  ['', false],
])('%j is mixed: %s', (text, mixed) => {
  expect(isMixed(parseTemplate(text).template)).toBe(mixed);
});
