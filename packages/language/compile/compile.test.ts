import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBundle } from '../check.ts';
import { CODES } from '../codes.ts';
import { sourceLike } from '../testing/source-like.ts';
import { compileBundle } from './compile.ts';

/** What is said of a source, but for what cannot be run or has no effect yet. */
const said = (main: string) =>
  compileBundle({ main }).diagnostics.filter(one => one.code !== 'H003' && one.code !== 'H006');
const codes = (main: string): readonly string[] => said(main).map(one => one.code);
const planFor = (main: string) => {
  const { plan } = compileBundle({ main });
  expect(said(main)).toEqual([]);
  if (plan === null) throw new Error('no plan');
  return plan;
};

describe('any text', () => {
  const examples = CODES.map(one => one.wrong);
  const mixed = fc
    .array(fc.constantFrom(...examples.flatMap(source => source.split(/(?<=\n)/))), { maxLength: 30 })
    .map(lines => lines.join(''));

  test('compiles to a result, and twice to the same', () => {
    fc.assert(
      fc.property(fc.oneof(sourceLike, mixed), main => {
        const first = compileBundle({ main });
        expect(compileBundle({ main })).toEqual(first);
        expect(checkBundle({ main })).toEqual(first.diagnostics);
        const wrong = first.diagnostics.some(one => one.severity === 'error');
        expect(first.plan === null).toBe(wrong);
        expect(JSON.parse(JSON.stringify(first.plan))).toEqual(first.plan);
      }),
    );
  });

  test('a long chain of nodes does not exhaust the stack', () => {
    const count = 5000;
    const nodes = Array.from({ length: count }, (_, at) => `agent a${at}:\n  model: "m"\n`);
    const edges = Array.from({ length: count - 1 }, (_, at) => `  a${at} -> a${at + 1}\n`);
    const main = `${nodes.join('')}workflow w:\n  entry: a0\n${edges.join('')}  a${count - 1} -> done\n`;
    expect(codes(main)).toEqual([]);
  });
});

describe('diagnostics', () => {
  test('those of the syntax come first, and compiling goes on', () => {
    const main = 'workflow w:\n  entry: a\n  colour: red\n  a -> ghost\n\nagent a:\n  model: 5\n';
    expect(codes(main)).toEqual(['E002', 'E002', 'C001']);
  });

  test('they name the file, the place, the node and the edge', () => {
    const main = 'agent a:\n  model: "m"\n\nworkflow w:\n  entry: a\n  a -> dome\n';
    expect(compileBundle({ main, mainName: 'other.bot' }).diagnostics).toEqual([
      {
        code: 'C001',
        severity: 'error',
        message: 'the edge names the node `dome`, which is not declared',
        fix: 'did you mean `done`?',
        file: 'other.bot',
        at: { line: 6, column: 8 },
        edge: 'a -> dome',
      },
    ]);
  });

  test('a reference in a prompt is found where it stands', () => {
    const main =
      'prompt p:\n  One\n    é {{vars.nope}}\n\nagent a:\n  model: "m"\n  user: p\n\nworkflow w:\n  entry: a\n  a -> done\n';
    expect(compileBundle({ main }).diagnostics).toMatchObject([
      { code: 'C033', at: { line: 3, column: 7 }, node: 'a' },
    ]);
  });
});

const agent = (name: string, more = ''): string => `agent ${name}:\n  model: "m"\n${more}\n`;

