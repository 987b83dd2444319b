import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBundle } from '../check.ts';
import { CODES } from '../codes.ts';
import { sourceLike } from '../testing/source-like.ts';
import { compileBundle } from './compile.ts';

/** What is said of a source, but for what has no effect yet. */
const said = (main: string) => compileBundle({ main }).diagnostics.filter(one => one.code !== 'H006');
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
    expect(codes(main)).toEqual(['E012', 'E002', 'C001']);
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

  test('what parses but cannot run is refused by name, once', () => {
    const main = `prompt p:
  hello

cursor zeal:
  values:
    low: "calm"

tool t:
  command: "ls"
  sandbox: auto

human h:
  model: "m"
  system: p
  min_answers: 2

agent a:
  model: "m"
  user: p
  interaction_model: "m"
  sandbox: none
  cursors:
    zeal: low

workflow w:
  entry: t
  sandbox: auto
  t -> h
  h -> a
  a -> done
`;
    expect(compileBundle({ main }).diagnostics.map(one => `${one.code} ${one.message}`)).toEqual([
      'H003 `cursor` declarations are not supported yet',
      'H003 sandboxes are not supported yet',
      'H003 `cursors` blocks are not supported yet',
      'H003 `interaction_model` properties are not supported yet',
      'H003 `min_answers` properties are not supported yet',
      'H003 humans answered by a model are not supported yet',
      'H003 humans answered by a model are not supported yet',
      'H003 tool nodes are not supported yet',
    ]);
  });
});

/** A workflow of one node; C018 is left out, which a node without a model gets besides. */
const refusals = (node: string, workflow = ''): readonly string[] =>
  compileBundle({
    main: `schema s:\n  text: string\n\n${node}\nworkflow w:\n  entry: a\n${workflow}  a -> done\n`,
  }).diagnostics.flatMap(({ code, at }) => (code === 'H003' ? [`${at.line}:${at.column}`] : []));

describe('answers by a model are refused where they are asked for', () => {
  test.each<[string, string, string, string[]]>([
    ['an agent', 'agent a:\n  model: "m"\n  interaction: llm\n', '', ['6:3']],
    ['an agent, or a person', 'agent a:\n  model: "m"\n  interaction: llm_or_human\n', '', ['6:3']],
    ['a human', 'human a:\n  output: s\n  interaction: llm\n', '', ['6:3']],
    ['a whole workflow', 'human a:\n  output: s\n  interaction: human\n', '  interaction: llm\n', ['10:3']],
    ['no one', 'human a:\n  output: s\n  interaction: human\n', '  interaction: human\n', []],
  ])('%s', (_, node, workflow, places) => {
    expect(refusals(node, workflow)).toEqual(places);
  });

  test.each([
    ['none', '', '', 0],
    ['none', '  interaction: llm\n', '', 2],
    ['human', '  interaction: llm\n', '', 0],
    ['llm', '', '', 2],
    ['none', '  interaction: llm\n', '  model: "m"\n  output: s\n', 0],
  ])(
    'a human with `interaction: %s` under %j needs a model like one that says so',
    (own, workflow, more, n) => {
      const main = `schema s:\n  text: string\n\nhuman a:\n  interaction: ${own}\n${more}\nworkflow w:\n  entry: a\n${workflow}  a -> done\n`;
      expect(compileBundle({ main }).diagnostics.filter(one => one.code === 'C018')).toHaveLength(n);
    },
  );
});

