import { expect, test } from 'vitest';
import { CODES } from './codes.ts';
import { compileBundle } from './compile/compile.ts';

/** What an example may get beside its own code: what is refused because it cannot run yet, and what follows from it. */
const BESIDE = new Map([['C008', ['C016']]]);

test.each(CODES.map(one => [one.code, one] as const))(
  '%s is given to its example',
  (code, { severity, example }) => {
    const { plan, diagnostics } = compileBundle({ main: example });
    const own = diagnostics.filter(one => one.code === code);
    expect(own.length).toBeGreaterThan(0);
    for (const { severity: found, message, at } of own) {
      expect(found).toBe(severity);
      expect(message).toMatch(/^[a-z`0-9]/);
      expect(message).not.toMatch(/\.$/);
      expect(at.line).toBeLessThanOrEqual(example.split('\n').length);
    }
    const others = diagnostics
      .map(one => one.code)
      .filter(other => other !== code && other !== 'H003' && other !== 'H006');
    expect(others).toEqual(BESIDE.get(code) ?? []);
    if (severity === 'error') expect(plan).toBeNull();
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
