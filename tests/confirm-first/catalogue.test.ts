import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE, type Row } from './catalogue.ts';
import { CASES } from './readings.ts';

/* Every row of the catalogue is shown by a test that names it, or says what it needs a model for; and no test names another. */

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const filesOf = ({ shown }: Row): readonly string[] => (typeof shown === 'string' ? [shown] : (shown ?? []));

/** The rows that tests of a file name. */
function namedIn(file: string): ReadonlySet<number> {
  if (file.endsWith('/readings.ts')) return new Set(CASES.flatMap(({ row }) => row ?? []));
  return new Set([...read(file).matchAll(/#(\d+)\b/g)].map(([, row]) => Number(row)));
}

test('the rows are numbered without a gap', () => {
  expect(CATALOGUE.map(({ row }) => row)).toEqual(CATALOGUE.map((_, index) => index + 1));
});

test.each(CATALOGUE)('#$row $case', row => {
  const files = filesOf(row);
  expect(files.length > 0 || row.live !== undefined).toBe(true);
  for (const file of files)
    expect({ file, rows: [...namedIn(file)] }).toEqual({ file, rows: expect.arrayContaining([row.row]) });
});

test('no test names a row that is shown elsewhere', () => {
  const tests = readdirSync(import.meta.dirname).filter(name => /(?<!catalogue)\.test\.ts$/.test(name));
  const named = tests.flatMap(name =>
    [...namedIn(`tests/confirm-first/${name}`)].map(row => `${name} ${row}`),
  );
  const shown = CATALOGUE.flatMap(row =>
    filesOf(row).map(file => `${file.replace('tests/confirm-first/', '')} ${row.row}`),
  );
  expect(named.filter(one => !shown.includes(one))).toEqual([]);
});
