import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartialText, watchedField } from './partial-reply.ts';

test('the text grows with the JSON, and is whole at its end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      (reply, close, step) => {
        const partial = new PartialText('reply');
        const json = JSON.stringify({ close, reply, more: 'reply": "no' });
        let before = '';
        for (let at = 0; at < json.length; at += step) {
          const shown = partial.add(json.slice(at, at + step)) ?? '';
          // A pair of surrogates may be cut in two for a moment.
          if (!/[\uD800-\uDBFF]$/.test(before)) expect(shown.startsWith(before)).toBe(true);
          before = shown;
        }
        expect(before).toBe(reply);
      },
    ),
  );
});

test.each<[string, string | null]>([
  ['', null],
  ['{"reply"', null],
  ['{"reply": 7', null],
  ['{ "close": false , "reply" : "Ta', 'Ta'],
  ['{"reply": "a\\', 'a'],
  ['{"reply": "a\\u00', 'a'],
  ['{"reply": "a\\u00e9', 'aé'],
  ['{"reply": "line\\nnext"}', 'line\nnext'],
])('%j shows %j', (json, shown) => {
  expect(new PartialText('reply').add(json)).toBe(shown);
});

test('a megabyte in small pieces, and sixteen in one, are read', () => {
  const small = new PartialText('reply');
  small.add('{"reply": "');
  let shown: string | null = '';
  for (let at = 0; at < 250_000; at += 1) shown = small.add('é\\n ');
  expect(shown).toHaveLength(750_000);
  expect(new PartialText('reply').add(`{"reply": "${'é\\n'.repeat(5_000_000)}`)).toHaveLength(10_000_000);
});

test.each<[object | null, string | null]>([
  [null, null],
  [{}, null],
  [{ properties: { reply: { type: 'string' }, other: { type: 'string' } } }, 'reply'],
  [{ properties: { body: { type: 'string' }, ok: { type: 'boolean' } } }, 'body'],
  [{ properties: { one: { type: 'string' }, two: { type: 'string' } } }, null],
  [{ properties: { kind: { type: 'string', enum: ['a'] } } }, null],
])('of %j the field %j is watched', (schema, field) => {
  expect(watchedField(schema as Record<string, unknown> | null)).toBe(field);
});
