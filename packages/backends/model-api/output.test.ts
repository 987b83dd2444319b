import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitted, objectIn } from './output.ts';

const schema = {
  type: 'object',
  properties: {
    reply: { type: 'string' },
    close: { type: 'boolean' },
    count: { type: 'integer' },
    share: { type: 'number' },
    names: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    kind: { type: 'string', enum: ['x', 'y'] },
    anything: {},
  },
  required: ['reply', 'close', 'count', 'share', 'names', 'kind', 'anything'],
  additionalProperties: false,
};
const good = {
  reply: 'hi',
  close: false,
  count: 3,
  share: 0.5,
  names: ['a'],
  kind: 'x',
  anything: { deep: [1] },
};

describe('what fits', () => {
  test.each<[string, object, object]>([
    ['as it is', {}, {}],
    ['a truth value as text', { close: 'true' }, { close: true }],
    ['numbers as text', { count: '4', share: '1e-1' }, { count: 4, share: 0.1 }],
    ['a list as text', { names: '["a", "b"]' }, { names: ['a', 'b'] }],
    ['text that looks like something else', { reply: '42' }, { reply: '42' }],
    ['JSON as text where anything goes', { anything: '[1, 2]' }, { anything: [1, 2] }],
    ['plain text where anything goes', { anything: 'no JSON {' }, { anything: 'no JSON {' }],
    ['nothing where anything goes', { anything: undefined }, { anything: null }],
    ['a field too many', { more: 1 }, { more: 1 }],
  ])('%s', (_, given, expected) => {
    const value = JSON.parse(JSON.stringify({ ...good, ...given }));
    expect(fitted(schema, value)).toEqual({ ok: true, output: { ...good, ...expected } });
  });
  // A field called __proto__ is left out wherever JSON comes from outside.
  const anyJson = fc.jsonValue().filter(value => !JSON.stringify(value).includes('__proto__'));
  test('whatever a field may hold comes out again', () => {
    fc.assert(
      fc.property(anyJson, anything => {
        const fit = fitted({ properties: { anything: {} }, required: ['anything'] }, { anything });
        if (!fit.ok) throw new Error(fit.why);
        if (typeof anything !== 'string') expect(fit.output['anything']).toEqual(anything);
      }),
    );
  });
});

describe('what does not', () => {
  test.each<[object | null, string]>([
    [null, 'it is no JSON object'],
    [[], 'it is no JSON object'],
    [{ reply: undefined }, '"reply" is missing'],
    [{ reply: 7 }, '"reply" must be a text'],
    [{ close: 'perhaps' }, '"close" must be true or false'],
    [{ count: 1.5 }, '"count" must be a whole number'],
    [{ share: 'much' }, '"share" must be a number'],
    [{ names: 'a' }, '"names" must be a list'],
    [{ names: ['a', 'c'] }, '"names" has an item that must be one of: a, b'],
    [{ kind: 'z' }, '"kind" must be one of: x, y'],
  ])('%j: %s', (given, why) => {
    const whole = given === null || Array.isArray(given);
    const value = whole ? given : JSON.parse(JSON.stringify({ ...good, ...given }));
    expect(fitted(schema, value)).toEqual({ ok: false, why });
  });
});

test.each<[string, unknown]>([
  ['{"a": 1}', { a: 1 }],
  ['Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['```\n{"a": 1}\n```', { a: 1 }],
  ['I say {"a": {"b": 2}} and no more', { a: { b: 2 } }],
  ['[1]', null],
  ['{"a": 1', null],
  ['no JSON', null],
  ['', null],
])('the object in %j is %j', (text, object) => {
  expect(objectIn(text)).toEqual(object);
});
