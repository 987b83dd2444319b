import { describe, expect, test } from 'vitest';
import { agent, base, beside, plain, workflow } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

describe('presets', () => {
  const presets = (text: string): string =>
    beside(
      `vars:\n  i: int\n  f: float\n  b: bool\n  s: string\n  j: json\n  l: string[]\n\npresets:\n${text}`,
    );
  test.each<Verdict>([
    [
      'values that fit',
      presets('  q:\n    i: 1\n    f: 1\n    b: true\n    s: "x"\n    j: "{}"\n    l: "a,b"'),
      '',
    ],
    ['a fraction for an int', presets('  q:\n    i: 1.0'), 'C071'],
    ['a text for an int', presets('  q:\n    i: "1"'), 'C071'],
    [
      'a number for a text, a bool, a list',
      presets('  q:\n    s: 1\n    b: 0\n    l: 1\n    j: 1'),
      'C071 C071 C071 C071',
    ],
    ['unknown vars', presets('  q:\n    x: 1\n    y: 2'), 'C070 C070'],
    ['a preset twice is not looked at again', presets('  q:\n    i: 1\n  q:\n    x: 1'), 'C072'],
    [
      'the type is that of the workflow',
      `vars:\n  i: int\n\npresets:\n  q:\n    i: "x"\n\n${plain('a')}${workflow('a', 'vars:', '  i: string', 'a -> done')}`,
      '',
    ],
    [
      'of a var that is declared twice the last type',
      beside('vars:\n  i: int\n  i: bool\n\npresets:\n  q:\n    i: true'),
      '',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('attachments', () => {
  const accept = (list: string): string => beside(`attachments:\n  f: file\n    accept_mime: [${list}]`);
  test.each<Verdict>([
    ['MIME types', accept('"image/png", "image/*", "application/vnd.ms-excel; charset=x"'), ''],
    ['what is none', accept('"pdf", "", "/png", "image/"'), 'C052 C052 C052 C052'],
    ['declared twice', beside('attachments:\n  f: file\n  f: file\n    accept_mime: ["pdf"]'), 'C050'],
    [
      'declared in the file and in the workflow',
      `attachments:\n  f: file\n\n${plain('a')}${workflow('a', 'attachments:', '  f: image', 'a -> done')}`,
      'C050',
    ],
    [
      'with the name of a var',
      beside('vars:\n  f: int\n\nattachments:\n  f: file\n    accept_mime: ["pdf"]'),
      'C051',
    ],
    [
      'with the name of a var of the workflow',
      `attachments:\n  f: file\n\n${plain('a')}${workflow('a', 'vars:', '  f: int', 'a -> done')}`,
      'C051',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('tool servers', () => {
  const server = (properties: string): string => beside(`mcp_server x:\n  ${properties}`);
  const auth = (properties: string): string =>
    server(`transport: sse\n  url: "https://h/x"\n  auth:\n    ${properties.replaceAll('\n', '\n    ')}`);
  const whole = 'type: "oauth2"\nauth_url: "https://h/a"\ntoken_url: "http://h/t"\nclient_id: "me"';
  test.each<Verdict>([
    ['stdio', server('transport: stdio\n  command: "c"\n  args: ["x"]'), ''],
    ['stdio without a command', server('transport: stdio'), 'C025'],
    [
      'stdio with an empty command and a url',
      server('transport: stdio\n  command: ""\n  url: "http://h"'),
      'C025 C025',
    ],
    ['http', server('transport: http\n  url: "http://h"\n  args: []'), ''],
    ['http without anything', server('transport: http'), 'C025'],
    [
      'sse with a command and args',
      server('transport: sse\n  command: "c"\n  args: ["x"]'),
      'C025 C025 C025',
    ],
    ['no transport', server('url: "http://h"'), 'C025'],
    [
      'declared twice, the second is not looked at',
      `${server('transport: stdio\n  command: "c"')}mcp_server x:\n  transport: http\n  auth:\n    type: "basic"\n`,
      'C024',
    ],
    ['oauth2', auth(`${whole}\nscopes: ["a"]`), ''],
    ['oauth2 with an address to revoke', auth(`${whole}\nrevoke_url: "https://h/r"`), ''],
    ['another kind', auth('type: "basic"'), 'C038'],
    ['no kind', auth('client_id: "me"'), 'C038'],
    ['each missing part', auth('type: "oauth2"'), 'C038 C038 C038'],
    [
      'each wrong address',
      auth('type: "oauth2"\nauth_url: "ftp://h"\ntoken_url: "h/t"\nrevoke_url: "https://"\nclient_id: ""'),
      'C038 C038 C038 C038',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });

  const browser = (command: string, sandbox: string): string =>
    `mcp_server x:\n  transport: stdio\n  ${command}\n\n${plain('a')}${workflow('a', ...sandbox.split('\n'), 'a -> done')}`;
  const NPX = 'command: "npx"\n  args: ["-y", "@playwright/mcp@latest"]';
  test.each<Verdict>([
    ['fetched', browser(NPX, 'sandbox: auto'), 'C060'],
    ['in any case', browser('command: "NPX"\n  args: ["@Playwright/MCP"]', 'sandbox: auto'), 'C060'],
    ['installed', browser('command: "/usr/bin/playwright_mcp"', 'sandbox: auto'), 'C060'],
    ['another program', browser('command: "uvx"\n  args: ["@playwright/mcp"]', 'sandbox: auto'), ''],
    ['no sandbox', browser(NPX, 'sandbox: none'), ''],
    ['a sandbox that is none', browser(NPX, 'sandbox: maybe'), 'C044'],
    ['an image without one', browser(NPX, 'sandbox:\n  image: "ubuntu"'), 'C060'],
    ['an image with one', browser(NPX, 'sandbox:\n  image: "ghcr.io/x/My-Sandbox-Browser:edge"'), ''],
    ['the full image', browser(NPX, 'sandbox:\n  image: "x/sandbox-full-browser"'), ''],
  ])('a browser: %s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('sandboxes', () => {
  const block = (...lines: readonly string[]): string =>
    plain('a') + workflow('a', 'sandbox:', ...lines.map(line => `  ${line}`), 'a -> done');
  test.each<Verdict>([
    ['auto', plain('a') + workflow('a', 'sandbox: auto', 'a -> done'), ''],
    ['an unknown mode', block('mode: docker'), 'C044'],
    ['inline in short', plain('a') + workflow('a', 'sandbox: inline', 'a -> done'), 'C044'],
    ['a block is inline', block('user: "me"'), 'C044'],
    ['an image', block('image: "x"', 'host_state: none'), ''],
    ['an empty image is none', block('image: ""'), 'C044'],
    ['a build', block('build:', '  dockerfile: "D"'), ''],
    ['an image and a build', block('image: "x"', 'build:', '  dockerfile: "D"'), 'C044'],
    ['under auto as well', block('mode: auto', 'image: "x"', 'build:', '  dockerfile: "D"'), 'C044'],
    ['an unknown host state', block('mode: auto', 'host_state: maybe'), 'C044'],
    ['only the first fault is told', block('mode: docker', 'host_state: maybe'), 'C044'],
    [
      'each node on its own',
      `${agent('a', 'sandbox: docker')}tool b:\n  command: "ls"\n  sandbox: docker\n\n${workflow('a', 'sandbox: docker', 'a -> b', 'b -> done')}`,
      'C044 C044 C044',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('cursors', () => {
  const cursor = (body: string): string => beside(`cursor zeal:\n${body}`);
  test.each<Verdict>([
    ['values', cursor('  values:\n    low: "a"\n    high: "b"'), ''],
    ['bands with a gap', cursor('  bands:\n    "0..0.3": "a"\n    "0.5 .. 1": "b"'), ''],
    ['both', cursor('  values:\n    low: "a"\n  bands:\n    "0..1": "a"'), 'C085'],
    ['neither', cursor('  description: "x"'), 'C085'],
    ['an empty value', cursor('  values:\n    low: ""'), 'C085'],
    ['a blank value is one', cursor('  values:\n    low: " "'), ''],
    ['an empty band is one', cursor('  bands:\n    "0..1": ""'), ''],
    ['a value twice', cursor('  values:\n    low: "a"\n    low: "b"'), 'C085'],
    ['no range', cursor('  bands:\n    "half": "a"'), 'C085'],
    ['from high to low', cursor('  bands:\n    "0.6..0.5": "a"'), 'C085'],
    ['beyond 1', cursor('  bands:\n    "0..1.1": "a"'), 'C085'],
    ['below 0', cursor('  bands:\n    "-0.1..1": "a"'), 'C085'],
    ['one number', cursor('  bands:\n    "0.5..0.5": "a"'), ''],
    ['an open end', cursor('  bands:\n    "0.5..": "a"'), 'C085'],
    ['bands that touch overlap', cursor('  bands:\n    "0..0.5": "a"\n    "0.5..1": "b"'), 'C085'],
    ['many faults of one cursor are one error', cursor('  bands:\n    "x": "a"\n    "y": "b"'), 'C085'],
    [
      'declared twice',
      `cursor zeal:\n  values:\n    low: "a"\n\n${cursor('  values:\n    low: ""')}`,
      'C086',
    ],
    [
      'after one that is none',
      `cursor zeal:\n  description: "x"\n\n${cursor('  values:\n    low: "a"')}`,
      'C085',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });

  const values = 'values:\n    low: "a"\n    high: "b"';
  const bands = 'bands:\n    "0..0.3": "a"\n    "0.5..1": "b"';
  const set = (declared: string, setting: string): string =>
    `cursor zeal:\n  ${declared}\n\n${agent('a', `cursors:\n    ${setting}`)}${workflow('a', 'a -> done')}`;
  test.each<Verdict>([
    ['a value', set(values, 'zeal: low'), ''],
    ['a value in quotes', set(values, 'zeal: "high"'), ''],
    ['another case is another value', set(values, 'zeal: Low'), 'C084'],
    ['a number among values', set(values, 'zeal: 0.7'), ''],
    ['a number in quotes', set(values, 'zeal: " 1 "'), ''],
    ['a number beyond 1', set(values, 'zeal: 2'), 'C084'],
    ['a number in a band', set(bands, 'zeal: 0.3'), ''],
    ['a number in a gap', set(bands, 'zeal: 0.4'), 'C084'],
    ['a word among bands', set(bands, 'zeal: low'), 'C084'],
    ['an empty one', set(values, 'zeal: ""'), 'C084'],
    ['from the environment', set(values, 'zeal: "${ZEAL:-x}"'), ''],
    ['a bare dollar is no variable', set(values, 'zeal: "$ZEAL"'), 'C084'],
    ['an unknown cursor', set(values, 'calm: low'), 'C083'],
    ['a cursor that is none', set('description: "x"', 'zeal: low'), 'C083 C085'],
    ['set but not enabled', set(values, 'enabled: false\n    zeal: nope'), 'C084'],
    ['of a judge', set(values, 'zeal: nope').replace('agent a', 'judge a'), 'C084'],
  ])('set to %s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

test('a duration that cannot be read bounds nothing, and is only warned about', () => {
  const main = (text: string): string =>
    plain('a') + workflow('a', 'budget:', `  max_duration: "${text}"`, 'a -> done');
  expect(codesOf(main('soon'))).toEqual(['H005']);
  expect(codesOf(main(''))).toEqual([]);
  expect(codesOf(main('1h30m'))).toEqual([]);
  expect(codesOf(base('a -> done').replace('entry: a', 'entry: a\n  worktree: always'))).toEqual(['H035']);
});
