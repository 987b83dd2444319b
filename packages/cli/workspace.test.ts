import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkoutRoot, typedIn } from './workspace.ts';

const root = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'hearth-workspace-')));
const install = fileURLToPath(new URL('../../', import.meta.url));

test('the nearest ancestor with .git is the workspace', async () => {
  const base = root();
  mkdirSync(join(base, 'repo', '.git'), { recursive: true });
  mkdirSync(join(base, 'repo', 'deep', 'er'), { recursive: true });
  expect(await checkoutRoot(join(base, 'repo', 'deep', 'er'))).toBe(join(base, 'repo'));
});

test('a worktree is one, where .git is a file', async () => {
  const base = root();
  mkdirSync(join(base, 'tree', 'src'), { recursive: true });
  writeFileSync(join(base, 'tree', '.git'), 'gitdir: elsewhere');
  expect(await checkoutRoot(join(base, 'tree', 'src'))).toBe(join(base, 'tree'));
});

test('without one it is the directory itself', async () => {
  const base = root();
  expect(await checkoutRoot(base)).toBe(base);
});

test('links are resolved, so that one checkout is one workspace', async () => {
  const base = root();
  mkdirSync(join(base, 'repo', '.git'), { recursive: true });
  symlinkSync(join(base, 'repo'), join(base, 'link'));
  expect(await checkoutRoot(join(base, 'link'))).toBe(join(base, 'repo'));
});

test.each<[string, Record<string, string>, string]>([
  ['a shell', {}, '/cwd'],
  [
    'npm start of ours',
    { npm_lifecycle_event: 'start', npm_package_json: join(install, 'package.json'), INIT_CWD: '/typed' },
    '/typed',
  ],
  [
    'npm start of another project',
    { npm_lifecycle_event: 'start', npm_package_json: '/other/package.json', INIT_CWD: '/typed' },
    '/cwd',
  ],
  [
    'another script of ours',
    { npm_lifecycle_event: 'test', npm_package_json: join(install, 'package.json'), INIT_CWD: '/typed' },
    '/cwd',
  ],
])('typed in %s', (_name, env, directory) => {
  expect(typedIn({ env, cwd: '/cwd' })).toBe(directory);
});
