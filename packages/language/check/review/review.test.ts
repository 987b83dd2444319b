import { describe, expect, test } from 'vitest';
import { REVIEWED, reviewed } from '../../codes/reviews.ts';
import { agent, plain, SCHEMA, workflow } from '../../codes/sources.ts';
import { compileBundle } from '../../compile/compile.ts';
import { codesOf, type Verdict, wordsOf } from '../../testing/verdicts.ts';

const [ARTIFACT = ''] = /^artifact[\s\S]*?\n\n/.exec(REVIEWED) ?? [];

test.each<Verdict>([
  ['a file in which nothing is wrong', REVIEWED, ''],
  ['the declaration may stand anywhere', `${REVIEWED.replace(ARTIFACT, '')}\n${ARTIFACT}`, ''],
  [
    'an unknown artifact of a review',
    reviewed('artifact: plan\n  reader', 'artifact: plam\n  reader'),
    'H010 H017',
  ],
  ['an unknown artifact to reopen', reviewed('reopens: plan', 'reopens: plam'), 'H010'],
  ['an unknown artifact that is required', reviewed('requires: [plan]', 'requires: [plan, plam]'), 'H010'],
  ['an unknown artifact in `from`', reviewed('lint: pseudocode', 'from: [plam]'), 'H010'],
  ['each unknown one', reviewed('opens [plan]', 'opens [a, b]'), 'H010 H010'],
  ['the default field of the text', reviewed('  body: text\n', ''), 'H013'],
  ['a text that is no string', reviewed('  text: string', '  text: json'), 'H013'],
  ['a publisher without a schema', reviewed('  output: draft\n', ''), 'H013'],
  ['other names may be published freely', reviewed('requires: [plan]', 'publish: report'), ''],
  ['a reader that is no agent', reviewed('reader: reader', 'reader: home'), 'H019'],
  ['no reader at all', reviewed('  reader: reader\n', ''), 'H028 H028 H028 H028'],
])('%s', (_, main, codes) => {
  expect(codesOf(main)).toEqual(wordsOf(codes));
});

describe('cycles among artifacts', () => {
  const names = ['a', 'b', 'c'];
  const agents = names.map(name => `agent w${name}:\n  model: "m"\n  output: t\n  publish: ${name}\n\n`);
  const from = (lists: readonly string[]): string => {
    const artifacts = lists.map((list, at) => `artifact ${names[at]}:\n  body: text\n  from: [${list}]\n\n`);
    const graph = workflow('wa', 'wa -> wb', 'wb -> wc', 'wc -> done');
    return `${artifacts.join('')}schema t:\n  text: string\n\n${agents.join('')}${graph}`;
  };
  test.each<readonly [string, readonly string[], string]>([
    ['three in a ring', ['b', 'c', 'a'], 'H012'],
    ['two of three', ['b', 'a', 'a'], 'H012'],
    ['two rings', ['b', 'a, b', 'a'], 'H012 H012'],
  ])('%s', (_, lists, codes) => {
    expect(codesOf(from(lists))).toEqual(wordsOf(codes));
  });
});

