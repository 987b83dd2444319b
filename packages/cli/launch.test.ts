import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { Timers } from '@hearth/client/timers.ts';
import { firstMessage } from './launch.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that was started as a service is, and does this instead. */
function started(program: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  children.push(child);
  return child;
}

const never: Timers = { now: () => 0, after: () => () => {} };

describe('what a new service says first', () => {
  test('is that it serves', async () => {
    const child = started(
      "process.send({ is: 'noise' }); process.send({ is: 'ready', address: 'http://x' })",
    );
    expect(await firstMessage(child, 'LOG', never)).toEqual({ is: 'ready', address: 'http://x' });
  });

  test('is told for one that ended without a word', async () => {
    expect(await firstMessage(started('process.exit(3)'), 'LOG', never)).toMatchObject({
      is: 'failed',
      code: 'disk_failed',
      message: 'The service could not start; LOG says why.',
    });
  });

  test('is waited for only so long, and the service is left alone', async () => {
    const child = started("setInterval(() => {}, 1000); process.send('up')");
    await once(child, 'message');
    let late: () => void = () => {};
    const message = firstMessage(child, 'LOG', {
      now: () => 0,
      after: (_ms, callback) => {
        late = callback;
        return () => {};
      },
    });
    late();
    expect(await message).toMatchObject({ is: 'failed', code: 'unreachable' });
    expect((await message) as { message: string }).toMatchObject({
      message: expect.stringContaining(`process ${child.pid}) has not come up within 60 s`) as string,
    });
    expect(child.exitCode).toBeNull();
  });
});
