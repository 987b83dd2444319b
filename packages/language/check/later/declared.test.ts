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