describe('plans', () => {
  test('what a node does not say comes from the workflow', () => {
    const plan = planFor(
      `${agent('a')}${agent('b', '  capabilities: [board.read]\n  interaction: none\n  inbox: off\n  tools: [bash, mcp.x.*]\n')}
workflow w:
  entry: a
  capabilities: [board.move]
  interaction: human
  default_backend: "codex"
  a -> b
  b -> done
`,
    );
    expect(plan.nodes.a).toMatchObject({
      capabilities: ['board.move'],
      interaction: 'human',
      tools: null,
      inbox: 'on',
    });
    expect(plan.nodes.b).toMatchObject({
      capabilities: ['board.read'],
      interaction: 'human',
      tools: ['bash', 'mcp.x.*'],
      inbox: 'off',
    });
    expect(plan.defaultBackend).toBe('codex');
  });

  test('vars: the workflow comes first, and text is read as the type', () => {
    const plan = planFor(
      `vars:\n  a: int = "5"\n  b: json = "{\\"x\\": 1}"\n  c: string[] = "x, y"\n  d: bool = "maybe"\n  e: float = 1\n  f: string\n\n${agent('n')}
workflow w:\n  vars:\n    a: string = "own"\n  entry: n\n  n -> done\n`
        .replaceAll('\\"', '`')
        .replaceAll('"{`x`: 1}"', '`{"x": 1}`'),
    );
    expect(plan.vars).toEqual([
      { name: 'a', type: 'string', default: 'own' },
      { name: 'b', type: 'json', default: { x: 1 } },
      { name: 'c', type: 'string[]', default: ['x', 'y'] },
      { name: 'd', type: 'bool', default: 'maybe' },
      { name: 'e', type: 'float', default: 1 },
      { name: 'f', type: 'string' },
    ]);
    expect(plan.seedVar).toBeNull();
  });

  const human = (schema: string, pause = ''): string =>
    `schema m:\n${schema}\nhuman h:\n  output: m\n${pause}\nworkflow w:\n  entry: h\n  h -> done\n`;

  test.each([
    ['  message: string\n', '', 'chat', 'message'],
    ['  message: string\n', '  pause: input\n', 'input', null],
    ['  message: string\n', '  pause: chat\n', 'chat', 'message'],
    ['  message: string [enum: "a"]\n', '', 'input', null],
    ['  message: string\n  ok: bool\n', '', 'input', null],
    ['  ok: bool\n', '', 'input', null],
  ])('a human with %j and %j pauses for %s', (schema, written, pause, field) => {
    expect(planFor(human(schema, written)).nodes.h).toMatchObject({ pause, field, interaction: 'human' });
  });

  test('loops: their bodies lie between their targets and sources', () => {
    const plan = planFor(
      `schema s:\n  ok: bool\n\n${['a', 'b', 'c', 'd', 'e'].map(name => agent(name, '  output: s\n')).join('')}
workflow w:
  entry: a
  a -> b
  b -> c
  c -> d when ok
  c -> e
  d -> b as inner("{{vars.n}}")
  d -> done when ok
  e -> b as outer("12")
  e -> done when ok
  vars:
    n: int = 3
`,
    );
    expect(plan.loops).toEqual({
      inner: {
        name: 'inner',
        cap: [{ path: ['vars', 'n'], raw: false }],
        body: ['b', 'c', 'd'],
        entries: ['b'],
      },
      outer: { name: 'outer', cap: 12, body: ['b', 'c', 'e'], entries: ['b'] },
    });
    expect(plan.keeps).toEqual(['c', 'd', 'e']);
  });

  test('a cap in quotes is a number or one reference; other text counts as 0', () => {
    const cap = (text: string) =>
      compileBundle({
        main: `${agent('a')}workflow w:\n  entry: a\n  a -> a as l("${text}")\n  a -> done\n`,
      }).plan?.loops.l?.cap;
    expect(cap(' 3 ')).toBe(3);
    expect(cap(' {{vars.x}}')).toEqual([{ path: ['vars', 'x'], raw: false }]);
    expect(cap('many')).toBe(0);
    expect(cap('{{vars.x}} {{vars.y}}')).toBe(0);
  });

  test('only what nodes use is in it, and bounds of 0 are none', () => {
    const plan = planFor(
      `schema unused:\n  x: int\n\nprompt idle:\n  {{vars.nope}}\n\n${agent('a', '  max_tokens: 0\n')}workflow w:\n  entry: a\n  budget:\n    max_tokens: 0\n    max_cost_usd: 0.5\n    lifetime:\n      max_duration: "24h"\n  a -> done\n`,
    );
    expect(plan.schemas).toEqual({});
    expect(plan.prompts).toEqual({});
    expect(plan.budget).toEqual({
      burst: { cost: 0.5 },
      lifetime: { duration: 86_400_000 },
      maxParallelBranches: null,
    });
    expect(plan.nodes.a).toMatchObject({ maxTokens: null });
  });

  test('names that objects know already are names', () => {
    const plan = planFor(
      `schema __proto__:\n  constructor: string\n\n${agent('__proto__', '  output: __proto__\n')}workflow w:\n  entry: __proto__\n  __proto__ -> done\n`,
    );
    expect(Object.keys(plan.nodes)).toEqual(['__proto__', 'done', 'fail']);
    expect(Object.keys(plan.schemas)).toEqual(['__proto__']);
  });
});
