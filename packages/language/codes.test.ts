import { expect, test } from 'vitest';
import { CODES } from './codes.ts';
import { compileBundle } from './compile/compile.ts';

/** What is said about anything that cannot be run yet. */
const NOT_YET = ['H003', 'H006'];

const codesOf = (main: string): readonly string[] => compileBundle({ main }).diagnostics.map(one => one.code);

test.each(CODES.map(one => [one.code, one] as const))(
  '%s is given to its wrong example, and only it',
  (code, { severity, wrong }) => {
    const { plan, diagnostics } = compileBundle({ main: wrong });
    const own = diagnostics.filter(one => one.code === code);
    expect(own.length).toBeGreaterThan(0);
    for (const { severity: found, message, fix, at } of own) {
      expect(found).toBe(severity);
      expect(fix).toMatch(/^[a-z`].*[^.]$/);
      expect(message).toMatch(/^[a-z`0-9]/);
      expect(message).not.toMatch(/\.$/);
      expect(at.line).toBeLessThanOrEqual(wrong.split('\n').length);
    }
    const others = diagnostics
      .map(one => one.code)
      .filter(other => other !== code && !NOT_YET.includes(other));
    expect(others).toEqual([]);
    if (severity === 'error') expect(plan).toBeNull();
  },
);

test.each(CODES.map(one => [one.code, one] as const))(
  '%s is mended by its right example',
  (code, { right }) => {
    const others = code === 'H003' || code === 'H006' ? [] : NOT_YET;
    expect(codesOf(right).filter(other => !others.includes(other))).toEqual([]);
  },
);

test('the table is sorted within its families and names each code once', () => {
  const codes = CODES.map(one => one.code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const family of ['E', 'C', 'H']) {
    const own = codes.filter(code => code.startsWith(family));
    expect(own).toEqual([...own].toSorted());
  }
});

test('what a code says is a phrase, not a sentence', () => {
  for (const { meaning, mend } of CODES) {
    expect(meaning).toMatch(/^[a-z].*[^.]$/);
    expect(mend).toMatch(/^[a-z`].*[^.]$/);
  }
});
