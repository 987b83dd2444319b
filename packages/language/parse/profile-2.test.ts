import { describe, expect, test } from 'vitest';
import { parse } from './file.ts';

const codes = (source: string): readonly string[] =>
  parse(source, 'm').diagnostics.map(({ code, at }) => `${code} ${at.line}:${at.column}`);
const read = (source: string): unknown => parse(source, 'm').file.declarations;

describe('the declaration', () => {
  test.each([
    ['dsl: 1\nagent a:\n  model: "m"\n', []],
    ['# note\n\ndsl: 2\nagent a:\n  model: m\n', []],
    ['dsl: 9\n', ['E040 1:6']],
    ['dsl: two\n', ['E040 1:6']],
    ['dsl:\n', ['E040 1:5']],
    ['dsl: 2\ndsl: 2\n', ['E041 2:1']],
    ['agent a:\n  model: "m"\ndsl: 2\nagent b:\n  model: "m"\n', ['E041 3:1']],
    ['dsl: 2 3\nagent b:\n  model: "m"\n', ['E002 1:8']],
  ])('%j', (source, expected) => {
    expect(codes(source)).toEqual(expected);
  });

  test('the file knows its profile', () => {
    expect(parse('dsl: 2\n', 'm').file.profile).toBe(2);
    expect(parse('', 'm').file.profile).toBe(1);
  });
});

/** Each piece of syntax, and the error that profile 1 gives to it. */
const PIECES: readonly (readonly [string, string, string, object])[] = [
  [
    'a bare word for a string',
    'agent a:\n  backend: claw\n  tools: [x]\n',
    'E002 2:12',
    { properties: { backend: { value: 'claw' }, tools: { value: [{ value: 'x' }] } } },
  ],
  [
    'a comment with one mark',
    'agent a: # one\n  model: "m" # two\n',
    'E002 1:10',
    { properties: { model: { value: 'm' } } },
  ],
  ['an empty list', 'agent a:\n  tools: []\n', 'E002 2:11', { properties: { tools: { value: [] } } }],
  [
    'a list of lines with dashes',
    'agent a:\n  tools:\n    - bash # note\n    - mcp.x.*\n\n  model: "m"\n',
    'E002 2:9',
    { properties: { tools: { value: [{ value: 'bash' }, { value: 'mcp.x.*' }] }, model: { value: 'm' } } },
  ],
  [
    'a value over a number',
    'workflow w:\n  a -> b with { x: 1, y: 2.5, z: true, w: word }\n',
    'E002 2:20',
    {
      edges: [
        {
          with: [
            { value: { value: '1' } },
            { value: { value: '2.5' } },
            { value: { value: 'true' } },
            { value: { value: 'word' } },
          ],
        },
      ],
    },
  ],
  [
    'chained edges',
    'workflow w:\n  a -> b -> c when ok\n',
    'E001 2:10',
    {
      edges: [
        { from: { value: 'a' }, to: { value: 'b' }, when: null },
        { from: { value: 'b' }, to: { value: 'c' }, when: { field: 'ok' }, at: { line: 3, column: 8 } },
      ],
    },
  ],
  [
    'else',
    'workflow w:\n  a -> b else with { x: "1" }\n',
    'E002 2:15',
    { edges: [{ else: { line: 3, column: 10 }, with: [{}] }] },
  ],
  ['an empty block', 'schema s:\n\n', 'E002 3:1', { kind: 'schema', fields: [] }],
  [
    'permissions',
    'agent a:\n  permission: ask\n  allow: ["Bash(git:*)", Read]\n  ask:\n    - Write\n  deny: []\n',
    'E012 2:3',
    {
      properties: {
        permission: { value: 'ask' },
        allow: { value: [{ value: 'Bash(git:*)' }, { value: 'Read' }] },
        ask: { value: [{ value: 'Write' }] },
        deny: { value: [] },
      },
    },
  ],
  [
    'a fail node',
    'fail no_ticket:\n  code: NO_TICKET\n  message: "none of {{vars.x}}"\n  resumable: true\n',
    'E001 1:1',
    {
      kind: 'fail',
      name: { value: 'no_ticket' },
      properties: { code: { value: 'NO_TICKET' }, resumable: { value: true } },
    },
  ],
];

