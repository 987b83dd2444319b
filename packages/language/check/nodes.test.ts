import { describe, expect, test } from 'vitest';
import { agent, base, plain, SCHEMA, workflow } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

const ROLES = ['agent', 'judge'] as const;
/** An agent or a judge of which only the given properties are known. */
const role = (kind: string, properties: string, ...lines: readonly string[]): string =>
  `${SCHEMA}${kind} a:\n  ${properties}\n\n${workflow('a', ...lines, 'a -> done')}`;

describe.each(ROLES)('an %s', kind => {
  test.each<Verdict>([
    ['with a backend only', 'backend: "claw"', ''],
    ['with a model only', 'model: "m"', ''],
    ['with neither', 'readonly: true', 'C018'],
    ['with empty ones', 'model: ""\n  backend: ""', 'C018'],
    ['with a discouraged backend', 'backend: "codex"', 'C030'],
    ['unknown schemas', 'model: "m"\n  input: x\n  output: y', 'C002 C002'],
    ['unknown prompts', 'model: "m"\n  system: x\n  user: y', 'C003 C003'],
    ['an effort in quotes', 'model: "m"\n  reasoning_effort: "xhigh"', ''],
    ['an empty effort', 'model: "m"\n  reasoning_effort: ""', ''],
    ['an unknown effort', 'model: "m"\n  reasoning_effort: "High"', 'C027'],
    ['an effort from the environment', 'model: "m"\n  reasoning_effort: "${EFFORT:-huge}"', ''],
    ['awaiting with a session', 'model: "m"\n  await: best_effort\n  session: fork', 'C009'],
    ['awaiting with a fresh one', 'model: "m"\n  await: wait_all\n  session: artifacts_only', ''],
    ['a session without awaiting', 'model: "m"\n  session: inherit', ''],
    ['compaction', 'model: "m"\n  compaction:\n    threshold: 1.0\n    preserve_recent: 0', ''],
    ['compaction of 0', 'model: "m"\n  compaction:\n    threshold: 0', ''],
    ['compaction out of bounds', 'model: "m"\n  compaction:\n    threshold: 2', 'C043'],
  ])('%s', (_, properties, codes) => {
    expect(codesOf(role(kind, properties))).toEqual(wordsOf(codes));
  });

  test.each<Verdict>([
    ['is off unless enabled', 'model: "m"\n  memory:\n    read: true', ''],
    ['is off when it says so', 'backend: "codex"\n  memory:\n    enabled: false', 'C030'],
    ['needs a scope', 'model: "m"\n  memory:\n    enabled: true', 'C048'],
    ['an empty scope is none', 'model: "m"\n  memory:\n    enabled: true\n    scope: ""', 'C048'],
    ['on a backend that reads it', 'backend: "claw"\n  memory:\n    enabled: true\n    scope: "x"', ''],
    ['by its other name', 'backend: "model_api"\n  memory:\n    enabled: true\n    scope: "x"', ''],
    ['by its own name', 'backend: "model-api"\n  memory:\n    enabled: true\n    scope: "x"', ''],
    ['on another', 'backend: "claude_code"\n  memory:\n    enabled: true', 'C047 C048'],
    ['on one that is not known yet', 'backend: "${B}"\n  memory:\n    enabled: true\n    scope: "x"', 'C047'],
  ])('whose memory %s', (_, properties, codes) => {
    expect(codesOf(role(kind, properties))).toEqual(wordsOf(codes));
  });

  test('a backend of the workflow is no model of the node', () => {
    expect(codesOf(role(kind, 'readonly: true', 'default_backend: "claw"'))).toEqual(['C018']);
  });

  test("memory on the workflow's backend is Hearth's own word", () => {
    const memory = 'model: "m"\n  memory:\n    enabled: true\n    scope: "x"';
    expect(codesOf(role(kind, memory, 'default_backend: "codex"'))).toEqual(['H009']);
    expect(codesOf(role(kind, memory, 'default_backend: "claw"'))).toEqual([]);
  });

  test('tokens are compared with those of the workflow', () => {
    const tokens = (own: number, all: number): readonly string[] =>
      codesOf(role(kind, `model: "m"\n  max_tokens: ${own}`, 'budget:', `  max_tokens: ${all}`));
    expect(tokens(9, 8)).toEqual(['C037']);
    expect(tokens(8, 8)).toEqual([]);
    expect(tokens(9, 0)).toEqual([]);
  });
});

