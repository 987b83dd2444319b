import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourceLike } from '../testing/source-like.ts';
import { CODES } from '../codes.ts';
import { parse, read } from './file.ts';
import { print } from './tree.ts';

const codes = (source: string): readonly string[] =>
  parse(source, 'main.bot').diagnostics.map(({ code, at }) => `${code} ${at.line}:${at.column}`);

test('any text parses, and its tree prints as the text', () => {
  fc.assert(
    fc.property(fc.oneof(sourceLike, fc.string({ unit: 'binary' })), source => {
      expect(print(parse(source, 'main.bot').tree)).toBe(source);
    }),
  );
});

test('a valid source with any piece cut out parses, and its tree prints as the text', () => {
  const sources = CODES.map(one => one.wrong);
  fc.assert(
    fc.property(fc.constantFrom(...sources), fc.nat(), fc.nat(20), (source, start, length) => {
      const at = start % source.length;
      const cut = source.slice(0, at) + source.slice(at + length);
      expect(print(parse(cut, 'main.bot').tree)).toBe(cut);
    }),
  );
});

describe('recovery', () => {
  test.each([
    [
      'an unknown property takes its block with it',
      'agent a:\n  colours:\n    red: 1\n  model: "m"\n',
      ['E012 2:3'],
    ],
    [
      'a wrong value costs its line only',
      'agent a:\n  model: 5\n  session: sticky\n',
      ['E002 2:10', 'E020 3:12'],
    ],
    ['tokens after a value are read as the next property', 'agent a:\n  model: "m" "n"\n', ['E012 2:14']],
    ['two properties may share a line', 'agent a:\n  model: "m" backend: "b"\n', []],
    ['a header without a body drops the declaration', 'agent a:\nagent b:\n  model: "m"\n', ['E002 2:1']],
    ['a tab hides its line', 'agent a:\n  model: "m"\n\tbackend: "x"\n  input: s\n', ['E012 3:1']],
    [
      'an unexpected block is one error',
      'agent a:\n  model: "m"\n    x: 1\n    y: 2\n  input: s\n',
      ['E012 3:5'],
    ],
    ['text before a declaration is one error', 'x: y\nz\nagent a:\n  model: "m"\n', ['E001 1:1']],
    ['an indented file is one error', '  agent a:\n    model: "m"\n', ['E001 1:3']],
    ['an empty list of tools', 'agent a:\n  tools: []\n', ['E002 2:11']],
    ['an empty list of strings', 'mcp_server m:\n  args: []\n', []],
    [
      'a wrong edge costs its line only',
      'workflow w:\n  a ->\n  a -> b when\n  entry: a\n',
      ['E002 2:7', 'E002 3:14'],
    ],
    ['a `with` that never ends', 'workflow w:\n  a -> b with { x: "1"\n  b -> c\n  entry: a\n', ['E002 3:5']],
    ['a number too large', 'agent a:\n  max_tokens: 99999999999999999999\n', ['E002 2:15']],
    ['a literal too large', 'vars:\n  n: int = 9223372036854775808\n', ['E020 2:12']],
    [
      'the largest numbers',
      'vars:\n  n: int = 9223372036854775807\nagent a:\n  max_tokens: 9223372036854775807\n',
      [],
    ],
    ['an empty condition', 'workflow w:\n  a -> b when ""\n', ['E002 2:15']],
  ])('%s', (_, source, expected) => {
    expect(codes(source)).toEqual(expected);
  });
});

test('a hopeless file is told in five hundred errors, the last of which counts the rest', () => {
  const { diagnostics } = parse(`agent a:\n${'  colour: 1\n'.repeat(700)}`, 'm');
  expect(diagnostics).toHaveLength(500);
  expect(diagnostics.at(-1)?.message).toMatch(/200 more errors follow$/);
});

test.each([
  ['edges', `workflow w:\n${'  a -> b\n'.repeat(150_000)}`],
  ['a chain', `dsl: 2\nworkflow w:\n  a${' -> b'.repeat(150_000)}\n`],
  ['a list', `agent a:\n  tools: [a${', b'.repeat(150_000)}]\n`],
  ['values', `workflow w:\n  a -> b with { ${'x: "1" '.repeat(100_000)}}\n`],
  ['declarations', 'schema s:\n  a: int\n'.repeat(100_000)],
  ['comments', `agent a:\n${'  ## x\n'.repeat(150_000)}  model: "m"\n`],
])('very many %s are read', (_, source) => {
  expect(parse(source, 'm').diagnostics).toEqual([]);
});

