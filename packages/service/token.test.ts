import { statSync } from 'node:fs';
import { join } from 'node:path';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, serve } from './testing/served.ts';

afterEach(endAll);

const signIn = (address: string, code: string): Promise<Response> =>
  fetch(`${address}/login`, {
    method: 'POST',
    body: JSON.stringify({ code }),
    headers: { 'content-type': 'application/json', origin: address },
  });

test('another token: the old one is refused at once, streams end, sessions and codes with them', async () => {
  const served = await serve(() => [reply('hello')]);
  const { address } = served.service;
  const old = { authorization: `Bearer ${served.token}` };
  const ask = (headers: Record<string, string>): Promise<number> =>
    fetch(`${address}/v1/status`, { headers }).then(answer => answer.status);
  const c = await served.conversation();
  const stream = await served.fetch(`/v1/conversations/${c}/stream`);
  const ended = stream.text();
  const { code } = (await (await served.post('/v1/login-codes')).json()) as { code: string };
  const signedIn = await signIn(address, code);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(await ask({ cookie })).toBe(200);
  const later = (await (await served.post('/v1/login-codes')).json()) as { code: string };

  // A browser's session is no authority for it.
  expect(
    (await served.post('/v1/token/rotate', {}, { authorization: '', cookie, origin: address })).status,
  ).toBe(401);
  expect((await served.post('/v1/token/rotate')).status).toBe(200);

  expect([await ask(old), await ask({ cookie })]).toEqual([401, 401]);
  expect(await ask({ authorization: `Bearer ${served.token}` })).toBe(200);
  expect((await signIn(address, later.code)).status).toBe(401);
  // Nobody stopped the service, so a surface that comes back is let in.
  expect(await ended).not.toContain('"cut"');
  expect(statSync(join(served.home, 'token')).mode & 0o777).toBe(0o600);

  await served.service.stop();
  const again = await serve(() => [reply('hello')], { home: served.home });
  expect((await again.fetch('/v1/status')).status).toBe(200);
});

test('wrong codes are limited, and the answer says when the next may be tried', async () => {
  const served = await serve(() => [reply('hello')]);
  const { address } = served.service;
  const { code } = (await (await served.post('/v1/login-codes')).json()) as { code: string };
  for (let tries = 0; tries < 10; tries += 1) {
    expect((await signIn(address, `wrong-${tries}`)).status).toBe(401);
  }
  const refused = await signIn(address, code);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    429,
    'too_many_attempts',
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