describe('capabilities', () => {
  const list = (own: string, ...lines: readonly string[]): string =>
    agent('a', own) + workflow('a', ...lines, 'a -> done');
  test.each<Verdict>([
    [
      'all that profile 1 has',
      list('capabilities: [board.read, board.create, board.move, board.assign, board.label, board.close]'),
      '',
    ],
    ['one that came later', list('capabilities: [board.comment]'), 'C080'],
    ['in profile 2 it is known', `dsl: 2\n${list('capabilities: [board.comment]')}`, ''],
    ['a domain alone', list('capabilities: [board]'), 'C080'],
    ['each on its own', list('capabilities: [board.fly, Board, a.b.c, board.*]'), 'C080 C081 C081 C081'],
    [
      'of the workflow, once',
      agent('a') + plain('b') + workflow('a', 'capabilities: [board.fly]', 'a -> b', 'b -> done'),
      'C002 C080',
    ],
    [
      'in a sandbox, each',
      list('capabilities: [board.read, board.move, git]', 'sandbox: auto'),
      'C080 C082 C082',
    ],
    [
      'of the workflow in a sandbox',
      list('readonly: true', 'sandbox: auto', 'capabilities: [board.read]'),
      '',
    ],
    ['in no sandbox', list('capabilities: [board.read]', 'sandbox: none'), ''],
    ['in a sandbox that is none', list('capabilities: [board.read]', 'sandbox: maybe'), 'C044'],
    ['in a sandbox of the node', list('capabilities: [board.read]\n  sandbox: auto'), ''],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('humans that a model answers', () => {
  const human = (properties: string, ...lines: readonly string[]): string =>
    `${SCHEMA}human a:\n  ${properties}\n\n${workflow('a', ...lines, 'a -> done')}`;
  test.each<Verdict>([
    ['need a model and an output', human('interaction: llm'), 'C018 C018'],
    [
      'a model of the interaction is one',
      human('interaction: llm_or_human\n  interaction_model: "m"'),
      'C018',
    ],
    ['with both', human('interaction: llm\n  model: "m"\n  output: s'), ''],
    ['by the word of the workflow', human('min_answers: 1', 'interaction: llm'), 'C018 C018'],
    ['`none` is no word', human('interaction: none', 'interaction: llm'), 'C018 C018'],
    ['`human` is one', human('interaction: human', 'interaction: llm'), ''],
    ['agents need none of it', SCHEMA + agent('a', 'interaction: llm') + workflow('a', 'a -> done'), ''],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('tools and compute nodes', () => {
  const tool = (properties: string): string => `tool a:\n  ${properties}\n\n${workflow('a', 'a -> done')}`;
  const compute = (properties: string): string =>
    `${SCHEMA}compute a:\n  ${properties}\n\n${workflow('a', 'a -> done')}`;
  test.each<Verdict>([
    ['a command', tool('command: "ls"'), ''],
    ['a script', tool('script: "ls"'), ''],
    ['a script in a language', tool('script: "ls"\n  language: python3'), ''],
    ['neither', tool('await: wait_all'), 'C004'],
    ['both', tool('command: "ls"\n  script: "ls"'), 'C004'],
    ['empty ones are none', tool('command: ""\n  script: "ls"'), ''],
    ['two empty ones', tool('command: ""\n  script: ""'), 'C004'],
    ['a language without a script', tool('command: "ls"\n  language: sh'), 'C004'],
    ['which is unknown as well', tool('command: "ls"\n  language: ruby'), 'C004 C004'],
    ['an unknown language', tool('script: "ls"\n  language: ruby'), 'C004'],
    ['a language alone', tool('language: sh'), 'C004'],
    ['an unknown language alone', tool('language: ruby'), 'C004 C004'],
    ['a malformed reference', tool('command: "ls {{nope}}"'), 'C004'],
    ['in both bodies', tool('command: "{{a}}"\n  script: "{{b}}"'), 'C004 C004 C004'],
    ['unknown schemas', tool('command: "ls"\n  input: x\n  output: y'), 'C002 C002'],
    ['no expressions', compute('output: s'), 'C039'],
    [
      'unknown schemas of a compute node',
      compute('input: x\n  output: y\n  expr:\n    ok: "1"'),
      'C002 C002',
    ],
    ['each expression on its own', compute('output: s\n  expr:\n    ok: "1 +"\n    n: "(1"'), 'C040 C040'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('names', () => {
  const rest = workflow('a', 'a -> done');
  test.each<Verdict>([
    ['three nodes of one name', `${plain('a')}${plain('a')}tool a:\n  command: "ls"\n\n${rest}`, 'C041 C041'],
    [
      'an agent comes before a tool, wherever it stands',
      `tool a:\n  command: ""\n\n${plain('a')}${rest}`,
      'C041',
    ],
    ['what is not kept is not looked at', `${plain('a')}${agent('a', 'output: x')}${rest}`, 'C041'],
    [
      'nodes, schemas and prompts have names of their own',
      `schema a:\n  ok: bool\n\nprompt a:\n  hi\n\n${plain('a')}${rest}`,
      '',
    ],
    ['a schema twice', `${SCHEMA}${SCHEMA}${base('a -> done')}`, 'C041 C041'],
    [
      'the first schema counts',
      `${SCHEMA}schema s:\n  x: int\n\n${agent('a')}${workflow('a', 'a -> done when ok', 'a -> fail')}`,
      'C041',
    ],
    ['fields may repeat', `schema t:\n  x: int\n  x: bool\n\n${base('a -> done')}`, ''],
    [
      'a router, a human and a tool called like an end',
      `router done:\n  mode: condition\n\nhuman fail:\n  min_answers: 1\n\ntool done:\n  command: "ls"\n\n${base('a -> done')}`,
      'C042 C042 C042',
    ],
    ['two workflows', `${base('a -> done')}\n${workflow('b', 'b -> ghost')}`, 'C007'],
    [
      'three workflows are one error',
      `${base('a -> done')}\n${workflow('b', 'x -> y')}\n${workflow('b', 'x -> y')}`,
      'C007',
    ],
    ['no workflow is the only error', agent('a', 'output: x'), 'C006'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});
