import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLE_MAIN, BUNDLES } from '@hearth/language/codes/bundles.ts';
import { CODES } from '@hearth/language/codes.ts';
import { expect, test } from 'vitest';
import { checkBundle } from './bots.ts';

async function said(file: string, text: string): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'hearth-codes-'));
  writeFileSync(join(root, 'main.bot'), BUNDLE_MAIN);
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return (await checkBundle(root)).map(one => `${one.code} ${one.severity} ${one.file}`);
}

const examples = BUNDLES.flatMap(one =>
  one.example ? [[one.code, one.severity, one.example] as const] : [],
);

test.each(examples)(
  '%s is given to its wrong example, and only it',
  async (code, severity, { file, wrong, right }) => {
    expect(await said(file, wrong)).toEqual([`${code} ${severity} ${file}`]);
    expect(await said(file, right)).toEqual([]);
  },
);

test('the codes are sorted within their families, and none is also one of the compiler', () => {
  const codes = BUNDLES.map(one => one.code);
  for (const family of ['C', 'E', 'H']) {
    const own = codes.filter(code => code.startsWith(family));
    expect(own).toEqual([...own].toSorted());
  }
  expect(codes.filter(code => CODES.some(one => one.code === code))).toEqual([]);
});
