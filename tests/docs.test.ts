import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BUNDLES } from '@hearth/language/codes/bundles.ts';
import { CODES } from '@hearth/language/codes.ts';
import { documents, partsOf, refreshed } from '../scripts/docs.ts';
import { PROBLEMS } from '../scripts/docs/codes.ts';
import { uses, WHY } from '../scripts/docs/dependencies.ts';
import { everyProperty, refusal } from '../scripts/docs/runnable.ts';
import { SECTIONS } from '../scripts/docs/sections.ts';

/*
 * What the documents say is what the code is: generated parts are up to date, every link leads somewhere, nothing that has
 * a code or a version is left out, and no document says what it may not.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const all = documents();

describe.each(all)('$path', document => {
  const { path, text } = document;

  test('its generated parts are up to date (npm run docs)', () => {
    expect(text).toBe(refreshed(document));
  });

  test('its links lead to files and headings that are there', () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter(target => !leads(path, target))).toEqual([]);
  });

  test('the files of the repository that it names are there', () => {
    const named = [...text.matchAll(/`((?:packages|tests|scripts|bots|bin|docs)\/[\w./-]+)`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter(name => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  test('it has one title and no level is skipped', () => {
    const levels = headings(text).map(({ level }) => level);
    expect(levels.filter(level => level === 1)).toEqual([1]);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('it names no machine, and nobody’s paths', () => {
    expect(
      text.match(/\/(?:work|home|root|tmp|Users|opt|usr)\/\S*|https?:\/\/(?!127\.0\.0\.1)\S+/g) ?? [],
    ).toEqual([]);
  });
});

test('CONTRIBUTING names every script, and no other', () => {
  const text = all.find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? '';
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const named = [...text.matchAll(/^\| `npm (?:run )?([a-z:]+)` \|/gm)].map(([, name = '']) => name);
  expect(named.sort()).toEqual(Object.keys(scripts).sort());
});

test('every generated part is used', () => {
  const used = new Set(all.flatMap(({ text }) => partsOf(text)));
  expect(Object.keys(SECTIONS).filter(name => !used.has(name))).toEqual([]);
});

test('every page is reached from the README', () => {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = all.find(one => one.path === path)?.text ?? '';
    for (const [, target = ''] of withoutCode(text).matchAll(/\]\(([^)#\s]+)/g))
      visit(join(dirname(path), target));
  };
  visit('README.md');
  expect(all.map(({ path }) => path).filter(path => !reached.has(path))).toEqual([]);
});

test('every dependency has a reason, and every reason a dependency', () => {
  expect(Object.keys(WHY).sort()).toEqual([...uses().keys()].sort());
});

test('a dependency has one version wherever it is used', () => {
  const versions = [...uses()].map(([name, list]) => [name, new Set(list.map(one => one.version)).size]);
  expect(versions.filter(([, count]) => count !== 1)).toEqual([]);
});

test.each(everyProperty())(
  'the example of the property %s.%s compiles, or is refused by name',
  (kind, name) => {
    expect(() => refusal(kind, name)).not.toThrow();
  },
);

test('every code of a diagnostic is in a table', () => {
  const known = new Set([...CODES, ...BUNDLES].map(one => one.code));
  const given = [...sources('language'), ...sources('service')].flatMap(
    text => text.match(/(?<=')[ECH]\d{3}(?=')/g) ?? [],
  );
  expect(given.length).toBeGreaterThan(60);
  expect([...new Set(given)].filter(code => !known.has(code))).toEqual([]);
});

test('every problem that has a status is in a table', () => {
  const source = readFileSync(join(ROOT, 'packages/service/problem.ts'), 'utf8');
  const [, rows = ''] = /const STATUS[^{]*\{([^}]*)\}/.exec(source) ?? [];
  const named = [...rows.matchAll(/^ {2}(\w+): \d{3},$/gm)].map(([, name = '']) => name);
  const text = readFileSync(join(ROOT, 'docs/service.md'), 'utf8');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(name => !text.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(PROBLEMS).filter(name => !text.includes(`\`${name}\``))).toEqual([]);
});

test('the decisions are numbered without a gap, and each has its three parts', () => {
  const pages = readdirSync(join(ROOT, 'docs/adr'))
    .filter(name => /^\d{4}-.+\.md$/.test(name))
    .sort();
  expect(pages.map(name => Number(name.slice(0, 4)))).toEqual(pages.map((_, index) => index + 1));
  for (const name of pages) {
    const text = readFileSync(join(ROOT, 'docs/adr', name), 'utf8');
    expect(text.startsWith(`# ${name.slice(0, 4)}: `), name).toBe(true);
    for (const part of ['Context', 'Decision', 'Consequences']) expect(text).toContain(`\n## ${part}\n`);
  }
});

function sources(owner: string): readonly string[] {
  const root = join(ROOT, 'packages', owner);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map(name => readFileSync(join(root, name), 'utf8'));
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
}

function headings(text: string): readonly { readonly level: number; readonly slug: string }[] {
  return [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^(#{1,6}) (.+)$/gm)].map(
    ([, marks = '', words = '']) => ({ level: marks.length, slug: slugOf(words) }),
  );
}

function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function leads(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(ROOT, path))) return false;
  if (anchor === undefined) return true;
  return headings(readFileSync(join(ROOT, path), 'utf8')).some(({ slug }) => slug === anchor);
}
