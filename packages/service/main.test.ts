import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { afterEach, expect, test } from 'vitest';
import {
  echo,
  home,
  type Json,
  start,
  stopAll,
  Surface,
  token,
  turnEnded,
  wordsIn,
} from './testing/surface.ts';

/* A service from its start to its end: its home, its doors, its status, its log. */

afterEach(stopAll);

test('a fresh home gets its files, all of them private, and publishes the service last', async () => {
  const at = home();
  const service = await start(echo, { home: at });
  expect(readdirSync(at)).toEqual(
    expect.arrayContaining(['home.json', 'lock.sqlite', 'service.json', 'token', 'conversations']),
  );
  for (const name of readdirSync(at, { recursive: true, encoding: 'utf8' })) {
    const info = statSync(join(at, name));
    expect([name, info.mode & 0o777]).toEqual([name, info.isDirectory() ? 0o700 : 0o600]);
  }
  const published = JSON.parse(readFileSync(join(at, 'service.json'), 'utf8')) as Json;
  expect(published).toMatchObject({ address: service.address, pid: process.pid });
  expect(service.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('R13.39: every route asks for the token, and for our own host and origin', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${surface.service.address}/v1/status`, { headers })).status;
  expect(await status(surface.headers)).toBe(200);
  expect(await status({})).toBe(401);
  expect(await status({ authorization: `Bearer ${'0'.repeat(64)}` })).toBe(401);
  expect(await status({ ...surface.headers, origin: 'https://evil.example' })).toBe(403);
});

test('a second start in the same home is refused and names the first', async () => {
  const at = home();
  const first = await start(echo, { home: at });
  await expect(start(echo, { home: at })).rejects.toMatchObject({
    code: 'already_running',
    address: first.address,
  });
});

test('a port that is taken is refused, and the home is free again', async () => {
  const first = await start(echo, { home: home() });
  const at = home();
  const port = Number(new URL(first.address).port);
  await expect(start(echo, { home: at, port })).rejects.toMatchObject({ code: 'port_in_use' });
  expect(existsSync(join(at, 'service.json'))).toBe(false);
  await start(echo, { home: at });
});

test('a stop withdraws the service, and the next start finds everything', async () => {
  const at = home();
  const service = await start(echo, { home: at });
  const surface = new Surface(service, at);
  const c = await surface.conversation();
  await surface.say(c, 'hello');
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const before = token(at);
  expect((await surface.post('/stop')).json).toEqual({ stopping: true });
  await service.closed;
  expect(existsSync(join(at, 'service.json'))).toBe(false);
  const again = new Surface(await start(echo, { home: at }), at);
  expect(token(at)).toBe(before);
  const { json } = await again.get(`/conversations/${c}/history`);
  expect(wordsIn(json, 'replied')).toEqual(['You said: hello']);
});

test('status counts, and names the backend', async () => {
  const at = home();
  const surface = new Surface(await start(echo, { home: at }), at);
  await surface.conversation();
  expect((await surface.get('/status')).json).toMatchObject({
    home: at,
    pid: process.pid,
    conversations: 2,
    working: 0,
    waiting: 0,
    backend: { name: 'scripted' },
  });
});

test('a full disk refuses the message in one sentence, and the next one is taken', async () => {
  const at = home();
  let full = false;
  const disk: Disk = {
    ...nodeDisk,
    append: async path => {
      const handle = await nodeDisk.append(path);
      return {
        write: bytes =>
          full
            ? Promise.reject(
                new DiskError(
                  'disk_full',
                  path,
                  `The disk is full, so ${path} could not be written: free some space.`,
                ),
              )
            : handle.write(bytes),
        sync: () => handle.sync(),
        close: () => handle.close(),
      };
    },
  };
  const surface = new Surface(await start(echo, { home: at, disk }), at);
  const c = await surface.conversation();
  full = true;
  expect(await surface.post(`/conversations/${c}/messages`, { text: 'lost' })).toMatchObject({
    status: 507,
    json: { code: 'disk_full' },
  });
  full = false;
  await surface.say(c, 'kept');
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
  const { json } = await surface.get(`/conversations/${c}/history`);
  expect(wordsIn(json, 'said')).toEqual(['kept']);
});

test('neither words nor the token stand in the log', async () => {
  const at = home();
  const service = await start(echo, { home: at });
  const surface = new Surface(service, at);
  const c = await surface.conversation();
  await surface.say(c, 'very secret words');
  await surface.frames(`/conversations/${c}/stream`, turnEnded);
  await service.stop();
  const log = readFileSync(join(at, 'logs', 'service.log'), 'utf8');
  expect(log).toContain('"started"');
  expect(log).not.toContain('very secret words');
  expect(log).not.toContain(token(at));
});
