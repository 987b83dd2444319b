import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type Ran, typed } from './testing/typed.ts';

/* What a person meets when the files around a service are not as the service left them. Services are real processes. */

const LAUNCHER = fileURLToPath(new URL('../../bin/hearth.js', import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-faults-')));
const home = join(base, 'home');
const envOf = (at: string): NodeJS.ProcessEnv => ({ ...process.env, HEARTH_HOME: at });
const hearth = (words: readonly string[], input: string | Uint8Array = '', at = home): Promise<Ran> =>
  typed(words, base, input, envOf(at));
const pid = (): number => {
  const file = JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as { pid: number };
  return file.pid;
};
const alive = (one: number): boolean => {
  try {
    return process.kill(one, 0);
  } catch {
    return false;
  }
};
const gone = async (one: number): Promise<void> => {
  while (alive(one)) await new Promise(resolve => setTimeout(resolve, 20));
};
/** Runs the launcher, and answers its exit code and stderr. */
const launched = async (words: readonly string[], stdout: number): Promise<[number | null, string]> => {
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    env: envOf(home),
    stdio: ['ignore', stdout, 'pipe'],
  });
  const err = (child.stderr?.setEncoding('utf8').toArray() ?? Promise.resolve([])) as Promise<string[]>;
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  return [code, (await err).join('')];
};

afterAll(async () => {
  await hearth(['stop']);
  rmSync(base, { recursive: true, force: true });
});

test('a service whose file was removed is found where it listens, and publishes itself again', async () => {
  expect((await hearth(['restart', '--json'])).code).toBe(0);
  const first = pid();
  rmSync(join(home, 'service.json'));
  const ran = await hearth(['status', '--json']);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ running: true, pid: first });
  expect(pid()).toBe(first);

  rmSync(join(home, 'service.json'));
  expect(await hearth(['restart', '--json'])).toMatchObject({ code: 0, err: '' });
  expect(pid()).not.toBe(first);
  await gone(first);
});

test('output that finds no room is told in one line', async () => {
  expect(await launched(['list'], openSync('/dev/full', 'w'))).toEqual([
    4,
    'hearth: The output could not be written (the disk is full): free some space, or send it elsewhere.\n',
  ]);
});

test('words that are no UTF-8 are refused and not changed', async () => {
  expect(await hearth(['send', '-'], Buffer.from([0x68, 0x69, 0xff]))).toEqual({
    code: 1,
    out: '',
    err: 'hearth: The message on stdin is not UTF-8 text: send it as UTF-8.\n',
  });
});

test.each([
  [['new', '--title', ''], /^hearth: The body's field "title" must not be empty\.\n$/],
  [['board', 'add', ''], /^hearth: The body's field "ticket\.title" must not be empty\.\n$/],
])('an empty title is refused in plain words: %j', async (words, said) => {
  const ran = await hearth(words);
  expect(ran.err).toMatch(said);
  expect(ran.code).toBe(1);
});

test('a service that nothing leads to is told truthfully', async () => {
  const hidden = pid();
  rmSync(join(home, 'service.json'));
  rmSync(join(home, 'surfaces'), { recursive: true });
  for (const command of ['status', 'stop']) {
    const ran = await hearth([command]);
    expect(ran).toMatchObject({ code: 4, out: '' });
    expect(ran.err).toContain('works in the home');
    if (process.platform === 'linux') expect(ran.err).toContain(`The process ${hidden} `);
  }
  process.kill(hidden, 'SIGTERM');
  await gone(hidden);
  expect((await hearth(['stop'])).out).toContain('No service runs');
});

test('a service in the foreground whose terminal is closed withdraws itself', async () => {
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0'], {
    env: envOf(home),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise(resolve => child.once('exit', resolve));
  await new Promise(resolve => child.stdout.once('data', resolve));
  expect(existsSync(join(home, 'service.json'))).toBe(true);
  child.kill('SIGHUP');
  await ended;
  expect(existsSync(join(home, 'service.json'))).toBe(false);
});

test.each(['0.0.0.0', '::', '192.168.1.2', 'example.org'])(
  'listening on %s is refused with words',
  async host => {
    const ran = await hearth(['serve', '--host', host]);
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain(`listens on loopback only (127.0.0.1), and not on ${host}`);
  },
);

test('a file in the place of logs/ is named, and left alone', async () => {
  const spoiled = realpathSync(mkdtempSync(join(base, 'spoiled-')));
  writeFileSync(join(spoiled, 'logs'), 'mine');
  const ran = await hearth(['list'], '', spoiled);
  expect(ran).toMatchObject({ code: 4, out: '' });
  expect(ran.err).toMatch(/^hearth: The path .*\/logs is a file where a directory is needed: .*\n$/);
  expect(readFileSync(join(spoiled, 'logs'), 'utf8')).toBe('mine');
});
