import { expect, test } from 'vitest';
import { schemaOf } from './json-schema.ts';
import type { Type } from './plan.ts';

test.each<[Type, object]>([
  ['string', { type: 'string' }],
  ['bool', { type: 'boolean' }],
  ['int', { type: 'integer' }],
  ['float', { type: 'number' }],
  ['json', {}],
  ['string[]', { type: 'array', items: { type: 'string' } }],
])('a %s field', (type, expected) => {
  expect(schemaOf({ name: 's', fields: [{ name: 'f', type }] })).toEqual({
    type: 'object',
    properties: { f: expected },
    required: ['f'],
    additionalProperties: false,
  });
});

test('an enum bounds strings and the elements of lists of strings', () => {
  const bound = { enum: ['a', 'b'] };
  const fields = [
    { name: 'one', type: 'string', ...bound },
    { name: 'many', type: 'string[]', ...bound },
    { name: 'other', type: 'int', ...bound },
  ] as const;
  expect(schemaOf({ name: 's', fields }).properties).toEqual({
    one: { type: 'string', enum: ['a', 'b'] },
    many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    other: { type: 'integer' },
  });
});

test('of a field declared twice the first counts', () => {
  const schema = schemaOf({
    name: 's',
    fields: [
      { name: 'f', type: 'int' },
      { name: 'f', type: 'bool' },
    ],
  });
  expect(schema.properties).toEqual({ f: { type: 'integer' } });
  expect(schema.required).toEqual(['f']);
});
