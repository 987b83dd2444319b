import { execFile, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releasedFile } from '../support/built.ts';
import { Hearth, type Ran } from '../support/hearth.ts';
import { npm } from '../support/npm.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/*
 * The package as a stranger has it: one file, installed by npm without a network into an empty prefix, and used from a
 * folder of theirs with nothing on the path but Node and what npm put there. HEARTH_TEST_NODE names another Node to use
 * it with.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUARD = new URL('../support/loopback-only.ts', import.meta.url).href;
const NODE = process.env['HEARTH_TEST_NODE'] ?? process.execPath;
const NAME = '@hearth-bots/hearth';
const MIB = 1024 * 1024;

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    path => !lstatSync(join(directory, path)).isDirectory(),
  );

describe('the package', () => {
  const prefix = tempDirectory('prefix');
  const home = join(tempDirectory('person'), 'home');
  const folder = tempDirectory('folder');
  const network = join(tempDirectory('network'), 'log');
  const installed = join(prefix, 'lib/node_modules', NAME);
  let tarball = '';

  const install = () => npm(['install', '--global', '--prefix', prefix, tarball], folder);

  /** Runs a line as a person's shell does. */
  function shell(line: string): Promise<Ran> {
    const env = {
      PATH: [dirname(NODE), join(prefix, 'bin')].join(delimiter),
      HOME: dirname(home),
      HEARTH_HOME: home,
      // Whatever model the machine has, a test talks to none.
      OLLAMA_HOST: 'http://127.0.0.1:9',
      NODE_OPTIONS: `--import=${GUARD}`,
      HEARTH_TEST_NETWORK: network,
    };
    return new Promise(resolve => {
      const child = execFile(
        '/bin/sh',
        ['-c', line],
        { cwd: folder, env, timeout: 50_000 },
        (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? 255), out, err }),
      );
      child.stdin?.end();
    });
  }

  beforeAll(async () => {
    tarball = await releasedFile();
    expect(install()).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await new Hearth(home, folder).stop();
    removeTemps();
  });

  it('is one file, of a size that is no burden', () => {
    expect(readdirSync(dirname(tarball))).toEqual([
      expect.stringMatching(/^hearth-bots-hearth-[\d.]+\.tgz$/),
    ]);
    expect(statSync(tarball).size).toBeLessThan(3 * MIB);
    const unpacked = filesIn(installed).reduce((sum, path) => sum + statSync(join(installed, path)).size, 0);
    expect(unpacked).toBeLessThan(12 * MIB);
  });

  it('installs one command and brings no other package', () => {
    expect(readdirSync(join(prefix, 'bin'))).toEqual(['hearth']);
    expect(filesIn(prefix).filter(path => !path.startsWith('bin/') && !path.includes(NAME))).toEqual([]);
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
  });

  it('says the version of its manifest', async () => {
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(await shell('hearth --version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('answers, and says that no model does', async () => {
    const sent = await shell('hearth send hello');
    expect(sent).toMatchObject({ code: 0, err: '' });
    expect(sent.out).toContain('Rehearsal');
  });

  it('finds its bots', async () => {
    for (const bot of readdirSync(join(ROOT, 'bots'))) {
      expect(await shell(`hearth new --bot ${bot}`)).toMatchObject({ code: 0, err: '' });
      expect(await shell(`hearth check ${join(installed, 'bots', bot)}`)).toMatchObject({ code: 0, err: '' });
    }
  });

  it('brings its extension for an editor', () => {
    expect(filesIn(join(installed, 'editors'))).toEqual(filesIn(join(ROOT, 'editors')));
  });

  it('brings the page of the studio, whole', async () => {
    const { code, out } = await shell('hearth studio');
    expect(code).toBe(0);
    const { origin } = new URL(out.trim());
    const html = await (await fetch(origin)).text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) expect((await fetch(origin + path)).status).toBe(200);
  });

  it('does what its README tells people to type', async () => {
    const text = readFileSync(join(installed, 'README.md'), 'utf8');
    const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
      block.trimEnd().split('\n'),
    );
    const [ours, others] = [
      lines.filter(line => line.startsWith('hearth ')),
      lines.filter(line => !line.startsWith('hearth ')),
    ];
    expect(ours.length).toBeGreaterThan(3);
    for (const line of ours) expect({ line, ...(await shell(line)) }).toMatchObject({ line, code: 0 });
    expect(others).toEqual([`npm install --global ${NAME}`, `npm uninstall --global ${NAME}`]);
  });

  it('starts its service again where it was installed anew', async () => {
    expect(await shell('hearth list')).toMatchObject({ code: 0 });
    process.kill(new Hearth(home, folder).service().pid, 'SIGKILL');
    expect(install()).toMatchObject({ code: 0 });
    expect(await shell('hearth send hello')).toMatchObject({ code: 0, err: '' });
  });

  it('reached for no other machine in all this', async () => {
    const lines = readFileSync(network, 'utf8').trim().split('\n');
    expect(lines.filter(line => !line.startsWith('guarded '))).toEqual([]);
    expect(lines.filter(line => line.endsWith('serve-entry.js')).length).toBeGreaterThan(1);

    await shell(`node -e "fetch('http://192.0.2.1').catch(() => {})"`);
    await shell(`node -e "require('dns').lookup('hearth.invalid', () => {})"`);
    const now = readFileSync(network, 'utf8').trim().split('\n');
    expect(now.filter(line => line.startsWith('refused '))).toEqual([
      'refused 192.0.2.1',
      'refused hearth.invalid',
    ]);
  });

  it.each(['12.22.0', '20.20.2', '22.17.1'])('tells Node %s what it lacks, in one line', version => {
    const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    const launcher = join(installed, 'bin/hearth.js');
    const ran = spawnSync(NODE, ['--import', pretend, launcher, 'list'], { encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 4, stdout: '' });
    expect(ran.stderr).toMatch(
      /^hearth: Node [\d.]+ is too old, since Hearth needs Node 22\.18 or newer: [^\n]+\n$/,
    );
    expect(ran.stderr).toContain(version);
    expect(ran.stderr).not.toContain('npm ci');
  });

  it.each(oldNodes())('is understood by the old Node %s of this machine', old => {
    const ran = spawnSync(old, [join(installed, 'bin/hearth.js')], { encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 4, stdout: '' });
    expect(ran.stderr).toMatch(/^hearth: [^\n]+\n$/);
    // A checkout has a Node of its own to hand over to.
    expect(spawnSync(old, [join(ROOT, 'bin/hearth.js'), '--version'], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('is taken away whole, and the home stays', async () => {
    expect(await shell('hearth stop')).toMatchObject({ code: 0 });
    expect(npm(['uninstall', '--global', '--prefix', prefix, NAME], folder)).toMatchObject({ code: 0 });
    expect(filesIn(prefix)).toEqual([]);
    expect(existsSync(home)).toBe(true);
  });
});

/** Nodes on the path on which Hearth does not run. */
function oldNodes(): readonly string[] {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map(directory => join(directory, 'node'));
  return [...new Set(paths.filter(path => existsSync(path)).map(path => realpathSync(path)))].filter(path => {
    const { stdout } = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    const [major = 0, minor = 0] = stdout.trim().split('.').map(Number);
    return major < 22 || (major === 22 && minor < 18);
  });
}
