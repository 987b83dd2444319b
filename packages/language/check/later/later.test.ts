import { describe, expect, test } from 'vitest';
import { LATER } from '../../codes/later.ts';
import { compileBundle } from '../../compile/compile.ts';

/* The rules of profile 2 beyond their smallest triggers. What cannot be run yet is said by H003, and not looked at here. */

const codes = (main: string): readonly string[] =>
  compileBundle({ main })
    .diagnostics.map(one => one.code)
    .filter(code => code !== 'H003' && code !== 'H006');

const SCHEMA = `schema s:
  ok: bool
  n: int
  text: string
  kind: string [enum: "a", "b"]
  tags: string[] [enum: "x", "y"]
  list: string[]
  any: json

`;
const agent = (name: string, more = ''): string => `agent ${name}:\n  model: "m"\n  output: s\n${more}\n`;
const source = (nodes: string, ...edges: readonly string[]): string =>
  `dsl: 2\n\n${SCHEMA}${nodes}workflow w:\n  entry: a\n  ${edges.join('\n  ')}\n`;

test('a source of profile 1 never gets a code of profile 2', () => {
  const later = LATER.map(one => one.code);
  for (const { wrong } of LATER) {
    expect(codes(wrong.replace('dsl: 2\n\n', '')).filter(code => later.includes(code))).toEqual([]);
  }
});

describe('else', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['beside a condition', ['a -> done when ok', 'a -> fail else'], []],
    ['before a condition', ['a -> fail else', 'a -> done when ok'], []],
    ['beside a bounded loop', ['a -> done when ok', 'a -> a as l(3)', 'a -> fail else'], []],
    ['with values', ['a -> done when "n > 1"', 'a -> fail else with { x: 1 }'], []],
    ['as a bounded loop', ['a -> done when ok', 'a -> a else as l(3)'], []],
    ['beside a loop alone', ['a -> a as l(3)', 'a -> done else'], ['C015']],
    ['twice and alone', ['a -> done else', 'a -> fail else'], ['C015', 'C123']],
    [
      'twice beside a plain edge',
      ['a -> done when ok', 'a -> fail else', 'a -> fail else', 'a -> done'],
      ['C123', 'C124'],
    ],
    ['beside a condition that cannot be read', ['a -> done when "n >"', 'a -> fail else'], ['C040']],
  ])('%s', (_, edges, expected) => {
    expect(codes(source(agent('a'), ...edges)).toSorted()).toEqual(expected);
  });
});

test('chained edges are edges, and the clauses belong to the last', () => {
  const { plan, diagnostics } = compileBundle({
    main: source(agent('a') + agent('b'), 'a -> b -> done with { x: "y" }'),
  });
  expect(diagnostics).toEqual([]);
  expect(plan?.edges).toMatchObject([
    { from: 'a', to: 'b', with: [] },
    { from: 'b', to: 'done', with: [{ key: 'x' }] },
  ]);
});

describe('expressions of compute fields and conditions', () => {
  const when = (expr: string): readonly string[] =>
    codes(source(agent('a'), `a -> done when "${expr}"`, 'a -> fail'));
  test.each<[string, ...string[]]>([
    ["kind == 'a'"],
    ["kind == 'zzz'", 'C121'],
    ["tags[0] == 'zzz'", 'C121'],
    ["list[0] == 'zzz'"],
    ['text > 3', 'C107'],
    ["text > 'b'"],
    ['any > 3'],
    ['any.deep > 3'],
    ['input.text > 3', 'C107'],
    ['outputs.a.text > 3', 'C107'],
    ['outputs.a.n > 3'],
    ['ok + 1', 'C107', 'C108'],
    ['n + 1', 'C108'],
    ['loop.l.iteration > 3', 'C147'],
    ['text[0]', 'C120'],
    ['n[0] && ok[0]', 'C120', 'C120'],
    ['length(list, list) > 1', 'C138'],
    ['length(length()) > 1', 'C138'],
    ['max(n, 3) > sum(list)'],
    ['map(list, v => length(v, v)) == null', 'C138'],
    ['run.cost_usd > 1'],
  ])('%s', (expr, ...expected) => {
    expect(when(expr).toSorted()).toEqual(expected);
  });

  const field = (name: string, expr: string): readonly string[] =>
    codes(
      source(
        `schema o:\n  i: int\n  f: float\n\ncompute a:\n  input: s\n  output: o\n  expr:\n    ${name}: "${expr}"\n\n`,
        'a -> done',
      ),
    );
  test.each<[string, string, ...string[]]>([
    ['i', 'n / 2', 'C146'],
    ['i', 'if(ok, n / 2, 0)', 'C146'],
    ['i', 'floor(n / 2)'],
    ['f', 'n / 2'],
    ['i', 'text > 1', 'C107'],
    ['i', 'n + 1'],
  ])('%s: %s', (name, expr, ...expected) => {
    expect(field(name, expr)).toEqual(expected);
  });
});

