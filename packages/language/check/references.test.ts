import { describe, expect, test } from 'vitest';
import { agent, base, SCHEMA, workflow } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

/** `a` then `b`, both with the schema; the prompt `p` is used by what says so. */
const chain = (text: string, b = 'output: s\n  user: p', a = 'output: s', edge = 'a -> b'): string =>
  `prompt p:\n  ${text}\n\n${SCHEMA}${agent('a', a)}${agent('b', b)}${workflow('a', edge, 'b -> done')}`;
const value = (text: string, ...edges: readonly string[]): string =>
  base(`a -> done with { x: "${text}" }`, ...edges);
const compute = (expr: string, more = ''): string =>
  `${SCHEMA}${agent('a')}compute c:\n  input: s\n  output: s\n  expr:\n    ok: "${expr}"\n    n: "1"\n\n${more}${workflow('a', 'a -> c', 'c -> done')}`;

describe('outputs', () => {
  test.each<Verdict>([
    ['a field', chain('{{outputs.a.ok}}'), ''],
    ['any depth below it', chain('{{outputs.a.ok.deep.0}}'), ''],
    ['the whole output', chain('{{outputs.a}}'), ''],
    ['an unknown node', chain('{{outputs.ghost.ok}}'), 'C029'],
    ['an unknown field', chain('{{outputs.a.nope}}'), 'C031'],
    ['an empty field', chain('{{outputs.a.}}'), 'C031'],
    ['an empty node', chain('{{outputs.}}'), 'C029'],
    ['a field of no schema', chain('{{outputs.a.ok}}', 'user: p', 'readonly: true'), 'C032'],
    ['a field of an unknown schema', chain('{{outputs.a.ok}}', 'user: p', 'output: x'), 'C002'],
    ['what the engine adds', chain('{{outputs.a._session_id}} {{outputs.a._x}}'), ''],
    ['a history without a loop', chain('{{outputs.a.history}}'), 'C017'],
    ['a history of a field', chain('{{outputs.a.ok.history}}'), 'C017'],
    ['a field called history is not the history of the node', chain('{{outputs.a.history.ok}}'), ''],
    ['a node that comes later', chain('{{outputs.b.ok}}', 'output: s', 'output: s\n  user: p'), 'C036'],
    [
      'then its field is not looked at',
      chain('{{outputs.b.nope}}', 'output: s', 'output: s\n  user: p'),
      'C036',
    ],
    ['the node itself', chain('{{outputs.b.ok}}'), 'C036'],
    ['done is a node', chain('{{outputs.done.ok}}'), 'C036'],
    ['an edge gives what its source has put out', value('{{outputs.a.ok}}'), ''],
    ['an edge gives nothing of its target', base('a -> done with { x: "{{outputs.done.x}}" }'), 'C036'],
    ['an edge to an unknown node', base('a -> ghost with { x: "{{outputs.a.nope}}" }'), 'C001 C031'],
    [
      'an edge from an unknown node',
      base('a -> done', 'ghost -> a with { x: "{{outputs.a.ok}} {{input.x}}" }'),
      'C001',
    ],
    [
      'a reference in a condition is not checked here',
      base('a -> done when "outputs.ghost.x"', 'a -> fail'),
      '',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });

  test('the target of a loop has run before itself, and nothing else has', () => {
    const main = (edges: readonly string[]): string =>
      `prompt p:\n  {{outputs.a.ok}}\n\n${SCHEMA}${agent('a', 'output: s\n  user: p')}${agent('b')}${workflow('a', ...edges)}`;
    expect(codesOf(main(['a -> b', 'b -> a as l(2)', 'b -> done']))).toEqual([]);
    expect(codesOf(main(['a -> b as l(2)', 'b -> a when ok', 'b -> done']))).toEqual(['C036']);
    expect(codesOf(main(['a -> a as l(2)', 'a -> b', 'b -> done']))).toEqual([]);
  });

  test('a node that touches a loop has a history, from either end', () => {
    const main = (edge: string): string =>
      `prompt p:\n  {{outputs.a.history}}\n\n${SCHEMA}${agent('a')}${agent('b', 'user: p')}${workflow('a', edge, 'a -> b', 'b -> done')}`;
    expect(codesOf(main('a -> a as l(2)'))).toEqual([]);
    expect(codesOf(main('a -> done as l(2)'))).toEqual([]);
    expect(codesOf(main('b -> b as l(2)'))).toEqual(['C017']);
  });
});

describe('prompts', () => {
  test.each<Verdict>([
    ['one that is not used', `prompt q:\n  {{vars.nope}} {{outputs.ghost.x}}\n\n${base('a -> done')}`, ''],
    ['its references are well-formed all the same', `prompt q:\n  {{nope}}\n\n${base('a -> done')}`, 'C004'],
    ['and so is its history', `prompt q:\n  {{outputs.a.history}}\n\n${base('a -> done')}`, 'C017'],
    ['used by two nodes it is checked for each', chain('{{vars.x}}', 'user: p', 'user: p'), 'C033 C033'],
    ['used in two places it is checked for both', chain('{{vars.x}}', 'user: p\n  system: p'), 'C033 C033'],
    ['its history is told once', chain('{{outputs.a.history}}', 'user: p\n  system: p'), 'C017'],
    ['a prompt of the interaction', chain('{{vars.x}}', 'interaction_prompt: p'), 'C033'],
    ['one that does not exist', chain('x', 'interaction_prompt: nope'), ''],
    ['one bad reference hides the others', chain('{{vars.x}} {{nope}} {{vars.y}}'), 'C004'],
    ['never closed', chain('Hi {{vars.x'), 'C004'],
    ['nested', chain('{{vars.{{vars.x}}}}'), 'C004'],
    ['one part', chain('{{input}}'), 'C004'],
    ['blanks and the raw form', chain('{{ ! vars.x }}'), 'C033'],
    ['a second prompt of a name is not read', `prompt p:\n  hi\n\n${chain('{{nope}}')}`, 'C041'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });

  test.each<Verdict>([
    ['instructions', 'instructions: p', 'C033'],
    ['a system prompt that no model reads', 'system: p', ''],
    ['which then need not exist', 'system: nope', ''],
    [
      'a system prompt that a model reads',
      'system: p\n  interaction: llm\n  model: "m"\n  output: s',
      'C033',
    ],
    ['which must exist', 'system: nope\n  interaction: llm\n  model: "m"\n  output: s', 'C003'],
    ['instructions that do not exist', 'instructions: nope', 'C003'],
  ])('of a human: %s', (_, properties, codes) => {
    const main = `prompt p:\n  {{vars.x}}\n\n${SCHEMA}human h:\n  ${properties}\n\n${workflow('h', 'h -> done')}`;
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('inputs, vars, artifacts and attachments', () => {
  const both = 'input: s\n  user: p';
  const files = 'attachments:\n  f: file\n\n';
  test.each<Verdict>([
    ['a field of the input', chain('{{input.ok}} {{input.n.deep}}', both), ''],
    ['an unknown one', chain('{{input.nope}}', both), 'C034'],
    ['what the engine adds is in no schema', chain('{{input._session_id}} {{input.history}}', both), ''],
    ['no schema, no check', chain('{{input.nope}}'), ''],
    ['an edge asks the input of its source', base('a -> done with { x: "{{input.nope}}" }'), ''],
    [
      'which may have a schema',
      SCHEMA + agent('a', 'input: s') + workflow('a', 'a -> done with { x: "{{input.nope}}" }'),
      'C034',
    ],
    ['a var', `vars:\n  x: int\n\n${chain('{{vars.x}}')}`, ''],
    [
      'a var of the workflow',
      SCHEMA + agent('a') + workflow('a', 'vars:', '  x: int', 'a -> done with { x: "{{vars.x}}" }'),
      '',
    ],
    ['an unknown var', value('{{vars.x}}'), 'C033'],
    ['an empty var', value('{{vars.}}'), 'C033'],
    ['loops and runs are not checked', value('{{loop.nope.max}} {{run.nope}}'), ''],
    ['an artifact that nothing publishes', value('{{artifacts.nope}}'), 'C035'],
    ['one that was published', chain('{{artifacts.doc.x}}', 'user: p', 'publish: doc'), ''],
    ['one that is published later', chain('{{artifacts.doc}}', 'publish: doc', 'user: p'), 'C036'],
    [
      'by the source of the edge',
      SCHEMA + agent('a', 'publish: doc') + workflow('a', 'a -> done with { x: "{{artifacts.doc}}" }'),
      '',
    ],
    ['an attachment', `${files}${chain('{{attachments.f}} {{attachments.f.sha256}}')}`, ''],
    ['an unknown one', `${files}${chain('{{attachments.g}}')}`, 'C053'],
    ['an unknown part', `${files}${chain('{{attachments.f.colour}}')}`, 'C054'],
    ['a part of a part', `${files}${chain('{{attachments.f.url.x}}')}`, ''],
    [
      'one of the workflow',
      SCHEMA +
        agent('a') +
        workflow('a', 'attachments:', '  f: file', 'a -> done with { x: "{{attachments.f}}" }'),
      '',
    ],
    [
      'one that has the name of a var is none',
      `vars:\n  f: int\n\n${files}${chain('{{attachments.f}}')}`,
      'C051 C053',
    ],
    [
      'in a tool',
      `${SCHEMA}tool a:\n  input: s\n  command: "echo {{input.nope}} {{vars.x}}"\n\n${workflow('a', 'a -> done')}`,
      'C033 C034',
    ],
    [
      'in a script',
      `${SCHEMA}tool a:\n  input: s\n  script: "{{input.nope}} {{outputs.a.ok}}"\n\n${workflow('a', 'a -> done')}`,
      'C034 C036',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('expressions', () => {
  test.each<Verdict>([
    ['all that is there', compute('input.ok && outputs.a.ok'), ''],
    ['an unknown node', compute('outputs.ghost.x'), 'C029'],
    ['an unknown field', compute('outputs.a.nope'), 'C031'],
    ['an unknown field of the input', compute('input.nope'), 'C034'],
    ['told once however often it is read', compute('input.nope || input.nope || !input.nope'), 'C034'],
    ['a bare name is not checked', compute('nope || nope.deep'), ''],
    ['but for attachments', compute('attachments.f'), 'C053'],
    ['a namespace alone', compute('length(vars) + length(outputs) > 0'), ''],
    ['a history is not checked', compute('outputs.a.history'), ''],
    ['an unknown var', compute('vars.x > 1'), 'C033'],
    ['an unknown function', compute('nope(1)'), 'C040'],
    ['in two fields it is told twice', compute('vars.x', '').replace('n: "1"', 'n: "vars.x"'), 'C033 C033'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});
