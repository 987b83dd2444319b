import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { HearthClient } from '@hearth/client/http.ts';
import { afterAll, expect, test } from 'vitest';
import type { Io } from './command.ts';
import { standing } from './standing.ts';
import { connect, reconnect } from './supervisor.ts';

/* With real services, each in its own process, as a surface finds and loses them. */

const home = join(realpathSync(mkdtempSync(join(tmpdir(), 'hearth-supervisor-'))), 'home');
const io: Io = {
  env: { ...process.env, HEARTH_HOME: home },
  cwd: '/',
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  interrupted: new AbortController().signal,
  interruption: { message: '' },
};

const pid = (): number => {
  const file = JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as { pid: number };
  return file.pid;
};
const becomes = async (is: string): Promise<void> => {
  while ((await standing(home, 'cli')).is !== is) await new Promise(resolve => setTimeout(resolve, 20));
};
const runs = async (client: HearthClient): Promise<number> => (await client.status()).pid;

afterAll(async () => {
  const found = await standing(home, 'cli');
  if (found.is === 'answers') await found.client.stop();
});

test('a surface starts a service that died, and never one that was stopped', async () => {
  const first = await connect(io, 'console');
  expect(await runs(first)).toBe(pid());

  process.kill(pid(), 'SIGKILL');
  await becomes('died');
  // Two surfaces at once get one service.
  const [one, two] = await Promise.all([reconnect(io, 'console'), reconnect(io, 'console')]);
  expect(await runs(one)).toBe(await runs(two));

  await one.stop();
  await expect(reconnect(io, 'console')).rejects.toMatchObject({ code: 'stopped' });
  expect(await standing(home, 'cli')).toEqual({ is: 'absent' });

  // A person acts at once, while the old service may still hold the home.
  const again = await connect(io, 'console');
  expect(await runs(again)).toBe(pid());
  expect(await runs(await reconnect(io, 'console'))).toBe(pid());
});
