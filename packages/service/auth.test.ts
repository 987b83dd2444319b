import { expect, test } from 'vitest';
import { Gate } from './auth.ts';

const TOKEN = 'a'.repeat(64);
const gate = new Gate(TOKEN, 4310);
const good = { host: '127.0.0.1:4310', authorization: `Bearer ${TOKEN}` };

test.each<[string, Record<string, string>, string | null]>([
  ['the token at our address', good, null],
  ['localhost by name', { ...good, host: 'localhost:4310' }, null],
  ['our own page', { ...good, origin: 'http://127.0.0.1:4310' }, null],
  ['a lower-case scheme', { ...good, authorization: `bearer ${TOKEN}` }, null],
  ['no bearer', { host: good.host }, 'unauthorized'],
  ['an empty bearer', { ...good, authorization: 'Bearer ' }, 'unauthorized'],
  ['another token', { ...good, authorization: `Bearer ${'b'.repeat(64)}` }, 'unauthorized'],
  ['a part of the token', { ...good, authorization: `Bearer ${TOKEN.slice(1)}` }, 'unauthorized'],
  ['another scheme', { ...good, authorization: `Basic ${TOKEN}` }, 'unauthorized'],
  ['no Host', { authorization: good.authorization }, 'foreign_host'],
  ['a rebound name', { ...good, host: 'evil.example:4310' }, 'foreign_host'],
  ['another port', { ...good, host: '127.0.0.1:80' }, 'foreign_host'],
  ['loopback as a prefix', { ...good, host: '127.0.0.1:4310.evil.example' }, 'foreign_host'],
  ['a foreign page', { ...good, origin: 'https://evil.example' }, 'foreign_origin'],
  ['a page of another port', { ...good, origin: 'http://127.0.0.1:3000' }, 'foreign_origin'],
  ['a sandboxed page', { ...good, origin: 'null' }, 'foreign_origin'],
])('%s', (_name, headers, code) => {
  expect(gate.judge('GET', new Headers(headers))?.code ?? null).toBe(code);
});
