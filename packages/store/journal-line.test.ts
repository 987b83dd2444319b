import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256, sumOf } from './digest.ts';
import { decodeLine, encodeLine } from './journal-line.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('a journal line', () => {
  it('is the object with the sum of itself as its last member', () => {
    const sum = createHash('sha256').update('{"n":7,"words":["ü"]}').digest('hex').slice(0, 16);
    expect(text(encodeLine({ n: 7, words: ['ü'] } as { n: number }))).toBe(
      `{"n":7,"words":["ü"],"sum":"${sum}"}\n`,
    );
  });

  it('gives back what was put in, on one line', () => {
    fc.assert(
      fc.property(fc.nat(), fc.jsonValue(), (n, value) => {
        const line = JSON.parse(JSON.stringify({ n, value })) as { n: number };
        const bytes = encodeLine(line);
        expect(bytes.indexOf(10)).toBe(bytes.length - 1);
        expect(decodeLine(bytes.subarray(0, -1))).toEqual(line);
      }),
    );
  });

  it.each(['', '{}', '{"n":1}', '"sum":"0123456789abcdef"}', '{"n":1,"sum":"0123456789abcdef"}'])(
    'is not %j',
    content => {
      expect(decodeLine(new TextEncoder().encode(content))).toBeUndefined();
    },
  );

  it('is not a text with the right sum that is not JSON', () => {
    expect(decodeLine(new TextEncoder().encode(`{"n":,"sum":"${sumOf('{"n":}')}"}`))).toBeUndefined();
  });
});

describe('digests', () => {
  it('are SHA-256 over UTF-8', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(sha256('')).toBe(`sha256:${empty}`);
    expect(sumOf('')).toBe(empty.slice(0, 16));
    expect(sha256('ü')).toBe(sha256(new Uint8Array([0xc3, 0xbc])));
  });
});