describe('what is understood', () => {
  test('words of the language may name things', () => {
    const source =
      'schema agent:\n  model: string\n\nagent tool:\n  model: "m"\n\nprompt review:\n  hi\n\nworkflow when:\n  entry: tool\n  tool -> done when done as as(1)\n';
    expect(codes(source)).toEqual([]);
    expect(parse(source, 'm').file.declarations.map(one => `${one.kind} ${one.name.value}`)).toEqual([
      'schema agent',
      'agent tool',
      'prompt review',
      'workflow when',
    ]);
  });

  test('layout inside braces is free, and what follows stays in the workflow', () => {
    const source = [
      'workflow w:',
      '  a -> b with {',
      '        x: "1",  ## note',
      '    y: "2"',
      '      }',
      '  b -> c with { z: "3" }',
      '  entry: a',
      '',
    ].join('\n');
    const { file, diagnostics } = parse(source, 'm');
    expect(diagnostics).toEqual([]);
    expect(file.declarations).toMatchObject([
      {
        properties: { entry: { value: 'a' } },
        edges: [
          { with: [{ name: { value: 'x' } }, { name: { value: 'y' } }] },
          { with: [{ name: { value: 'z' } }] },
        ],
      },
    ]);
  });

  test('braces that close less deep than they open', () => {
    const source = 'workflow w:\n    a -> b with {\n  x: "1"\n}\n    entry: a\n';
    const { file, diagnostics } = parse(source, 'm');
    expect(diagnostics).toEqual([]);
    expect(file.declarations).toMatchObject([
      { properties: { entry: { value: 'a' } }, edges: [{ from: { value: 'a' } }] },
    ]);
  });

  test('clauses come in any order', () => {
    const source = 'workflow w:\n  a -> b with { x: "1" } as l("{{vars.n}}") when not ok\n';
    expect(parse(source, 'm').file.declarations).toMatchObject([
      {
        edges: [{ when: { field: 'ok', negated: true }, loop: { name: 'l', cap: '{{vars.n}}' }, with: [{}] }],
      },
    ]);
  });

  test('a property written twice: the last one counts', () => {
    const { file, diagnostics } = parse('agent a:\n  model: "x"\n  model: "y"\n', 'm');
    expect(diagnostics).toEqual([]);
    expect(file.declarations).toMatchObject([{ properties: { model: { value: 'y' } } }]);
  });

  test('names that objects know already', () => {
    const source = 'agent constructor:\n  __proto__: "x"\n  toString: "x"\n';
    expect(codes(source)).toEqual(['E012 2:3', 'E012 3:3']);
  });

  test('comments between declarations are kept', () => {
    const source =
      '## one\nagent a:\n  ## two\n  model: "m"\n  memory:\n    enabled: true\n## three\n  ## four\nagent b:\n  model: "m"\n';
    const { file, diagnostics } = parse(source, 'm');
    expect(diagnostics).toEqual([]);
    expect(file.comments.map(one => one.value)).toEqual(['one', 'three', 'four']);
    expect(file.declarations).toHaveLength(2);
  });

  test('a comment further left does not end a block that goes on', () => {
    const source =
      'agent a:\n  memory:\n    enabled: true\n  ## one\n## two\n    scope: "x"\n## three\n  model: "m"\n';
    const { file, diagnostics } = parse(source, 'm');
    expect(diagnostics).toEqual([]);
    expect(file.declarations).toMatchObject([
      { properties: { memory: { value: { scope: { value: 'x' } } }, model: { value: 'm' } } },
    ]);
  });

  test('a nearest name is offered', () => {
    const { diagnostics } = parse(
      'agnet a:\n  model: "m"\nagent a:\n  modle: "m"\n  session: inherits\n',
      'm',
    );
    expect(diagnostics.map(one => one.fix)).toEqual([
      'did you mean `agent`?',
      'did you mean `model`?',
      'did you mean `inherit`?',
    ]);
  });

  test('an edge from a node that is called like a property says what the line is', () => {
    const { diagnostics } = parse('workflow w:\n  entry -> done\n', 'm');
    expect(diagnostics).toMatchObject([
      { code: 'E002', fix: expect.stringContaining('rename the node `entry`') },
    ]);
  });
});

test('a source means the same without its tree', () => {
  fc.assert(
    fc.property(sourceLike, source => {
      const { file, diagnostics } = parse(source, 'main.bot');
      expect(read(source, 'main.bot')).toEqual({ file, diagnostics });
    }),
  );
});

test('a source longer than what is kept of it at once means the same without its tree', () => {
  const agents = Array.from(
    { length: 800 },
    (_, n) => `## the ${n}th\nagent a${n}:\n  model: "m"\n  colour: "red"\n`,
  );
  const source = `${agents.join('')}workflow w:\n  entry: a0\n  a0 -> done\n`;
  const { file, diagnostics } = parse(source, 'main.bot');
  expect(diagnostics.length).toBeGreaterThan(400);
  expect(read(source, 'main.bot')).toEqual({ file, diagnostics });
});
