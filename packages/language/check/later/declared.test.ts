import { describe, expect, test } from 'vitest';
import { compileBundle } from '../../compile/compile.ts';

/* Rules of profile 2 about what is declared and about what is passed over, beyond their smallest triggers. */

const codes = (main: string): readonly string[] =>
  compileBundle({ main })
    .diagnostics.map(one => `${one.code} ${one.at.line}:${one.at.column}`)
    .filter(code => !/^H00[36]/.test(code));

const AGENT = 'agent a:\n  model: "m"\n';
const END = '\nworkflow w:\n  entry: a\n  a -> done\n';

describe('vars', () => {
  const declared = (line: string): readonly string[] => codes(`dsl: 2\nvars:\n  ${line}\n${AGENT}${END}`);
  test.each<[string, ...string[]]>([
    ['n: float = 1'],
    ['n: int = 1.5', 'C109 3:12'],
    ['b: bool = "true"', 'C109 3:13'],
    ['b: bool = yes', 'C109 3:13'],
    ['l: string[] = "a, b"'],
    ['l: string[] = 1', 'C109 3:17'],
    ['j: json = 1'],
    ['j: json = "{}"'],
    ['s: string = word'],
    ['s: string = 1', 'C109 3:15'],
    ['s: string [enum: a, "b"] = a'],
    ['s: string [enum: "a", "a"] = "b"', 'C127 3:25', 'C126 3:32'],
    ['s: string[] [enum: "a"]', 'C125 3:15'],
    ['s: string [enum: ]', 'E002 3:20'],
    ['s: string [other: "a"]', 'E002 3:14'],
    ['s: string [matching: "^a+$"] = "b"'],
    ['s: string [matching: "("]', 'C161 3:24'],
    ['n: int [matching: "1"] = 1', 'C161 3:21'],
  ])('%s', (line, ...expected) => {
    expect(declared(line)).toEqual(expected);
  });

  test('of the workflow are looked at too, and their bounds are in the plan', () => {
    const main = `dsl: 2\n${AGENT}\nworkflow w:\n  vars:\n    s: string [enum: "a", "b"] = "a"\n    n: int = "x"\n  entry: a\n  a -> done\n`;
    expect(codes(main)).toEqual(['C109 8:14']);
    const { plan } = compileBundle({ main: main.replace('"x"', '1') });
    expect(plan?.vars).toEqual([
      { name: 's', type: 'string', default: 'a', enum: ['a', 'b'] },
      { name: 'n', type: 'int', default: 1 },
    ]);
  });

  test('have no bounds in profile 1', () => {
    expect(codes(`vars:\n  s: string [enum: "a"]\n${AGENT}${END}`)[0]).toBe('E002 2:13');
  });
});

describe('a command', () => {
  const used = (command: string): readonly string[] =>
    codes(
      `dsl: 2\nvars:\n  x: string = ""\nattachments:\n  f: file\ntool a:\n  command: "${command}"\n${END}`,
    ).map(one => one.slice(0, 4));
  test.each<[string, ...string[]]>([
    ['echo {{vars.x}}'],
    ["echo 'x' {{vars.x}} 'y'"],
    ["echo '{{vars.x}}'", 'C137'],
    ['echo \\"{{vars.x}}\\"', 'C137'],
    ["echo 'a {{vars.x}} {{vars.x}}'", 'C137', 'C137'],
    ["echo '{{!vars.x}}'"],
    ["echo it\\\\'s {{vars.x}}"],
    ["cat '{{attachments.f}}'", 'C137'],
  ])('%s', (command, ...expected) => {
    expect(used(command)).toEqual(expected);
  });

  test('may not hold the path of a file in quotes', () => {
    const main = `dsl: 2\nattachments:\n  f: file\ntool a:\n  command: "cat '{{attachments.f}}'"\n${END}`;
    expect(compileBundle({ main }).diagnostics.find(one => one.code === 'C137')?.severity).toBe('error');
  });
});

