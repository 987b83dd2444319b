import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const manifest: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** Runs a program as if this Node were another one. */
function underNode(version: string, script: string) {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return spawnSync(process.execPath, ['--import', pretend, `${root}/${script}`], { encoding: 'utf8' });
}

describe('the scripts', () => {
  it.each(Object.keys(manifest.scripts))('%s looks at its Node first', name => {
    expect(manifest.scripts[name]).toMatch(/^node scripts\/require-node\.mjs && /);
  });

  it.each(['18.20.0', '20.20.2', '22.17.1'])('refuse Node %s in one line', version => {
    const ran = underNode(version, 'scripts/require-node.mjs');
    expect(ran.status).toBe(4);
    expect(ran.stderr).toMatch(/^Hearth needs Node 22\.18 or newer and this is [\d.]+: [^\n]+\n$/);
  });

  it.each(['22.18.0', '24.21.0', '26.0.0'])('accept Node %s', version => {
    expect(underNode(version, 'scripts/require-node.mjs')).toMatchObject({ status: 0, stderr: '' });
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