describe('loops', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['that nothing leads out of', ['a -> a as l(3)'], ['C145']],
    ['of which there are two', ['a -> a as l(3)', 'a -> a as k(3)'], []],
    ['with a way out', ['a -> a as l(3)', 'a -> done'], []],
    ['with a way out on a condition', ['a -> a as l(3)', 'a -> done when ok'], []],
  ])('%s', (_, edges, expected) => {
    expect(codes(source(agent('a'), ...edges))).toEqual(expected);
  });
});

describe('permissions', () => {
  const RULES = '  allow: ["Read"]\n  ask: [Bash]\n  deny: ["Write(/etc/*)"]\n';
  const whole = (own: string, general: string): readonly string[] =>
    codes(source(agent('a', own), ...(general === '' ? [] : [general]), 'a -> done'));
  test.each<[string, string, string, readonly string[]]>([
    ['a gate with rules', `  permission: ask\n${RULES}`, '', []],
    ['rules under the gate of the workflow', RULES, 'permission: deny', []],
    ['rules without a gate, each told', RULES, '', ['C111', 'C111', 'C111']],
    [
      'a gate that the node turns off',
      `  permission: off\n${RULES}`,
      'permission: ask',
      ['C111', 'C111', 'C111'],
    ],
    ['rules of the workflow for one node', '  permission: ask\n', 'deny: [Bash]', []],
    ['rules of the workflow for nobody', '', 'deny: [Bash]', ['C111']],
    ['an unknown word, which may have been any', `  permission: maybe\n${RULES}`, '', ['C110']],
    ['an unknown word for all', '', 'permission: maybe', ['C110']],
    ['empty rules', '  deny: []\n', '', []],
  ])('%s', (_, own, general, expected) => {
    expect(whole(own, general)).toEqual(expected);
  });

  test('the node’s list replaces the workflow’s, kind by kind', () => {
    const { plan } = compileBundle({
      main: source(
        agent('a', '  allow: ["Read"]\n') + agent('b', '  permission: off\n'),
        'permission: ask',
        'allow: [Bash]',
        'deny: [Write]',
        'a -> b -> done',
      ),
    });
    expect(plan?.nodes['a']).toMatchObject({
      permission: { mode: 'ask', allow: ['Read'], ask: [], deny: ['Write'] },
    });
    expect(plan?.nodes['b']).toMatchObject({ permission: { mode: 'off', allow: ['Bash'] } });
  });

  test('a plan without permissions says nothing of them', () => {
    const { plan } = compileBundle({ main: source(agent('a'), 'a -> done') });
    expect(plan?.nodes['a']).not.toHaveProperty('permission');
  });
});

describe('secrets', () => {
  const declared = (block: string): readonly string[] =>
    codes(`${source(agent('a'), 'a -> done')}\nsecrets:\n  ${block}\n`);
  test.each<[string, ...string[]]>([
    ['t:\n    hosts: ["api.example.com", "*.example.com", "localhost:8080"]'],
    ['t:\n    hosts: ["*"]', 'C092'],
    ['t:\n    hosts: ["https://x.com", "a b", "-x.com"]', 'C092', 'C092', 'C092'],
    ['t:\n    as: value\n    env: API_TOKEN\n    optional: true\n    description: "x"'],
    ['t:\n    as: file\n    mount_path: "/run/t"'],
    ['t:\n    as: file\n    mount_path: "run/t"', 'C094'],
    ['t:\n    as: file\n    mount_path: "/run/../t"', 'C094'],
    ['t:\n    mount_path: "/run/t"', 'C094'],
    ['t:\n    as: fil', 'C094'],
    ['t:\n    env: "A B"', 'C094'],
    ['t:\n  t:\n  t:', 'C090', 'C090'],
  ])('%j', (block, ...expected) => {
    expect(declared(block)).toEqual(expected);
  });

  const used = (where: string): readonly string[] =>
    codes(
      `${source(
        `prompt p:\n  ${where === 'prompt' ? '{{secrets.t}}' : where === 'path' ? '{{secrets.f.path}}' : 'x'}\n\n${agent('a', '  user: p\n')}`,
        `a -> done with { x: "${where === 'with' ? '{{secrets.t}}' : 'y'}" }`,
      )}\nsecrets:\n  t:\n  f:\n    as: file\n`,
    );
  test.each([
    ['prompt', ['C095']],
    ['with', ['C095']],
    ['path', []],
  ])('in a %s', (where, expected) => {
    expect(used(where)).toEqual(expected);
  });

  test('are in the plan without their words being read', () => {
    const { plan } = compileBundle({
      main: `${source(agent('a'), 'a -> done')}\nsecrets:\n  t:\n    value: "\${T:-none}"\n    hosts: ["x.org"]\n`,
    });
    expect(plan?.secrets).toEqual([
      {
        name: 't',
        value: '${T:-none}',
        as: 'value',
        mountPath: null,
        env: null,
        optional: false,
        hosts: ['x.org'],
        description: null,
      },
    ]);
  });
});

