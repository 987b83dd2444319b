import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTemps, tempDirectory } from './support/temp.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const manifest: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** Runs a program as if this Node were another one. */
function underNode(version: string, program: string) {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return spawnSync(process.execPath, ['--import', pretend, program], { encoding: 'utf8' });
}

/** Nodes that cannot run the sources, and some that can. */
const OLD = ['18.20.0', '20.20.2', '22.18.0', '24.1.0'];
const NEW = ['24.2.0', '24.21.0', '26.0.0'];

describe('the scripts', () => {
  it.each(Object.keys(manifest.scripts))('%s looks at its Node first', name => {
    expect(manifest.scripts[name]).toMatch(/^node scripts\/require-node\.mjs && /);
  });

  it.each(OLD)('refuse Node %s in one line', version => {
    const ran = underNode(version, `${root}/scripts/require-node.mjs`);
    expect(ran.status).toBe(4);
    expect(ran.stderr).toMatch(
      /^Hearth needs Node 24\.2 or newer to run from source and this is [\d.]+: [^\n]+\n$/,
    );
  });

  it.each(NEW)('accept Node %s', version => {
    expect(underNode(version, `${root}/scripts/require-node.mjs`)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('the launcher of a checkout', () => {
  const bare = tempDirectory('bare');
  const launcher = join(bare, 'bin/hearth.js');
  beforeAll(() => cpSync(`${root}/bin/hearth.js`, launcher));
  afterAll(removeTemps);

  it.each(OLD)('looks for the Node that came along when it is under Node %s', version => {
    const ran = underNode(version, launcher);
    expect(ran.status).toBe(4);
    expect(ran.stderr).toMatch(/^hearth: Node [\d.]+ is too old to run Hearth from source, [^\n]+\n$/);
  });

  it.each(NEW)('runs the sources itself when it is under Node %s', version => {
    expect(underNode(version, launcher).stderr).toContain('packages/cli/main.ts');
  });
});

describe('the lockfile', () => {
  it('names no host', () => {
    expect(read('package-lock.json')).not.toContain('"resolved": "http');
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
  });

  it('pins every dependency', () => {
    const lock: { packages: Record<string, { dependencies?: Record<string, string> }> } = JSON.parse(
      read('package-lock.json'),
    );
    const ours = Object.entries(lock.packages).filter(
      ([path]) => path === '' || path.startsWith('packages/'),
    );
    const loose = ours.flatMap(([path, entry]) =>
      Object.entries(entry.dependencies ?? {})
        .filter(([, range]) => !/^\d/.test(range))
        .map(([name]) => `${path} ${name}`),
    );
    expect(loose).toEqual([]);
  });
});
