import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { BODY_LIMIT, readJsonBody } from './body.ts';
import { ProblemError } from './problem.ts';

const read = (body: string | Uint8Array<ArrayBuffer>): Promise<unknown> =>
  readJsonBody(
    new Request('http://x/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  );
const codeOf = (body: string | Uint8Array<ArrayBuffer>): Promise<unknown> =>
  read(body).then(
    () => 'read',
    (error: unknown) => (error instanceof ProblemError ? error.code : error),
  );

test.each<[string, string]>([
  ['plain letters', 'a'],
  ['characters that JSON writes with six', '\u0001'],
  ['characters of four bytes', '\u{1F600}'],
])('a text of %s fits by its own size, whatever its JSON takes', async (_, character) => {
  const size = Buffer.byteLength(character);
  const fits = character.repeat(Math.floor((BODY_LIMIT - 4) / size));
  expect(await read(JSON.stringify({ text: fits }))).toEqual({ text: fits });
  expect(await codeOf(JSON.stringify({ text: fits + character.repeat(8) }))).toBe('too_large');
});

test('many texts count together, and so do the names of fields', async () => {
  const half = 'x'.repeat(BODY_LIMIT / 2);
  expect(await codeOf(JSON.stringify([half, half]))).toBe('read');
  expect(await codeOf(JSON.stringify([half, half, 'x']))).toBe('too_large');
  expect(await codeOf(JSON.stringify({ [half]: half, x: 1 }))).toBe('too_large');
});

test('a body without texts is bounded too, and depth is no way round', async () => {
  expect(await codeOf(`[${'0,'.repeat(8 * 1024 * 1024)}0]`)).toBe('too_large');
  expect(await codeOf('['.repeat(100_000) + ']'.repeat(100_000))).toBe('read');
});

test.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ['no JSON', '{'],
  ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
])('a body that is %s is malformed', async (_, body) => {
  expect(await codeOf(body)).toBe('malformed');
});

test('a body that breaks off is told as such: that its sender left is no fault of the service', async () => {
  const body = new PassThrough();
  body.write('{"text":');
  const sent = { headers: new Headers({ 'content-type': 'application/json' }), body };
  const read = readJsonBody(sent);
  body.destroy(new Error('aborted'));
  await expect(read).rejects.toMatchObject({ name: 'ProblemError', code: 'malformed' });
});
