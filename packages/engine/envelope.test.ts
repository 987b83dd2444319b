import type { Type } from '@hearth/language/plan.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conform, stringsOf } from './envelope.ts';
import type { Plan } from './runnable.ts';
import { chatPlan } from './testing/sample-plan.ts';

const planWith = (type: Type, words?: string[]): Plan => ({
  ...chatPlan(),
  schemas: {
    s: { name: 's', fields: [{ name: 'f', type, ...(words === undefined ? {} : { enum: words }) }] },
  },
});

describe('conform', () => {
  it.each<[Type, unknown, unknown]>([
    ['string', 'x', 'x'],
    ['string', '["a"]', '["a"]'],
    ['bool', true, true],
    ['bool', 'true', true],
    ['int', 3, 3],
    ['int', '3', 3],
    ['int', 5.0, 5],
    ['float', 1.5, 1.5],
    ['float', '1.5', 1.5],
    ['json', '["a","b"]', ['a', 'b']],
    ['json', 'not json', 'not json'],
    ['json', null, null],
    ['json', { a: 1 }, { a: 1 }],
    ['string[]', ['a'], ['a']],
    ['string[]', '["a"]', ['a']],
  ])('reads a %s from %j', (type, given, read) => {
    expect(conform(planWith(type), 's', { f: given as never, extra: 1 })).toEqual({
      ok: true,
      output: { f: read, extra: 1 },
    });
  });

  it.each<[Type, unknown, string]>([
    ['string', 3, 'no string'],
    ['string', null, 'missing'],
    ['bool', 'perhaps', 'no bool'],
    ['bool', 1, 'no bool'],
    ['int', 1.5, 'no int'],
    ['int', 'three', 'no int'],
    ['string[]', ['a', 1], 'no string[]'],
    ['string[]', 'a, b', 'no string[]'],
  ])('refuses a %s that is %j', (type, given, why) => {
    expect(conform(planWith(type), 's', { f: given as never })).toMatchObject({
      ok: false,
      why: expect.stringContaining(why),
    });
  });

  it('holds enums for words and lists of words', () => {
    expect(conform(planWith('string', ['a', 'b']), 's', { f: 'b' })).toMatchObject({ ok: true });
    expect(conform(planWith('string', ['a', 'b']), 's', { f: 'c' })).toMatchObject({
      ok: false,
      why: expect.stringContaining('a, b'),
    });
    expect(conform(planWith('string[]', ['a', 'b']), 's', { f: ['a', 'c'] })).toMatchObject({ ok: false });
  });

  it('wants every field, and lets anything pass where there is no schema', () => {
    expect(conform(planWith('string'), 's', {})).toMatchObject({ ok: false });
    expect(conform(planWith('string'), null, { any: 1 })).toEqual({ ok: true, output: { any: 1 } });
  });

  it('is not fooled by inherited names', () => {
    const plan = {
      ...chatPlan(),
      schemas: { s: { name: 's', fields: [{ name: 'toString', type: 'json' as const }] } },
    };
    expect(conform(plan, 's', {})).toMatchObject({ ok: false });
  });

  it('never throws', () => {
    const types = fc.constantFrom<Type>('string', 'bool', 'int', 'float', 'json', 'string[]');
    fc.assert(
      fc.property(
        types,
        fc.jsonValue(),
        (type, value) => void conform(planWith(type), 's', { f: value as never }),
      ),
    );
  });
});

describe('stringsOf', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['["a"]', ['a']],
    ['[]', []],
    ['a', []],
    [null, []],
    [['a', 3, ' '], ['a']],
  ])('reads %j', (given, read) => {
    expect(stringsOf(given)).toEqual(read);
  });
});
