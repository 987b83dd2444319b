import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { expect, test } from 'vitest';
import { AgentProgram, type ProgramStart } from './agent-program.ts';

/* Real processes: a shell that plays the agent, and what becomes of whatever it started. */

function started(script: string, more: Partial<ProgramStart> = {}) {
  const lines: JsonObject[] = [];
  const noise: Error[] = [];
  let wake: () => void = () => undefined;
  const program = AgentProgram.start({
    argv: ['sh', '-c', script],
    cwd: '/',
    env: {},
    onLine: value => {
      lines.push(value);
      wake();
    },
    onNoise: error => noise.push(error),
    patience: { leave: 300, term: 300 },
    ...more,
  });
  const line = async (at: number): Promise<JsonObject> => {
    while (lines[at] === undefined) await new Promise<void>(resolve => (wake = resolve));
    return lines[at];
  };
  return { program, lines, noise, line };
}

/** Whether a process works; one that is dead and not buried yet does not. */
function works(pid: unknown): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('lines go in and come out, and the end of the input ends it', async () => {
  const { program, line } = started('while read -r line; do printf \'{"got":%s}\\n\' "$line"; done; exit 7');
  program.send({ a: 1 });
  expect(await line(0)).toEqual({ got: { a: 1 } });
  expect(await program.end()).toEqual({ exit: 7, errors: '' });
  program.send({ a: 2 });
});

test('what it wrote as errors is kept, its end', async () => {
  const { program } = started(
    'i=0; while [ $i -lt 400 ]; do echo "line $i of many words" >&2; i=$((i+1)); done',
  );
  const { exit, errors } = await program.ended;
  expect(exit).toBe(0);
  expect(errors).toMatch(/line 399 of many words$/);
  expect(errors.length).toBeLessThanOrEqual(4000);
});

test('one that does not leave is ended by force, with what it started', async () => {
  const { program, line } = started(
    'trap "" TERM; sleep 1000 & printf \'{"child":%d}\\n\' $!; while :; do sleep 1; done',
  );
  const { child } = await line(0);
  expect(works(child)).toBe(true);
  await program.end();
  await expect.poll(() => works(child)).toBe(false);
});

test('what it started may end what it does when both are asked to end', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-program-'));
  try {
    const inner = `trap 'sleep 0.3; echo all > ${directory}/kept; exit' TERM; echo '{"ready":true}'; while :; do sleep 0.05; done`;
    // It stays when its input has ended, and is gone at once when it is asked to end.
    const { program, line } = started('sh -c "$INNER" <&- & wait', {
      env: { INNER: inner },
      leave: 0,
      patience: { leave: 10 ** 9, term: 10 ** 9 },
    });
    await line(0);
    await program.end();
    expect(readFileSync(join(directory, 'kept'), 'utf8')).toBe('all\n');
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('what it leaves behind goes with it', async () => {
  const { program, line } = started('sleep 1000 & printf \'{"child":%d}\\n\' $!');
  const { child } = await line(0);
  await program.ended;
  await expect.poll(() => works(child)).toBe(false);
});

test('its environment has what it is given, and no secret of the service', async () => {
  process.env['HEARTH_SAMPLE_TOKEN'] = 'sentinel-of-the-service';
  try {
    const { program, line } = started(
      'printf \'{"own":"%s","other":"%s"}\\n\' "$OWN_KEY" "$HEARTH_SAMPLE_TOKEN"',
      {
        env: { OWN_KEY: 'given' },
      },
    );
    expect(await line(0)).toEqual({ own: 'given', other: '' });
    await program.ended;
  } finally {
    delete process.env['HEARTH_SAMPLE_TOKEN'];
  }
});

test('a program that is not there ends at once and says so', async () => {
  const { program } = started('', { argv: ['/nowhere/agent'] });
  const { exit, errors } = await program.ended;
  expect(exit).toBe(127);
  expect(errors).toContain('/nowhere/agent');
});

test('when whoever started it is killed, nothing of it is left', async () => {
  const module = fileURLToPath(new URL('agent-program.ts', import.meta.url));
  const script = `
    const { AgentProgram } = await import(${JSON.stringify(module)});
    AgentProgram.start({
      argv: ['sh', '-c', 'trap "" TERM; printf \\'{"pid":%d}\\\\n\\' $$; sleep 1000; sleep 1000'],
      cwd: '/', env: {}, onNoise: () => {},
      onLine: line => process.stdout.write(JSON.stringify(line)),
    });
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>(resolve =>
    parent.stdout.once('data', data => resolve(String(data))),
  );
  const { pid }: { pid: number } = JSON.parse(said);
  expect(works(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => works(pid)).toBe(false);
});
