import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Gate } from './auth.ts';
import { CODE_MS, Logins, SESSION_MS } from './login.ts';

const TOKEN = 'a'.repeat(64);

const ada = { name: 'ada', workspace: '/home/ada/project é' };

function session(logins: Logins): string {
  const made = logins.exchange(logins.issue(ada).code);
  return made!.cookie.split(';')[0]!;
}

test('a code opens one session, and says whose it is and where it works', () => {
  const logins = new Logins(TOKEN, new SimClock());
  const { code } = logins.issue(ada);
  const first = logins.exchange(code);
  expect(first?.session).toEqual(ada);
  expect(first?.cookie).toMatch(/; Path=\/v1; HttpOnly; SameSite=Strict$/);
  expect(logins.knows(first!.cookie.split(';')[0]!)).toBe(true);
  expect(logins.session(first!.cookie.split(';')[0]!)).toEqual(ada);
  expect(logins.exchange(code)).toBeNull();
});

test('the longest session still is a cookie that browsers take', () => {
  const logins = new Logins(TOKEN, new SimClock());
  const { code } = logins.issue({ name: '字'.repeat(200), workspace: `/${'字'.repeat(682)}` });
  expect(logins.exchange(code)!.cookie.split(';')[0]!.length).toBeLessThan(4096);
});

test('a code is good for its minutes only', () => {
  const clock = new SimClock();
  const logins = new Logins(TOKEN, clock);
  const [early, late] = [logins.issue(ada), logins.issue(ada)];
  expect(Date.parse(late.expiresAt) - clock.now()).toBe(CODE_MS);
  clock.advance(CODE_MS - 1);
  expect(logins.exchange(early.code)).not.toBeNull();
  clock.advance(1);
  expect(logins.exchange(late.code)).toBeNull();
});

test('of many codes that nobody used the oldest gives way', () => {
  const logins = new Logins(TOKEN, new SimClock());
  const codes = Array.from({ length: 17 }, () => logins.issue(ada).code);
  expect(logins.exchange(codes[0]!)).toBeNull();
  expect(logins.exchange(codes[1]!)).not.toBeNull();
});

test('a session outlives a restart, ends in time, and with the token', () => {
  const clock = new SimClock();
  const cookie = session(new Logins(TOKEN, clock));
  expect(new Logins(TOKEN, clock).knows(`other=1; ${cookie}`)).toBe(true);
  expect(new Logins('b'.repeat(64), clock).knows(cookie)).toBe(false);
  clock.advance(SESSION_MS);
  expect(new Logins(TOKEN, clock).knows(cookie)).toBe(false);
});

/** The cookie with other content and the signature of its own. */
function altered(cookie: string, change: (held: { expires: number }) => object): string {
  return cookie.replace(/=([^.]*)/, (_, body: string) => {
    const held: { expires: number } = JSON.parse(Buffer.from(body, 'base64url').toString());
    return `=${Buffer.from(JSON.stringify(change(held))).toString('base64url')}`;
  });
}

test.each<[string, (cookie: string) => string | null]>([
  ['none', () => null],
  ['an empty one', () => ''],
  ['another name', cookie => cookie.replace(/^hearth-/, 'earth-')],
  ['a later end', cookie => altered(cookie, held => ({ ...held, expires: held.expires + 1 }))],
  ['another place', cookie => altered(cookie, held => ({ ...held, workspace: '/etc' }))],
  ['one of an older form', cookie => cookie.replace(/=[^.]*/, '=1999999999999')],
  ['a forged signature', cookie => `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`],
  ['a signature cut short', cookie => cookie.slice(0, -1)],
  ['no signature', cookie => cookie.split('.')[0]!],
])('%s is no session', (_name, forge) => {
  const logins = new Logins(TOKEN, new SimClock());
  expect(logins.knows(forge(session(logins)))).toBe(false);
});

const logins = new Logins(TOKEN, new SimClock());
const gate = new Gate(TOKEN, 4310, logins);
const own = { host: '127.0.0.1:4310', cookie: session(logins) };

test.each<[string, string, Record<string, string>, string | null]>([
  ['our page reads', 'GET', { ...own, 'sec-fetch-site': 'same-origin' }, null],
  ['a program reads with the cookie', 'GET', own, null],
  ['our page writes', 'POST', { ...own, origin: 'http://127.0.0.1:4310' }, null],
  ['somebody writes and names no origin', 'POST', own, 'foreign_origin'],
  ['a page of another port reads', 'GET', { ...own, 'sec-fetch-site': 'same-site' }, 'foreign_origin'],
  ['an address typed by hand', 'GET', { ...own, 'sec-fetch-site': 'none' }, 'foreign_origin'],
  ['a page of another port writes', 'POST', { ...own, origin: 'http://127.0.0.1:3000' }, 'foreign_origin'],
  ['a foreign page', 'POST', { ...own, origin: 'https://evil.example' }, 'foreign_origin'],
  ['a rebound name', 'GET', { ...own, host: 'evil.example:4310' }, 'foreign_host'],
  ['no cookie', 'GET', { host: own.host }, 'unauthorized'],
  ['a wrong bearer beside the cookie', 'GET', { ...own, authorization: 'Bearer no' }, 'unauthorized'],
])('with a session: %s', (_name, method, headers, code) => {
  expect(gate.judge(method, new Headers(headers))?.code ?? null).toBe(code);
});
