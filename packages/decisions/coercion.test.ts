import type { Json } from '@hearth/protocol/json.ts';
import { expect, test } from 'vitest';
import { coerced } from './coercion.ts';

const schema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    share: { type: 'number' },
    sure: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    anything: {},
    words: { type: 'string' },
  },
};

test.each<[string, Json, Json]>([
  ['count', '12', 12],
  ['count', ' -3 ', -3],
  ['count', '1e3', 1000],
  ['count', 'twelve', 'twelve'],
  ['count', '', ''],
  ['count', '0x10', '0x10'],
  ['count', 12, 12],
  ['share', '.5', 0.5],
  ['share', '1,5', '1,5'],
  ['sure', 'yes', true],
  ['sure', 'FALSE', false],
  ['sure', 'maybe', 'maybe'],
  ['sure', 'constructor', 'constructor'],
  ['names', 'a, b ,', ['a', 'b']],
  ['names', 'a, b\nc', ['a, b', 'c']],
  ['names', '["a, b"]', ['a, b']],
  ['names', '[broken', '[broken'],
  ['names', '', []],
  ['names', ['a'], ['a']],
  ['anything', '{"a": [1]}', { a: [1] }],
  ['anything', 'plain words', 'plain words'],
  ['words', '12', '12'],
  ['words', 12, 12],
  ['unknown', '12', '12'],
])('%s takes %j as %j', (name, given, read) => {
  expect(coerced(schema, { [name]: given })).toEqual({ [name]: read });
});