describe('what profile 2 adds', () => {
  test.each(PIECES)('%s', (_, source, inProfile1, expected) => {
    expect(codes(`dsl: 2\n${source}`)).toEqual([]);
    expect(read(`dsl: 2\n${source}`)).toMatchObject([expected]);
    expect(codes(source)[0]).toBe(inProfile1);
  });

  test('secrets', () => {
    const source =
      'secrets:\n  token:\n    env: TOKEN\n    as: file\n    hosts: ["x.org"]\n    optional: true\n  other:\n  third:\n';
    const { file, diagnostics } = parse(`dsl: 2\n${source}`, 'm');
    expect(diagnostics).toEqual([]);
    expect(file.secrets?.value).toMatchObject([
      {
        name: { value: 'token' },
        properties: {
          env: { value: 'TOKEN' },
          as: { value: 'file' },
          hosts: { value: [{ value: 'x.org' }] },
        },
      },
      { name: { value: 'other' }, properties: {} },
      { name: { value: 'third' }, properties: {} },
    ]);
    expect(codes(source)).toEqual(['E001 1:1']);
  });

  test('blank lines inside a prompt, not around it', () => {
    const source = 'prompt p:\n\n  one\n\n   \n  two\n\nagent a:\n  model: "m"\n';
    const lines = (text: string): unknown => {
      const prompt = parse(text, 'm').file.declarations[0];
      return prompt?.kind === 'prompt' ? prompt.lines.map(line => line.value) : [];
    };
    expect(lines(source)).toEqual(['one', 'two']);
    expect(lines(`dsl: 2\n${source}`)).toEqual(['one', '', '', 'two']);
  });

  test('prompts written inline', () => {
    const source =
      'dsl: 2\nagent a:\n  system: "be kind"\n  user: |\n\n      one\n       {{input.x}}\n  model: m\nagent b:\n  system: `be kind`\n';
    const { file, diagnostics } = parse(source, 'm');
    expect(diagnostics).toEqual([]);
    const [a, b, kind, user] = file.declarations;
    expect([kind, user]).toMatchObject([
      { kind: 'prompt', lines: [{ value: 'be kind', at: { line: 3, column: 12 } }] },
      {
        kind: 'prompt',
        lines: [
          { value: 'one', at: { line: 6, column: 7 } },
          { value: ' {{input.x}}', at: { line: 7, column: 7 } },
        ],
      },
    ]);
    expect([a, b]).toMatchObject([
      { properties: { system: { value: kind?.name.value }, user: { value: user?.name.value } } },
      { properties: { system: { value: kind?.name.value } } },
    ]);
    expect(file.declarations).toHaveLength(4);
    expect(codes('agent a:\n  system: "be kind"\n')).toEqual(['E002 2:11']);
  });
});

describe('what is wrong in it', () => {
  test.each([
    ['an unknown escape', 'agent a:\n  model: "\\q"\n', ['E005 3:10']],
    ['a string that is not closed', 'agent a:\n  model: "m\n', ['E004 3:10']],
    ['a tab', 'agent a:\n\tmodel: m\n', ['E003 3:1']],
    ['indentation that matches nothing', 'agent a:\n    model: m\n  tools: []\n', ['E003 4:3']],
    ['a condition and `else`', 'workflow w:\n  a -> b when x else\n', ['E031 3:17']],
    ['`else` twice', 'workflow w:\n  a -> b else else\n', ['E030 3:15']],
    ['a clause inside a chain', 'workflow w:\n  a -> b when x -> c\n', ['E032 3:17']],
    ['a chain without an end', 'workflow w:\n  a -> b ->\n  entry: a\n', ['E002 3:12']],
    ['a value of two words', 'agent a:\n  model: gpt-5\n  tools: []\n', ['E002 3:10']],
    ['the switch for escapes', '## strict-escape: on\nagent a:\n  model: m\n', ['E042 2:1']],
    ['a line without a dash', 'agent a:\n  tools:\n    - x\n    y\n    - z\n', ['E002 5:5']],
  ])('%s', (_, source, expected) => {
    expect(codes(`dsl: 2\n${source}`)).toEqual(expected);
  });
});

describe('what is not supported', () => {
  test.each([
    ['supervisor s:\n  watches: [a]\nagent a:\n  model: m\n', ['H003 2:1']],
    ['agent a:\n  fallbacks:\n    one:\n      model: m\n  model: m\n', ['H003 3:3']],
    ['workflow w:\n  a -> b as foreach n(x in "y")\n  a -> b as l(unbounded 5)\n', ['H003 3:13']],
  ])('is named once, as a warning, and the rest is read: %j', (source, expected) => {
    const { diagnostics, file } = parse(`dsl: 2\n${source}`, 'm');
    expect(codes(`dsl: 2\n${source}`)).toEqual(expected);
    expect(diagnostics.every(one => one.severity === 'warning')).toBe(true);
    expect(file.unsupported).toHaveLength(expected.length);
    expect(file.declarations).toHaveLength(1);
  });
});
