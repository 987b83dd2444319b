import { createServer, type Server } from 'node:http';
import type { Tool } from '@hearth/engine/tool.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readableText } from './readable-text.ts';
import { isPublic, webFetch, webFetchTool } from './web-fetch.ts';

let server: Server;
let at = '';
beforeAll(async () => {
  server = createServer((request, response): unknown => {
    const path = request.url ?? '/';
    if (path.startsWith('/loop')) return response.writeHead(302, { location: '/loop' }).end();
    if (path === '/away') return response.writeHead(302, { location: 'http://169.254.169.254/keys' }).end();
    if (path === '/other') return response.writeHead(301, { location: 'http://b.example:1/next' }).end();
    if (path === '/packed')
      return response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('x');
    if (path === '/file') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    if (path === '/image') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    if (path === '/large')
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(3 * 1024 * 1024));
    return response
      .writeHead(path === '/gone' ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        '<html><head><title>A &amp; B</title><style>p{}</style></head><body><script>evil()</script><p>One&nbsp;two<p>three <b>four</b></body></html>',
      );
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  at = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
});
afterAll(() => server.close());

const local = webFetchTool(address => address === '127.0.0.1');
const call = (tool: Tool, url: string) =>
  tool.run(
    { url },
    { effect: 'e1', node: 'n', workspace: '/', author: 'x', signal: new AbortController().signal },
  );

describe('a page', () => {
  test('is given as its words', async () => {
    expect((await call(local, `${at}/`)).content).toEqual({
      url: `${at}/`,
      status: 200,
      type: 'text/html; charset=utf-8',
      text: 'A & B\n\nOne two\nthree four',
      cut: false,
    });
    expect((await call(local, `${at}/gone`)).content).toMatchObject({ status: 404 });
  });
  test.each([
    ['/away', 'http://169.254.169.254/keys'],
    ['/other', 'http://b.example:1/next'],
  ])('that leads to another host says so, and is not followed: %s', async (path, leads) => {
    const { content } = await call(local, `${at}${path}`);
    expect(content).toMatchObject({ url: `${at}${path}`, text: expect.stringContaining(leads) as string });
  });
  test('is cut where it is too long', async () => {
    const { content } = await call(local, `${at}/large`);
    expect(content).toMatchObject({ cut: true });
    expect(JSON.stringify(content).length).toBeLessThan(51_000);
  });
});

describe('the words of a page', () => {
  test.each([
    ['<p>a <!-- <b>no</b> --> b</p><SCRIPT>x</script ><template><p>y</p></template>c', 'a b\nc'],
    ['1 < 2 &amp; 3', '1 < 2 & 3'],
    ['<!-- never closed <p>words', 'never closed\nwords'],
    ['<script>never closed', 'never closed'],
    ['<title>T</title><h1>A</h1>İstanbul<br>B', 'T\nT\nA\nİstanbul\nB'],
  ])('%s', (html, words) => expect(readableText(html)).toBe(words));

  // Read anew at each of them, a page of that length takes minutes.
  test.each(['<', '<!--', '<script>', '<p ', '<title', '</script  ', '&#1'])(
    'are read once through, however often a page says %s',
    part => {
      const said = readableText(part.repeat(Math.floor((512 * 1024) / part.length)));
      expect(said.length).toBeLessThan(600 * 1024);
    },
  );
});

describe('what is not fetched', () => {
  test.each([
    ['what comes packed', () => call(local, `${at}/packed`), 'packed'],
    ['a redirect to a file', () => call(local, `${at}/file`), 'no address of a page'],
    ['redirects without an end', () => call(local, `${at}/loop`), 'more than 5 times'],
    ['what is no text', () => call(local, `${at}/image`), 'no text'],
    ['this machine', () => call(webFetch, `${at}/`), 'not on the public net'],
    [
      'this machine by a name',
      () => call(webFetch, at.replace('127.0.0.1', 'localhost')),
      'not on the public net',
    ],
    ['this machine in other digits', () => call(webFetch, 'http://2130706433/'), 'not on the public net'],
    ['an address with a password', () => call(webFetch, 'http://a:b@example.org/'), 'password'],
  ])('%s', async (_what, fetched, why) => {
    expect((await fetched()).error).toContain(why);
  });
  test.each([
    '10.0.0.1',
    '172.20.1.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '::127.0.0.1',
    'fec0::1',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    'no',
  ])('%s', address => expect(isPublic(address)).toBe(false));
  test.each(['93.184.216.34', '2606:2800:220:1::1'])('but %s is public', address =>
    expect(isPublic(address)).toBe(true),
  );
});
