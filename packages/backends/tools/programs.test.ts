import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program, Ran } from '@hearth/engine/surroundings.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { programs } from './programs.ts';

let root = '';
let workspace = '';
let directory = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-programs-')));
  workspace = join(root, 'work');
  directory = join(root, 'own');
  mkdirSync(workspace);
  mkdirSync(directory);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(text: string, more: Partial<Program> = {}): Promise<Ran> {
  const { signal } = new AbortController();
  return programs.run({
    node: 't',
    language: 'command',
    text,
    workspace,
    directory,
    ms: 60_000,
    signal,
    ...more,
  });
}

describe('each language', () => {
  test.each([
    ['command', 'echo "$PROJECT_DIR"; [[ -d . ]]'],
    ['sh', 'echo "$PROJECT_DIR"'],
    ['bash', 'echo "$PROJECT_DIR"; [[ -d . ]]'],
    ['js', 'console.log(require("node:process").cwd())'],
    ['node', 'console.log(process.cwd())'],
    ['py', 'import os; print(os.getcwd())'],
    ['python3', 'import os; print(os.getcwd())'],
  ] as const)('%s runs in the workspace, and its file is gone afterwards', async (language, text) => {
    expect(await run(text, { language })).toEqual({
      exit: 0,
      output: `${workspace}\n`,
      cut: false,
      errors: '',
      ended: null,
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('the exit code and the errors are told', async () => {
  expect(await run('echo bad >&2; exit 7')).toMatchObject({ exit: 7, errors: 'bad\n', output: '' });
});

test('a program that a signal ended has the code that a shell says', async () => {
  expect(await run('kill -KILL $$')).toMatchObject({ exit: 137, ended: null });
});

test('a text that is longer than an argument may be runs', async () => {
  const long = 'x'.repeat(300_000);
  expect(await run(`word='${long}'; echo \${#word}`)).toMatchObject({ exit: 0, output: '300000\n' });
});

test('an output that is too long is cut and says so', async () => {
  const ran = await run('head -c 3000000 /dev/zero | tr "\\0" x');
  expect(ran.cut).toBe(true);
  expect(ran.output.length).toBeLessThan(1_100_000);
});

test('what it starts ends with it, when it is stopped', async () => {
  const stop = new AbortController();
  const running = run('sleep 300 & echo $! > pid; wait', { signal: stop.signal });
  await expect.poll(() => pidOf('pid')).not.toBeNull();
  stop.abort();
  expect(await running).toMatchObject({ exit: null, ended: 'stopped' });
  await expect.poll(() => alive(pidOf('pid'))).toBe(false);
});

test('it may take its time when it is asked to end', async () => {
  const running = run(`trap 'sleep 0.2; echo tidied; exit 0' TERM; echo begun; sleep 300 & wait`, {
    ms: 500,
  });
  expect(await running).toMatchObject({ output: 'begun\ntidied\n', ended: 'time' });
});

test('a workspace that is not there is told', async () => {
  await expect(run('true', { workspace: join(root, 'gone') })).rejects.toThrow('cannot be started');
});

/** The service is killed; what it had started must not work on. */
test('R13.34: nothing outlives the service, however that ended', async () => {
  const service = join(root, 'service.ts');
  const module = fileURLToPath(new URL('./programs.ts', import.meta.url));
  const program = {
    node: 't',
    language: 'command',
    text: 'sleep 300 & echo $! > pid; wait; touch late',
    workspace,
    directory,
    ms: 60_000,
  };
  writeFileSync(
    service,
    `import { programs } from ${JSON.stringify(module)};
await programs.run({ ...${JSON.stringify(program)}, signal: new AbortController().signal });`,
  );
  const child = spawn(process.execPath, [service], { stdio: 'ignore' });
  await expect.poll(() => pidOf('pid'), { timeout: 20_000 }).not.toBeNull();
  child.kill('SIGKILL');
  await expect.poll(() => alive(pidOf('pid')), { timeout: 10_000 }).toBe(false);
  expect(existsSync(join(workspace, 'late'))).toBe(false);
}, 40_000);

function pidOf(name: string): number | null {
  const path = join(workspace, name);
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  return text === '' ? null : Number(text);
}

/** Whether a process runs; one that only waits to be collected does not. */
function alive(pid: number | null): boolean {
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