describe('actions', () => {
  const stop = (modifiers: string): string => reviewed('[stops]', modifiers);
  test.each<Verdict>([
    ['a modifier twice', stop('[stops, stops]'), 'H029'],
    ['confirming and stopping', stop('[confirms, stops]'), 'H029'],
    ['aside and says', reviewed('aside: reader', 'aside: reader, says: later'), 'H029'],
    ['says and confirms', reviewed('says: later', 'says: later, confirms'), 'H029'],
    ['two that a bare ok means', stop('[stops, assent]'), 'H029'],
    ['only typed, and nothing that reads it', stop('[stops, text]'), 'H029'],
    [
      'only typed, by a bare ok',
      reviewed('[confirms, assent, when: "agrees"]', '[confirms, text, assent]'),
      '',
    ],
    ['an expression that cannot be read', reviewed('"agrees"', '"agrees &&"'), 'H028'],
    ['an expression over the input', reviewed('"agrees"', '"input.agrees && input.change == change"'), ''],
    ['each unknown field', reviewed('"agrees"', '"agreed || nope.deep"'), 'H028 H028'],
    ['notes without an edge', stop('[notes: plan]').replace('  check -> home on stop\n', ''), ''],
    ['notes with an edge', stop('[notes: plan]'), ''],
    [
      'notes with two',
      stop('[notes: plan]').replace('on stop\n', 'on stop\n  check -> done on stop\n'),
      'H023',
    ],
    ['two edges', reviewed('on stop\n', 'on stop\n  check -> done on stop\n'), 'H023'],
    [
      'three edges are one error',
      reviewed('on stop\n', 'on stop\n  check -> done on stop\n  check -> fail on stop\n'),
      'H023',
    ],
    ['an aside needs no edge and no unknown node', reviewed('aside: reader', 'aside: home'), 'H026'],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });

  const human = (actions: string, ...edges: readonly string[]): string =>
    `${SCHEMA}human ask:\n  output: s\n  actions:\n    ${actions}\n\n${plain('a')}${workflow('ask', ...edges, 'a -> done')}`;
  test.each<Verdict>([
    ['answering takes the plain edge', human('stop: "Stop" [stops]', 'ask -> a', 'ask -> done on stop'), ''],
    [
      'conditions on the answer need no way out',
      human('stop: "Stop" [stops]', 'ask -> a when ok', 'ask -> done on stop'),
      '',
    ],
    ['an action without an edge', human('stop: "Stop" [stops]', 'ask -> a'), 'H023'],
    ['a confirmation of nothing', human('yes: "Yes" [confirms]', 'ask -> a on yes'), 'H029'],
    ['no one reads what is typed', human('yes: "Yes" [when: "ok"]', 'ask -> a on yes'), 'H028'],
    [
      'an edge on an unknown action',
      human('stop: "Stop" [stops]', 'ask -> a on stopp', 'ask -> done on stop'),
      'H024',
    ],
    [
      'a human without actions has none',
      `human ask:\n  min_answers: 1\n\n${workflow('ask', 'ask -> done on stop')}`,
      'H024',
    ],
    [
      'a human never fails',
      human('stop: "Stop" [stops]', 'ask -> a on failed', 'ask -> done on stop'),
      'H024',
    ],
    [
      'a cycle through a person needs no bound',
      human('again: "Again"', 'ask -> a', 'ask -> ask on again').replace('a -> done', 'a -> ask'),
      '',
    ],
  ])('of a human: %s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('edges', () => {
  test.each<Verdict>([
    [
      'the ends of a tool',
      `tool t:\n  command: "ls"\n\n${workflow('t', 't -> done', 't -> fail on failed', 't -> done on interrupted')}`,
      '',
    ],
    [
      'each once',
      `tool t:\n  command: "ls"\n\n${workflow('t', 't -> done', 't -> fail on failed', 't -> done on failed')}`,
      'H023',
    ],
    [
      'a compute node has none',
      `${SCHEMA}compute c:\n  output: s\n  expr:\n    ok: "true"\n    n: "1"\n\n${workflow('c', 'c -> done', 'c -> fail on failed')}`,
      'H024',
    ],
    [
      'a router has none',
      `router r:\n  mode: condition\n\n${workflow('r', 'r -> done', 'r -> fail on failed')}`,
      'H024',
    ],
    [
      'an end is no way out for conditions',
      SCHEMA + agent('a') + workflow('a', 'a -> done when ok', 'a -> fail on failed'),
      'C012',
    ],
    ['nor a second plain edge', SCHEMA + agent('a') + workflow('a', 'a -> done', 'a -> fail on failed'), ''],
    [
      'a condition besides',
      SCHEMA + agent('a') + workflow('a', 'a -> done', 'a -> fail when ok on failed'),
      'H031',
    ],
    [
      'a cycle over an end is bounded like any',
      SCHEMA + agent('a') + workflow('a', 'a -> done', 'a -> a on failed'),
      'C019',
    ],
  ])('%s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });

  test('a cycle between a home and an agent is bounded by the person, in a file with an artifact only', () => {
    const home = `schema said:\n  message: string\n\nhuman home:\n  output: said\n\n${agent('a', 'output: said')}${workflow('home', 'home -> a', 'a -> home')}`;
    expect(codesOf(home)).toEqual(['C019']);
    const artifact = 'artifact note:\n  body: message\n\n';
    expect(
      codesOf(
        artifact + home.replace('output: said\n\nworkflow', 'output: said\n  publish: note\n\nworkflow'),
      ),
    ).toEqual([]);
  });
});

describe('branches', () => {
  const fan = (...edges: readonly string[]): string =>
    `router r:\n  mode: fan_out_all\n\n${REVIEWED}`
      .replace('writer -> check\n', `writer -> r\n  ${edges.join('\n  ')}\n`)
      .replace('agent reader:', `${plain('a')}${plain('b')}agent reader:`);
  test.each<Verdict>([
    ['behind the meeting', fan('r -> a', 'r -> b', 'a -> check', 'b -> check'), ''],
    ['before the meeting', fan('r -> a', 'r -> b', 'a -> check', 'b -> done'), 'H018 H033'],
    ['one edge is no branch', fan('r -> a', 'a -> b', 'b -> check'), ''],
    [
      'where branches are awaited',
      fan('r -> a', 'r -> b', 'a -> done', 'b -> check').replace(
        'agent b:\n',
        'agent b:\n  await: wait_all\n',
      ),
      'H018 H033',
    ],
  ])('a review %s', (_, main, codes) => {
    expect(codesOf(main)).toEqual(wordsOf(codes));
  });
});

describe('memory of the conversation', () => {
  const session = (mapping: string): string =>
    reviewed('  publish: plan\n', '  publish: plan\n  session: inherit\n').replace(
      'with { change: "{{input.feedback}}" }',
      `with { change: "{{input.feedback}}"${mapping} }`,
    );
  test('an edge that a person takes back to an agent carries its session', () => {
    const keys = ['_session_id', '_session_fingerprint'].map(key => `, ${key}: "{{outputs.writer.${key}}}"`);
    const home = (main: string): string =>
      main.replace('"{{outputs.home.message}}" }', `"{{outputs.home.message}}"${keys.join('')} }`);
    expect(codesOf(session(''))).toEqual(['H001', 'H001']);
    expect(codesOf(home(session(keys.join(''))))).toEqual([]);
    expect(codesOf(home(session(keys[0] ?? '')))).toEqual(['H001']);
  });
});

test('words are said with their place, their node or edge, and a way out', () => {
  const found = (main: string) => compileBundle({ main }).diagnostics.filter(one => one.severity === 'error');
  expect(found(reviewed('  check -> home on stop\n', ''))).toEqual([
    {
      code: 'H023',
      severity: 'error',
      message: 'the action `stop` of `check` has no edge, so nothing says where it leads',
      fix: 'add `check -> NODE on stop`',
      file: 'main.bot',
      at: { line: 43, column: 5 },
      node: 'check',
    },
  ]);
  expect(found(reviewed('on stop', 'on stopp'))).toMatchObject([
    { code: 'H024', edge: 'check -> home', fix: 'did you mean `stop`?' },
    { code: 'H023', node: 'check' },
  ]);
});
