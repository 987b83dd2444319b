import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startService } from './main.ts';
import type { Service } from './service.ts';

/* Signing a browser in, against a whole service; the studio is built on the way. */

const homes: string[] = [];
let service: Service | null = null;

afterEach(async () => {
  await service?.stop();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

async function start(home?: string): Promise<{ service: Service; home: string; bearer: string }> {
  const at = home ?? mkdtempSync(join(tmpdir(), 'hearth-sign-in-'));
  if (home === undefined) homes.push(at);
  service = await startService({ home: at, env: {} });
  return { service, home: at, bearer: `Bearer ${readFileSync(join(at, 'token'), 'utf8').trim()}` };
}

const command = (more: object = {}): string =>
  JSON.stringify({
    commandId: randomUUID(),
    actor: { kind: 'person', name: 'ada', surface: 'cli' },
    ...more,
  });

function post(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}

async function codeFrom(address: string, bearer: string, more: object = {}): Promise<string> {
  const answer = await post(`${address}/v1/login-codes`, command(more), { authorization: bearer });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { code: string }).code;
}

test('a code is exchanged once for a session that survives a restart at the same address', async () => {
  const { service: first, home, bearer } = await start();
  const { address } = first;
  const code = await codeFrom(address, bearer);
  expect((await fetch(`${address}/v1/status`)).status).toBe(401);

  const signedIn = await post(`${address}/login`, JSON.stringify({ code }), { origin: address });
  expect(await signedIn.json()).toEqual({ name: 'ada', workspace: null });
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  const again = await post(`${address}/login`, JSON.stringify({ code }), { origin: address });
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([401, 'code_unusable']);

  expect((await fetch(`${address}/v1/status`, { headers: { cookie } })).status).toBe(200);
  const more = await post(`${address}/v1/login-codes`, command(), { cookie, origin: address });
  expect(more.status).toBe(401);

  await first.stop();
  const { service: second } = await start(home);
  expect(second.address).toBe(address);
  expect((await fetch(`${address}/v1/status`, { headers: { cookie } })).status).toBe(200);
});

test('a session works where its code was asked for, and only the holder of the token says where that is', async () => {
  const { service: running, home, bearer } = await start();
  const { address } = running;
  const signIn = async (code: string): Promise<{ cookie: string; said: unknown }> => {
    const answer = await post(`${address}/login`, JSON.stringify({ code }), { origin: address });
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', said: await answer.json() };
  };
  const asked = async (cookie: string): Promise<unknown> =>
    (await fetch(`${address}/v1/session`, { headers: { cookie } })).json();
  const place = realpathSync(home);
  const here = await signIn(await codeFrom(address, bearer, { workspace: home }));
  expect(here.said).toEqual({ name: 'ada', workspace: place });
  const nowhere = await signIn(await codeFrom(address, bearer));
  expect(await asked(nowhere.cookie)).toEqual({ name: 'ada', workspace: null });
  expect(await asked(here.cookie)).toEqual({ name: 'ada', workspace: place });

  const refused = async (workspace: string): Promise<unknown> => {
    const answer = await post(`${address}/v1/login-codes`, command({ workspace }), { authorization: bearer });
    return ((await answer.json()) as { code: string }).code;
  };
  expect(await refused(join(home, 'none'))).toBe('invalid_workspace');
  expect(await refused(`/${'字'.repeat(683)}`)).toBe('invalid');
  const holder = await fetch(`${address}/v1/session`, { headers: { authorization: bearer } });
  expect([holder.status, ((await holder.json()) as { code: string }).code]).toEqual([404, 'unknown_session']);
});

test('the login itself is for our own page', async () => {
  const { service: running, bearer } = await start();
  const code = await codeFrom(running.address, bearer);
  const body = JSON.stringify({ code });
  const foreign = await post(`${running.address}/login`, body, { origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
  expect((await post(`${running.address}/login`, '{"code": ""}', {})).status).toBe(422);
  expect((await post(`${running.address}/login`, body, {})).status).toBe(200);
});

test('the page needs no authority, has its policy, and nothing else is there', async () => {
  const { service: running, bearer } = await start();
  await codeFrom(running.address, bearer);
  const page = await fetch(`${running.address}/`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*src)|<style|\son\w+=|style=/);
  for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await fetch(running.address + path)).status).toBe(200);
  }
  expect((await fetch(`${running.address}/nothing`)).status).toBe(404);
  expect((await fetch(`${running.address}/`, { headers: { origin: 'https://evil.example' } })).status).toBe(
    403,
  );
});

test('where the last port is taken another one is used', async () => {
  const { service: first, home } = await start();
  const { address } = first;
  await first.stop();
  const other = createServer();
  await new Promise<void>(resolve => other.listen(Number(new URL(address).port), '127.0.0.1', resolve));
  try {
    const { service: second } = await start(home);
    expect(second.address).not.toBe(address);
  } finally {
    await new Promise(resolve => other.close(resolve));
  }
});
