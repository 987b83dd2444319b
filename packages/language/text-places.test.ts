import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextPlaces } from './text-places.ts';

test('places are what counting line by line gives', () => {
  const text = fc
    .array(fc.constantFrom('a', '\n', 'é', '😀', '\ud800', '\udc00'))
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(text, source => {
      const places = new TextPlaces(source);
      let offset = 0;
      for (const char of source) {
        const before = source.slice(0, offset).split('\n');
        const column = Array.from(before.at(-1) ?? '').length;
        expect(places.at(offset)).toEqual({ line: before.length - 1, column });
        offset += char.length;
      }
    }),
  );
});
