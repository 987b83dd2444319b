import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileBundle } from '../compile/compile.ts';
import { parse } from '../parse/file.ts';
import { relaid, type Relay } from '../testing/relaid.ts';
import { BOTS, SOURCES } from '../testing/sources.ts';
import { sourceLike } from '../testing/source-like.ts';
import { format } from './format.ts';
import { written } from './layout.ts';
import { linesIn, tokensIn } from './lines.ts';
import { meaningOf, sameMeaning } from './meaning.ts';

function formatted(source: string): string {
  const result = format(source, 'main.bot');
  if (result.is === 'broken') throw new Error(result.errors[0]?.message);
  return result.text;
}

/** The words of all comments, sorted. */
function commentsIn(source: string): readonly string[] {
  return tokensIn(parse(source, 'main.bot').tree)
    .filter(token => token.kind === 'comment')
    .map(token => token.text.trim())
    .toSorted();
}

function expectKept(source: string): void {
  const result = format(source, 'main.bot');
  if (result.is === 'broken') return;
  expect(meaningOf(parse(result.text, 'main.bot').file)).toBe(meaningOf(parse(source, 'main.bot').file));
  expect(commentsIn(result.text)).toEqual(commentsIn(source));
  expect(formatted(result.text)).toBe(result.text);
}

const relay: fc.Arbitrary<Relay> = fc.record({
  steps: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
  blanks: fc.array(fc.constantFrom('', ' ', '   ', '\t'), { minLength: 1, maxLength: 9 }),
});