describe('a wait for answers', () => {
  const waiting = (properties: string, asks = 'async'): readonly string[] =>
    codes(
      `dsl: 2\nagent a:\n  model: "m"\n  interaction: ${asks}\nawait_answers g:\n  ${properties}\nworkflow w:\n  entry: a\n  a -> g -> done\n`,
    ).map(one => one.slice(0, 4));
  test.each<[string, ...string[]]>([
    ['from: [a]\n  timeout: "10m"'],
    ['timeout: "10m"'],
    ['from: [a]', 'C241'],
    ['from: [a]\n  timeout: "soon"', 'C122'],
    ['from: [a]\n  timeout: "0s"', 'C122'],
    ['from: [g, nobody]\n  timeout: "10m"', 'C242', 'C242'],
    ['colour: "red"\n  timeout: "10m"', 'E012'],
  ])('%s', (properties, ...expected) => {
    expect(waiting(properties)).toEqual(expected);
  });

  test('for what nobody asks', () => {
    expect(waiting('timeout: "10m"', 'human')).toEqual(['C242']);
  });

  test('puts out the answers and what is still open', () => {
    const used = (ref: string): readonly string[] =>
      codes(
        `dsl: 2\nagent a:\n  model: "m"\n  interaction: async\nawait_answers g:\n  timeout: "1m"\nworkflow w:\n  entry: a\n  a -> g\n  g -> done with { x: "{{outputs.g.${ref}}}" }\n`,
      ).map(one => one.slice(0, 4));
    expect(used('answers')).toEqual([]);
    expect(used('open')).toEqual([]);
    expect(used('missing')).toEqual(['C031']);
  });
});

describe('what is passed over', () => {
  const passed = (properties: string, kind = 'agent a:\n  model: "m"'): readonly string[] =>
    codes(`dsl: 2\n${kind}\n  ${properties}\n${END}`).map(one => one.slice(0, 4));
  test.each<[string, ...string[]]>([
    ['compress: ultra'],
    ['compress: zip', 'C102'],
    ['timeout: "${T}"'],
    ['timeout: 5', 'C122'],
    ['auto_memory: 1', 'C131'],
    ['auto_memory:', 'C131'],
    ['artifact_labels:\n    - x', 'C049'],
  ])('on an agent: %s', (properties, ...expected) => {
    expect(passed(properties)).toEqual(expected);
  });

  const tool = 'tool a:\n  command: "ls -l"';
  test.each<[string, ...string[]]>([
    ['policy: maybe\n  recovery:\n    x: 1', 'C103', 'C104'],
    ['policy: best_effort\n  recovery:\n    x: 1', 'C104', 'C106'],
    ['action: a.b.c\n  connection: "{{vars.x}}"', 'C261'],
    ['action: a.b\n  recovery:\n    x: 1\n  postcondition: "y"', 'C260', 'C261', 'C262', 'C263'],
    ['retry: 3s\n  params:\n    x: 1', 'C266', 'C266'],
  ])('on a tool: %s', (properties, ...expected) => {
    expect(passed(properties, tool).toSorted()).toEqual(expected);
  });

  test('in profile 1 is no property', () => {
    expect(codes(`${AGENT}  compress: zip\n${END}`)).toEqual(['E012 3:3']);
  });
});

describe('imports', () => {
  test.each<[string, ...string[]]>([
    ['import "lib/a.bot"\nimport "lib/b/c.bot"\n'],
    ['import "lib/../a.bot"\n', 'E045 2:8'],
    ['import "lib/a.txt"\n', 'E045 2:8'],
    ['import "/lib/a.bot"\n', 'E045 2:8'],
    ['schema s:\n  x: int\nimport "lib/a.bot"\n', 'E044 4:1'],
    ['schema s:\n  x: int\nimport "a.bot"\n', 'E044 4:1', 'E045 4:8'],
    ['import lib\n', 'E001 2:1'],
  ])('%j', (head, ...expected) => {
    expect(codes(`dsl: 2\n${head}${AGENT}${END}`)).toEqual(expected);
  });
});

