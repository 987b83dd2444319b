import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partialText, watchedField } from './partial-reply.ts';

test('the text grows with the JSON, and is whole at its end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (reply, close) => {
      const json = JSON.stringify({ close, reply, more: 'reply": "no' });
      let before = '';
      for (let length = 0; length <= json.length; length += 1) {
        const shown = partialText(json.slice(0, length), 'reply') ?? '';
        // A pair of surrogates may be cut in two for a moment.
        if (!/[\uD800-\uDBFF]$/.test(before)) expect(shown.startsWith(before)).toBe(true);
        before = shown;
      }
      expect(before).toBe(reply);
    }),
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
  expect(partialText(json, 'reply')).toBe(shown);
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
