import type { ToolNode } from '@hearth/language/plan/node.ts';
import type { Secret } from '@hearth/language/plan/settings.ts';
import { parseTemplate } from '@hearth/language/refs/template-parser.ts';
import type { Value } from '@hearth/language/value.ts';
import { describe, expect, it, test } from 'vitest';
import { namedSecrets, toolName, toolText, toolTitle } from './tool-work.ts';

const VALUES: Readonly<Record<string, Value>> = {
  name: "O'Hara $(touch here)",
  count: 3,
  ok: true,
  none: null,
  list: ['a b', 2, "it's"],
  empty: [],
  deep: { a: [1, "x'y"] },
  nested: [['a'], 'b'],
  ref: '{{input.count}}',
};

function node(text: string, language?: Extract<ToolNode['body'], { is: 'script' }>['language']): ToolNode {
  const template = parseTemplate(text, 2).template;
  return {
    kind: 'tool',
    name: 't',
    input: null,
    output: null,
    await: null,
    body:
      language === undefined ? { is: 'command', text: template } : { is: 'script', language, text: template },
  };
}

const rendered = (...of: Parameters<typeof node>): string =>
  toolText(
    node(...of),
    ({ path }) => VALUES[path[1] ?? ''],
    text => text.replaceAll('${ROOT}', '/r'),
  );

const SECRETS: readonly Secret[] = [
  { name: 'api', env: 'API_KEY', as: 'value' },
  { name: 'key', env: 'KEY_FILE', as: 'file' },
].map(({ name, env, as }) => ({
  name,
  env,
  as: as === 'file' ? 'file' : 'value',
  value: null,
  mountPath: null,
  optional: false,
  hosts: [],
  description: null,
}));

test.each<[string, Parameters<typeof node>[1], string]>([
  ['use {{secrets.api}} {{secrets.key}}', undefined, 'use "${API_KEY}" "${HEARTH_SECRET_KEY}"'],
  ['use "Bearer {{!secrets.api}}"', 'sh', 'use "Bearer ${API_KEY}"'],
  ['use({{secrets.api}})', 'js', "use(process.env['API_KEY'])"],
  ['use({{secrets.api}})', 'py', "use(__import__('os').environ['API_KEY'])"],
  ['use {{secrets.key.path}}', undefined, "use '/files/key'"],
])('a program reads the value of a secret from its environment: %s', (text, language, expected) => {
  const lookup = ({ path }: { readonly path: readonly string[] }): Value | undefined =>
    path[2] === 'path' ? `/files/${path[1] ?? ''}` : 'its value';
  expect(toolText(node(text, language), lookup, one => one, SECRETS)).toBe(expected);
});

test('the secrets that a text names by value, and no others', () => {
  expect([...namedSecrets(node('a {{secrets.api}} {{secrets.key.path}} {{input.secrets}}'))]).toEqual([
    'api',
  ]);
});

test.each([
  ['ls', 'ls'],
  ['list_issues', 'list_issues'],
  ['mcp.git.status', 'mcp.git.status'],
  ['  list_issues ', 'list_issues'],
  ['ls -l', null],
  ['./run', null],
  ['$RUN', null],
  ['run>out', null],
  ['{{input.name}}', null],
])('the command %j names %j', (text, expected) => {
  expect(toolName(node(text))).toBe(expected);
});

test('a script names nothing', () => expect(toolName(node('ls', 'sh'))).toBeNull());

describe('in a command', () => {
  test.each([
    ['echo {{input.name}}', `echo 'O'\\''Hara $(touch here)'`],
    ['echo {{input.count}} {{input.ok}}', "echo '3' 'true'"],
    ['echo {{input.list}}', `echo 'a b' '2' 'it'\\''s'`],
    ['echo {{input.empty}}.', 'echo .'],
    ['echo {{input.deep}}', `echo '{"a":[1,"x'\\''y"]}'`],
    ['echo {{input.nested}}', `echo '[["a"],"b"]'`],
    ['echo {{input.none}}', 'echo {{input.none}}'],
    ['echo {{input.gone}}', 'echo {{input.gone}}'],
    ['echo {{!input.list}}', 'echo ["a b",2,"it\'s"]'],
    ['echo {{!input.ref}}', 'echo {{input.count}}'],
    ['cd ${ROOT}; echo $HOME', 'cd /r; echo $HOME'],
  ])('%s becomes %s', (text, expected) => expect(rendered(text)).toBe(expected));
});

describe('in a script', () => {
  test.each([
    [
      'js',
      'f({{input.name}}, {{input.none}}, {{input.deep}})',
      `f("O'Hara $(touch here)", null, {"a":[1,"x'y"]})`,
    ],
    ['python', 'f({{input.ok}}, {{input.none}}, {{input.deep}})', `f(True, None, {"a": [1, "x'y"]})`],
    // In double quotes the shell would carry out what a person wrote.
    ['sh', 'x={{input.name}}', `x='O'\\''Hara $(touch here)'`],
    ['bash', 'x={{input.none}}', 'x=null'],
  ] as const)('of %s, %s becomes %s', (language, text, expected) => {
    expect(rendered(text, language)).toBe(expected);
  });
});

describe('what people are shown of it', () => {
  it('is the first line as its author wrote it, without a value', () => {
    expect(toolTitle(node('echo {{input.name}}\nrm x'))).toBe('echo {{input.name}}');
  });
  it('is bounded', () => expect(toolTitle(node(`echo ${'x'.repeat(500)}`))).toHaveLength(121));
});