describe('artifacts that are read are refused, since nothing is published', () => {
  const artifactsIn = (prompt: string, edge: string, fields = '    text: "1"\n'): readonly string[] =>
    compileBundle({
      main: `schema s:\n  text: string\n\nprompt p:\n  ${prompt}\n\nagent a:\n  model: "m"\n  user: p\n  publish: x\n\ncompute b:\n  output: s\n  expr:\n${fields}\nworkflow w:\n  entry: a\n  a -> b\n  b -> done${edge}\n`,
    }).diagnostics.flatMap(({ code, at }) => (code === 'H003' ? [`${at.line}:${at.column}`] : []));

  test.each<[string, string, string, string | undefined, string[]]>([
    ['in a prompt', 'see {{artifacts.x}}', '', undefined, ['5:7']],
    ['in a value of an edge', 'see', ' with { x: "{{artifacts.x.y}}" }', undefined, ['20:23']],
    ['in a guard', 'see', ' when "artifacts.x"', undefined, ['20:18']],
    ['in a field', 'see', '', '    text: "artifacts.x"\n', ['15:11']],
    ['nowhere', 'see {{vars.x}}', '', undefined, []],
  ])('%s', (_, prompt, edge, fields, places) => {
    expect(artifactsIn(prompt, edge, fields)).toEqual(places);
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

  test('a cap in quotes is a number or one reference', () => {
    const loop = (cap: string): string =>
      `${agent('a')}workflow w:\n  entry: a\n  a -> a as l("${cap}")\n  a -> done\n`;
    expect(codes(loop('many'))).toEqual(['C004']);
    expect(codes(loop('{{vars.x}} {{vars.y}}'))).toEqual(['C004']);
    expect(codes(loop('{{nope}}'))).toEqual(['C004']);
    expect(codes(loop(' 3 '))).toEqual([]);
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

describe('rules beyond their smallest trigger', () => {
  const one = (...lines: readonly string[]): string =>
    `schema s:\n  ok: bool\n  n: int\n\n${agent('a', '  output: s\n')}workflow w:\n  entry: a\n  ${lines.join('\n  ')}\n`;

  test.each<[string, string, readonly string[]]>([
    [
      'expressions alone do not cover all cases',
      one('a -> done when "n > 1"', 'a -> fail when "n <= 1"'),
      ['C012'],
    ],
    ['one field in both polarities does', one('a -> done when ok', 'a -> fail when not ok'), []],
    [
      'the same expression twice',
      one('a -> done when "n > 1"', 'a -> fail when "n > 1"', 'a -> fail'),
      ['C011'],
    ],
    ['a guard that cannot be read', one('a -> done when "n >"', 'a -> fail'), ['C040']],
    [
      'a guard on an unknown field of its source',
      one('a -> done when "outputs.a.nope"', 'a -> fail'),
      ['C014'],
    ],
    ['a loop beside an edge without condition', one('a -> a as l(2)', 'a -> done'), []],
    ['fields that the engine adds', one('a -> done with { x: "{{outputs.a._session_id}}" }'), []],
    [
      'a history of a node that loops',
      one('a -> a as l(2) with { h: "{{outputs.a.history}}" }', 'a -> done'),
      [],
    ],
    ['malformed values', one('a -> done with { x: "{{a}}", y: "{{vars.x" }'), ['C004', 'C004']],
    ['both ends unknown', one('x -> y', 'a -> done'), ['C001', 'C001']],
    ['a reserved var of nothing', one('a -> done with { x: "{{run.id}} {{loop.l.max}}" }'), []],
    ['C034 asks the source of an edge for its input', one('a -> done with { x: "{{input.nope}}" }'), []],
    [
      'a backend for all',
      'agent a:\n  readonly: true\nworkflow w:\n  entry: a\n  default_backend: "claw"\n  a -> done\n',
      [],
    ],
    [
      'an effort that the environment decides',
      `${agent('a', '  reasoning_effort: "${X}"\n')}workflow w:\n  entry: a\n  a -> done\n`,
      [],
    ],
    [
      'all capabilities of the board',
      `${agent('a', '  capabilities: [board.read, board.create, board.move, board.assign, board.label, board.close, board.comment]\n')}workflow w:\n  entry: a\n  a -> done\n`,
      [],
    ],
  ])('%s', (_, main, expected) => {
    expect(codes(main)).toEqual(expected);
  });

  test('an artifact is there once one of its makers has run', () => {
    const main = (edges: string): string =>
      `prompt p:\n  {{artifacts.doc}}\n\n${agent('a', '  publish: doc\n')}${agent('b', '  user: p\n')}workflow w:\n  entry: a\n${edges}`;
    expect(codes(main('  a -> b\n  b -> done\n'))).toEqual(['H003']);
    expect(codes(main('  a -> done\n'))).toEqual(['C016', 'C036', 'H003']);
  });

  test('H001 is not given where nothing is forgotten', () => {
    const loop = (session: string, mapping: string): string =>
      `schema m:\n  message: string\n\nhuman chat:\n  output: m\n\n${agent('a', `  session: ${session}\n`)}workflow w:\n  entry: a\n  a -> chat\n  chat -> a as talk(9) with { ${mapping} }\n`;
    const id = '_session_id: "{{outputs.a._session_id}}"';
    const print = '_session_fingerprint: "{{outputs.a._session_fingerprint}}"';
    expect(codes(loop('fresh', 'x: "y"'))).toEqual([]);
    expect(codes(loop('fork', 'x: "y"'))).toEqual(['H001']);
    expect(codes(loop('inherit', id))).toEqual(['H001']);
    expect(codes(loop('inherit', `${id}, ${print}`)).filter(code => code !== 'C032')).toEqual([]);
    expect(codes(loop('inherit', `${id}, ${print}, _session_id: "lost"`))).toContain('H001');
    const deeper = '_session_id: "{{outputs.a._session_id.x}}"';
    expect(codes(loop('inherit', `${deeper}, ${print}`))).toContain('H001');
    const retry = `${agent('a', '  session: inherit\n')}workflow w:\n  entry: a\n  a -> a as again(9)\n  a -> done\n`;
    expect(codes(retry)).toEqual([]);
  });
});
