import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RULES } from './rules.ts';

/* Every rule has a test that is there, and every scenario belongs to a theme that the rules name or is named below. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = fileURLToPath(new URL('./', import.meta.url));

const rules = Object.entries(RULES).flatMap(([theme, list]) => list.map(rule => ({ theme, ...rule })));

/** Whether a file has a test of that title, as its source has it. */
function isThere(name: string): boolean {
  const at = name.indexOf('.ts: ');
  const file = name.slice(0, at + 3);
  const path = file.includes('/') ? join(ROOT, file) : join(HERE, file);
  const title = name.slice(at + 5);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``].some(text =>
    source.includes(text),
  );
}

test.each(rules)('$theme: $says', ({ shownBy }) => {
  expect(shownBy.length).toBeGreaterThan(0);
  expect(shownBy.filter(name => !isThere(name))).toEqual([]);
});

test('every file of scenarios shows a rule, or something beside the rules', () => {
  const named = new Set(rules.flatMap(({ shownBy }) => shownBy.map(name => name.split(': ')[0])));
  const beside = ['reviews.test.ts', 'rules.test.ts', 'sessions.test.ts', 'worktrees.test.ts'];
  const files = readdirSync(HERE).filter(name => name.endsWith('.test.ts'));
  expect(files.filter(name => !named.has(name) && !beside.includes(name))).toEqual([]);
});