describe('named fail nodes', () => {
  const failing = (block: string, ...edges: readonly string[]): string =>
    source(`${agent('a')}fail lost:\n${block}\n`, ...edges);
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['a code', '  code: NOT_FOUND\n', ['a -> lost'], []],
    ['no code', '  message: "Nothing {{outputs.a.text}}"\n', ['a -> lost'], []],
    ['a code in small letters', '  code: "not_found"\n', ['a -> lost'], ['C247']],
    ['a code with blanks', '  code: "NOT FOUND"\n', ['a -> lost'], ['C247']],
    ['a code of many words', `  code: "A${'_B2'.repeat(2_000_000)}"\n`, ['a -> lost'], []],
    ['a code with an empty word', '  code: "NOT__FOUND"\n', ['a -> lost'], ['C247']],
    ['a code that ends in an underscore', '  code: "NOT_FOUND_"\n', ['a -> lost'], ['C247']],
    ['a code of the engine', '  code: LOOP_EXHAUSTED\n', ['a -> lost'], ['C248']],
    ['a code of a tool’s failure', '  code: TIMEOUT\n', ['a -> lost'], ['C248']],
    ['a message that cannot be read', '  message: "{{nope}}"\n', ['a -> lost'], ['C004']],
    ['a message that reads what is not there', '  message: "{{outputs.a.nope}}"\n', ['a -> lost'], ['C031']],
    ['no way to it', '  code: NOT_FOUND\n', ['a -> done'], ['C016']],
  ])('%s', (_, block, edges, expected) => {
    expect(codes(failing(block, ...edges))).toEqual(expected);
  });

  test('are terminals of the plan', () => {
    const block = '  code: NOT_FOUND\n  message: "No {{input.what}}"\n  resumable: true\n';
    const { plan } = compileBundle({ main: failing(block, 'a -> lost with { what: "it" }') });
    expect(plan?.nodes['lost']).toMatchObject({
      kind: 'fail',
      code: 'NOT_FOUND',
      message: ['No ', { path: ['input', 'what'], raw: false }],
      resumable: true,
    });
    expect(plan?.nodes['fail']).toEqual({
      kind: 'fail',
      name: 'fail',
      input: null,
      output: null,
      await: null,
    });
  });
});

test.each([
  ['a {{input.text}} b', true],
  ['{{input.text}}{{input.n}}', true],
  ['{{input.text}}', undefined],
  ['plain', undefined],
])('the value %j is joined: %s', (value, joined) => {
  const { plan } = compileBundle({ main: source(agent('a'), `a -> done with { x: "${value}" }`) });
  expect(plan?.edges[0]?.with[0]?.joined).toBe(joined);
  const first = compileBundle({
    main: source(agent('a'), `a -> done with { x: "${value}" }`).replace('dsl: 2', ''),
  });
  expect(first.plan?.edges[0]?.with[0]?.joined).toBeUndefined();
});

describe('where the profiles disagree', () => {
  const both = (main: string): readonly (readonly string[])[] => [
    codes(main.replace('dsl: 2', '')),
    codes(main),
  ];

  test('`input` in a `with` value is what the source puts out', () => {
    const value = (field: string): string =>
      source(
        `vars:\n  goal: string\n\nschema i:\n  given: string\n\n${agent('a', '  input: i\n')}`,
        `a -> done with { x: "{{input.${field}}}" }`,
      );
    expect(both(value('given'))).toEqual([[], ['C034']]);
    expect(both(value('text'))).toEqual([['C034'], []]);
    expect(both(value('goal'))).toEqual([['C034'], []]);
    expect(codes(value('_session_id'))).toEqual([]);
  });

  test('a backend is discouraged by profile 1 only', () => {
    expect(both(source(agent('a', '  backend: "codex"\n'), 'a -> done'))).toEqual([['C030'], []]);
  });
});
