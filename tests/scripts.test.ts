import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
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

describe('the closing lines of a run of all tests', () => {
  let reports = '';
  beforeAll(() => {
    reports = tempDirectory('reports');
  });
  afterAll(removeTemps);

  function closing(...found: readonly object[]) {
    const paths = found.map((_, index) => join(reports, `${index}.json`));
    for (const [index, report] of found.entries()) {
      writeFileSync(join(reports, `${index}.json`), JSON.stringify(report));
    }
    return spawnSync(process.execPath, [`${root}/scripts/ci-summary.mjs`, ...paths], { encoding: 'utf8' });
  }
  const good = { numPassedTests: 3, numFailedTests: 0, success: true, testResults: [] };

  it('are one line when all is well', () => {
    expect(closing(good, good)).toMatchObject({ status: 0, stdout: '6 passed, 0 failed\n' });
  });

  it('name each test that failed, with the first line of why', () => {
    const failed = {
      status: 'failed',
      fullName: 'the lane keeps order',
      failureMessages: ['1 is not 2\n    at here'],
    };
    const file = { name: 'lane.test.ts', status: 'failed', assertionResults: [failed] };
    const ran = closing(good, { numPassedTests: 1, numFailedTests: 1, success: false, testResults: [file] });
    expect(ran.stdout).toBe('failed: lane.test.ts > the lane keeps order: 1 is not 2\n4 passed, 1 failed\n');
    expect(ran.status).toBe(1);
  });

  it('name a file that could not be loaded, and count it', () => {
    const file = { name: 'lane.test.ts', status: 'failed', message: 'Cannot find it', assertionResults: [] };
    const ran = closing({ numPassedTests: 1, numFailedTests: 0, success: false, testResults: [file] });
    expect(ran.stdout).toBe('failed: lane.test.ts: Cannot find it\n1 passed, 1 failed\n');
    expect(ran.status).toBe(1);
  });

  it('count a report that is not there as a failure', () => {
    const ran = spawnSync(process.execPath, [`${root}/scripts/ci-summary.mjs`, join(reports, 'none')], {
      encoding: 'utf8',
    });
    expect(ran.stdout).toMatch(/no report of the tests that can be read\n0 passed, 1 failed\n$/);
    expect(ran.status).toBe(1);
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
