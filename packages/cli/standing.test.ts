import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { VERSION } from '@hearth/service/version.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from './main.ts';
import { standing } from './standing.ts';

let home: string;
let server: Server;
let address: string;
/** What `GET /v1/status` answers; `null` leaves it unanswered. */
let answer: { readonly status: number; readonly body: unknown } | null;
const DEAD = spawnSync(process.execPath, ['-e', '']).pid;

const statusOf = (at: string) => ({
  version: VERSION,
  pid: process.pid,
  home: at,
  startedAt: '2026-01-01T00:00:00.000Z',
  address,
  conversations: 1,
  working: 0,
  waiting: 0,
  backend: { name: 'rehearsal', why: 'no model is configured' },
});
const unauthorized = {
  status: 401,
  body: { type: 'x', title: 'x', status: 401, code: 'unauthorized', detail: 'The token is wrong.' },
};

/** Publishes a service as a start does. */
function publish(pid = process.pid, at = address, version = VERSION): void {
  const file = { pid, startedAt: '2026-01-01T00:00:00.000Z', address: at, version, start: 'node' };
  writeFileSync(join(home, 'service.json'), JSON.stringify(file));
  writeFileSync(join(home, 'token'), 'secret');
}

/** An address at which nobody listens any more. */
async function freed(): Promise<string> {
  const other = createServer();
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise(resolve => other.close(resolve));
  return `http://127.0.0.1:${port}`;
}

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-standing-')));
  answer = null;
  server = createServer((_request, response) => {
    if (answer === null) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  rmSync(home, { recursive: true });
});

describe('a home’s service', () => {
  test('is absent where none was published', async () => {
    expect(await standing(home, 'cli')).toEqual({ is: 'absent' });
  });

  test('answers for its own home', async () => {
    publish();
    answer = { status: 200, body: statusOf(home) };
    expect(await standing(home, 'cli')).toMatchObject({ is: 'answers', status: { home } });
  });

  test('is not the one of another home that listens there now', async () => {
    publish();
    answer = { status: 200, body: statusOf('/somewhere/else') };
    expect(await standing(home, 'cli')).toEqual({ is: 'died' });
  });

  test('refuses a wrong token while its process lives', async () => {
    publish();
    answer = unauthorized;
    expect(await standing(home, 'cli')).toEqual({ is: 'refuses', address, pid: process.pid });
  });

  test.each<[string, number, unknown]>([
    ['says so', 200, null],
    ['answers what this one does not understand', 200, { hello: 'future' }],
  ])('R13.24: is of another version when it %s', async (_, status, body) => {
    publish(process.pid, address, '9.9.9');
    answer = { status, body: body ?? { ...statusOf(home), version: '9.9.9' } };
    expect(await standing(home, 'cli')).toMatchObject({
      is: 'other',
      version: '9.9.9',
      address,
      pid: process.pid,
    });
    const ran = await hearth('list');
    expect(ran).toMatchObject({ code: 4, out: '' });
    expect(ran.err).toContain(`is Hearth 9.9.9 and this is Hearth ${VERSION}: run "hearth restart"`);
  });

  test('is silent while its process lives and does not answer', async () => {
    publish();
    expect(await standing(home, 'cli', 50)).toEqual({ is: 'silent', address, pid: process.pid });
  });

  test.each<[string, () => void | Promise<void>]>([
    ['its process is gone and another program does not answer', () => publish(DEAD)],
    [
      'its process is gone and another service refuses',
      () => {
        publish(DEAD);
        answer = unauthorized;
      },
    ],
    ['nobody listens there, whoever has its number now', async () => publish(process.pid, await freed())],
  ])('has died when %s', async (_name, stand) => {
    await stand();
    expect(await standing(home, 'cli', 50)).toEqual({ is: 'died' });
  });
});

/** Runs a command that looks at the home. */
async function hearth(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(words, {
    env: { HEARTH_HOME: home },
    cwd: home,
    stdin: new PassThrough(),
    stdout,
    stderr,
    interrupted: new AbortController().signal,
    interruption: { message: '' },
  });
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

describe('commands that look', () => {
  test.each([['status --json'], ['stop']])('%s says that a busy service does not answer', async command => {
    publish();
    const { code, out, err } = await hearth(...command.split(' '));
    expect([code, err]).toEqual([
      4,
      `hearth: The service at ${address} (process ${process.pid}) does not answer: try again in a moment, or end that process if it hangs.\n`,
    ]);
    if (command !== 'stop') expect(JSON.parse(out)).toMatchObject({ error: { code: 'unreachable' } });
  });

  test('status says that none runs when the home’s own has died, whoever answers there', async () => {
    publish();
    answer = { status: 200, body: statusOf('/somewhere/else') };
    expect(await hearth('status')).toMatchObject({ code: 1, err: '' });
  });
});