test('an unbounded loop is a loop with its fuel as its bound', () => {
  const main = `dsl: 2\n${AGENT}\nworkflow w:\n  entry: a\n  a -> a as l(unbounded 7)\n  a -> done\n`;
  const { plan, diagnostics } = compileBundle({ main });
  expect(diagnostics).toEqual([]);
  expect(plan?.loops['l']).toMatchObject({ cap: 7, body: ['a'] });
});

describe('declarations that are passed over', () => {
  const beside = (declaration: string, ...edges: readonly string[]): readonly string[] =>
    codes(
      `dsl: 2\n${AGENT}\n${declaration}\n\nworkflow w:\n  entry: a\n  ${[...edges, 'a -> done'].join('\n  ')}\n`,
    ).map(one => one.slice(0, 4));
  test.each<[string, ...string[]]>([
    ['supervisor s:\n  watches: [a, done, b]\n  model: m', 'C190', 'C190'],
    ['supervisor s:\n  watches:\n    - a'],
    ['supervisor s:', 'C191'],
    ['use g as x with { p: "1" }\ngroup g(p):\n  agent n:\n    model: m'],
    ['group g():\n  ## nothing', 'C141'],
    ['use', ''],
    ['contract:\n  version: 1'],
    ['subbot:\n  x: 1'],
  ])('%j', (declaration, ...expected) => {
    expect(beside(declaration)).toEqual(expected.filter(code => code !== ''));
  });

  test('are ends of edges, and are read from', () => {
    const wait = 'emit e:\n  event: go\nwait b:\n  event: go\n  timeout: "1m"';
    expect(beside(wait, 'a -> b when "1 > 2"', 'b -> e with { x: "{{outputs.b.y}}" }', 'e -> done')).toEqual(
      [],
    );
    expect(beside('', 'a -> b when "1 > 2"', 'b -> done')).toEqual(['C001', 'C001']);
    expect(codes(`dsl: 2\n${wait}\nworkflow w:\n  entry: b\n  b -> done\n`)).toEqual([]);
  });

  test('keep a bot from being run', () => {
    const main = `dsl: 2\n${AGENT}\nwait b:\n  event: go\n  timeout: "1m"\n${END}`;
    expect(compileBundle({ main }).plan?.unsupported).toEqual(['`wait` declarations']);
  });
});

test.each<[string, ...string[]]>([
  ['router a:\n  mode: fan_out_each\n  over: "{{vars.x}}"\n  key: id'],
  ['router a:\n  mode: llm\n  model: m\n  over: "x"', 'C021', 'C114'],
  ['agent a:\n  model: m\n  reasoning_effort: ultracode'],
  ['agent a:\n  model: m\n  interaction: review'],
  ['human a:\n  interaction: human_or_host'],
  ['agent a:\n  backend: grok\n  interaction: async', 'C267'],
])('words that are passed over: %j', (node, ...expected) => {
  expect(codes(`dsl: 2\n${node}\n${END}`).map(one => one.slice(0, 4))).toEqual(expected);
});

describe('what is no token in what is passed over', () => {
  test.each<[string, ...string[]]>([
    ['  timeout: `soon\n', 'E004 4:12'],
    ['  needs: [gpu\n  skills: "a\n', 'E004 5:11'],
    ['  needs: {{ [gpu]\n', 'E002 4:18'],
    ['  needs: }\n', 'E002 4:11'],
    ['  fallbacks:\n    one: { x: 1 }\n'],
    ['  fallbacks:\n    one: "x\n    two: y\n', 'E004 5:10'],
  ])('%j', (lines, ...expected) => {
    const found = codes(`dsl: 2\n${AGENT}${lines}${END}`).filter(code => code.startsWith('E'));
    expect(found.slice(0, 1)).toEqual(expected);
  });
});
