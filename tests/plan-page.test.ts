import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileBundle } from '@hearth/language/compile/compile.ts';

/* The page about plans shows the plan that its example has, and names every key that a plan may have. */

const page = readFileSync(new URL('../docs/plan.md', import.meta.url), 'utf8');
const fenced = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

test('the example compiles to the plan that is shown', () => {
  const { plan } = compileBundle({ main: fenced('bot') });
  expect(JSON.parse(fenced('json'))).toEqual(plan);
});

test('every key of a plan is in the table', () => {
  const source = readFileSync(new URL('../packages/language/plan.ts', import.meta.url), 'utf8');
  const [, body = ''] = /export interface Plan \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  const keys = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, key = '']) => key);
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter(key => !page.includes(`\`${key}\``))).toEqual([]);
});