describe('any source', () => {
  test('means the same, keeps its comments, and is formatted once and for all', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), relay, (source, how) => expectKept(relaid(source, how))),
    );
    fc.assert(fc.property(sourceLike, expectKept));
  });

  test('looks the same however it was laid out', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), relay, (source, how) => {
        // How far a block scalar reaches depends on the columns around it.
        fc.pre(!source.includes('|\n'));
        const result = format(source, 'main.bot');
        if (result.is === 'formatted') expect(formatted(relaid(source, how))).toBe(result.text);
      }),
    );
  });

  test('keeps its meaning wherever comments stand, without having to be left alone', () => {
    const comment = fc.record({ line: fc.nat(), indent: fc.nat({ max: 7 }) });
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), relay, fc.array(comment), (source, how, comments) => {
        const lines = relaid(source, how).split('\n');
        for (const { line, indent } of comments)
          lines.splice(line % lines.length, 0, `${' '.repeat(indent)}## x`);
        const parsed = parse(lines.join('\n'), 'main.bot');
        fc.pre(parsed.diagnostics.every(one => one.severity === 'warning'));
        expect(sameMeaning(parse(written(linesIn(parsed.tree)), 'main.bot'), parsed)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('gets the same diagnostics afterwards', () => {
    const codes = (main: string): readonly string[] =>
      compileBundle({ main }).diagnostics.map(one => `${one.code} ${one.message}`);
    for (const source of SOURCES) {
      const result = format(source, 'main.bot');
      if (result.is === 'formatted') expect(codes(result.text)).toEqual(codes(source));
    }
  });
});

test('the bots that come with Hearth are formatted', () => {
  expect(BOTS.length).toBeGreaterThan(1);
  for (const source of BOTS) expect(formatted(source)).toBe(source);
});

test('a source with an error of syntax is left alone', () => {
  const result = format('agent a:\n model: m.n\n', 'main.bot');
  expect(result).toMatchObject({ is: 'broken', errors: [{ code: 'E002', at: { line: 2 } }] });
});

test.each([
  ['levels are two blanks', 'vars:\n      x: int\n', 'vars:\n  x: int\n'],
  ['one blank between words, none before a colon', 'vars  :\n  x :int=1\n', 'vars:\n  x: int = 1\n'],
  ['lists', 'agent a:\n  tools: [ a,b . c , mcp.x.* ]\n', 'agent a:\n  tools: [a, b.c, mcp.x.*]\n'],
  ['enums', 'schema s:\n  k: string[enum:"a","b"]\n', 'schema s:\n  k: string [enum: "a", "b"]\n'],
  ['a loop', 'workflow w:\n  a->b as l( 3 )\n', 'workflow w:\n  a -> b as l(3)\n'],
  [
    'one blank line between declarations',
    'vars:\n  x: int\nschema s:\n  y: int\n\n\n\nschema t:\n  z: int\n',
    'vars:\n  x: int\n\nschema s:\n  y: int\n\nschema t:\n  z: int\n',
  ],
  [
    'one blank line at most elsewhere, none under a header',
    'vars:\n\n  x: int\n\n\n  y: int\n\n',
    'vars:\n  x: int\n\n  y: int\n',
  ],
  ['the line at the end', 'vars:\n  x: int', 'vars:\n  x: int\n'],
  ['a byte order mark goes', '\u{feff}vars:\n  x: int\n', 'vars:\n  x: int\n'],
  ['line ends stay', 'vars:\r\n    x: int\r\n', 'vars:\r\n  x: int\r\n'],
  [
    'a prompt keeps its words',
    'prompt p:\n      a  b \n        c\n\n\n      ## d\n',
    'prompt p:\n  a  b \n    c\n\n\n  ## d\n',
  ],
  [
    'a short group stays on its line',
    'workflow w:\n  a -> b with {x:"1",y:"2"}\n',
    'workflow w:\n  a -> b with { x: "1", y: "2" }\n',
  ],
  ['an empty group', 'workflow w:\n  a -> b with { }\n', 'workflow w:\n  a -> b with {}\n'],
  [
    'a group that was broken up stays so',
    'workflow w:\n  a -> b with {x:"1",\ny:"2"} when z\n',
    'workflow w:\n  a -> b with {\n    x: "1",\n    y: "2"\n  } when z\n',
  ],
  [
    'entries without commas',
    'workflow w:\n  a -> b with { x: "1" y: "2", z: "3" }\n',
    'workflow w:\n  a -> b with { x: "1", y: "2", z: "3" }\n',
  ],
  [
    'a long group is broken up',
    `workflow w:\n  a -> b with { x: "${'1'.repeat(60)}", y: "${'2'.repeat(60)}" }\n`,
    `workflow w:\n  a -> b with {\n    x: "${'1'.repeat(60)}",\n    y: "${'2'.repeat(60)}"\n  }\n`,
  ],
  [
    'a block scalar moves with its key',
    'tool t:\n    script: |\n         a\n           b\n\n\n    input: s\n',
    'tool t:\n  script: |\n    a\n      b\n\n\n  input: s\n',
  ],
  [
    'a block scalar at the end of a declaration',
    'tool t:\n  script: |\n      a\nvars:\n  x: int\n',
    'tool t:\n  script: |\n    a\nvars:\n  x: int\n',
  ],
  ['a string over several lines', 'tool t:\n      script: `a\n b`\n', 'tool t:\n  script: `a\n b`\n'],
])('%s', (_what, source, expected) => {
  expect(formatted(source)).toBe(expected);
});

test.each([
  [
    'at the ends of neighbouring lines',
    'vars:\n  x: int ## a\n  long: int ## b\n\n  y: int     ## c\n',
    'vars:\n  x: int     ## a\n  long: int  ## b\n\n  y: int  ## c\n',
  ],
  ['on a header', 'vars: ## a\n  x: int\n', 'vars:  ## a\n  x: int\n'],
  ['above a block', 'vars:\n## a\n  x: int\n', 'vars:\n  ## a\n  x: int\n'],
  [
    'below a block, inside',
    'vars:\n     x: int\n     ## a\nschema s:\n  y: int\n',
    'vars:\n  x: int\n  ## a\n\nschema s:\n  y: int\n',
  ],
  [
    'below a block, outside',
    'vars:\n     x: int\n  ## a\nschema s:\n  y: int\n',
    'vars:\n  x: int\n\n## a\nschema s:\n  y: int\n',
  ],
  [
    'below a block, inside and then outside',
    'vars:\n     x: int\n     ## a\n## b\n     ## c\nschema s:\n  y: int\n',
    'vars:\n  x: int\n  ## a\n\n## b\n## c\nschema s:\n  y: int\n',
  ],
  [
    'left of a block that goes on',
    'vars:\n     x: int\n## a\n     y: int\n',
    'vars:\n  x: int\n  ## a\n  y: int\n',
  ],
  [
    'inside a group',
    'workflow w:\n  a -> b with { ## a\n ## b\n x: "1" ## c\n y: "2"\n ## d\n }\n',
    'workflow w:\n  a -> b with {\n    ## a\n    ## b\n    x: "1",  ## c\n    y: "2"\n    ## d\n  }\n',
  ],
  [
    'on the opener of a block scalar',
    'tool t:\n  script: |## a\n    b\n',
    'tool t:\n  script: |  ## a\n    b\n',
  ],
])('a comment %s', (_where, source, expected) => {
  expect(formatted(source)).toBe(expected);
});
