import { describe, expect, test } from 'vitest';
import { parse } from './file.ts';

const codes = (source: string): readonly string[] =>
  parse(source, 'm').diagnostics.map(({ code, at }) => `${code} ${at.line}:${at.column}`);
const first = (source: string): unknown => parse(source, 'm').file.declarations[0];

describe('artifacts and reviews', () => {
  test('an artifact', () => {
    const source =
      'artifact plan:\n  title: "Plan"\n  body: text\n  lint: pseudocode\n  from: [wish, facts]\n';
    expect(codes(source)).toEqual([]);
    expect(first(source)).toMatchObject({
      kind: 'artifact',
      name: { value: 'plan' },
      properties: {
        title: { value: 'Plan' },
        body: { value: 'text' },
        lint: { value: 'pseudocode' },
        from: { value: [{ value: 'wish' }, { value: 'facts' }] },
      },
    });
  });

  test('a review and its actions, in order', () => {
    const source = [
      'review check:',
      '  artifact: plan',
      '  reader: read_message',
      '  actions:  ## in the order that decides',
      '    change:  "Change"  [feedback, reopens: wish, when: "length(task) > 0"]',
      '    revise:  "Revise"  [feedback, notes: plan]',
      '    ask:     "Ask"     [text, aside: answer]',
      '    later:   "Later"   [text, says: after]',
      '    confirm: "Confirm" [confirms, assent]',
      '    stop:    "Stop"    [stops]',
      '    nothing: "Nothing"',
      '',
    ].join('\n');
    expect(codes(source)).toEqual([]);
    expect(first(source)).toMatchObject({
      kind: 'review',
      properties: {
        artifact: { value: 'plan' },
        reader: { value: 'read_message' },
        actions: {
          value: [
            {
              name: { value: 'change', at: { line: 5, column: 5 } },
              label: { value: 'Change' },
              modifiers: [
                { is: 'feedback' },
                { is: 'reopens', target: { value: 'wish' } },
                { is: 'when', expr: { value: 'length(task) > 0', at: { line: 5, column: 56 } } },
              ],
            },
            { modifiers: [{ is: 'feedback' }, { is: 'notes', target: { value: 'plan' } }] },
            { modifiers: [{ is: 'text' }, { is: 'aside', target: { value: 'answer' } }] },
            { modifiers: [{ is: 'text' }, { is: 'says', target: { value: 'after' } }] },
            { modifiers: [{ is: 'confirms' }, { is: 'assent' }] },
            { modifiers: [{ is: 'stops' }] },
            { modifiers: [] },
          ],
        },
      },
    });
  });

  test.each([
    ['confirm: Confirm [confirms]', 'E002 4:14'],
    ['confirm: "Confirm" [confirm]', 'E002 4:25'],
    ['confirm: "Confirm" [reopens]', 'E002 4:32'],
    ['confirm: "Confirm" [when: kind]', 'E002 4:31'],
    ['confirm: "Confirm" [confirms', 'E002 4:33'],
    ['confirm "Confirm"', 'E002 4:13'],
  ])('a wrong action costs its line only: %s', (line, error) => {
    const source = `review check:\n  artifact: plan\n  actions:\n    ${line}\n    stop: "Stop" [stops]\n`;
    expect(codes(source)).toEqual([error]);
    expect(first(source)).toMatchObject({
      properties: { actions: { value: [{ name: { value: 'stop' } }] } },
    });
  });
});

test('properties of nodes', () => {
  const source = [
    'agent a:\n  requires: [plan, wish]\n  inbox: off',
    'tool t:\n  requires: [plan]\n  idempotent: true',
    'human h:\n  pause: input\n  actions:\n    stop: "Stop" [stops]',
    'workflow w:\n  budget:\n    max_tokens: 1\n    lifetime:\n      max_cost_usd: 2.5\n',
  ].join('\n');
  expect(codes(source)).toEqual([]);
  expect(parse(source, 'm').file.declarations).toMatchObject([
    { properties: { requires: { value: [{ value: 'plan' }, { value: 'wish' }] }, inbox: { value: 'off' } } },
    { properties: { requires: { value: [{ value: 'plan' }] }, idempotent: { value: true } } },
    { properties: { pause: { value: 'input' }, actions: { value: [{ name: { value: 'stop' } }] } } },
    { properties: { budget: { value: { lifetime: { value: { max_cost_usd: { value: 2.5 } } } } } } },
  ]);
});

describe('edges', () => {
  const edges = (lines: string): unknown => {
    const workflow = parse(`workflow w:\n  ${lines}\n`, 'm').file.declarations[0];
    return workflow?.kind === 'workflow' ? workflow.edges : [];
  };

  test('`on` and `opens`, in any order with the others', () => {
    expect(edges('a -> b opens [plan, wish] on confirm with { x: "1" }')).toMatchObject([
      { on: { value: 'confirm' }, opens: [{ value: 'plan' }, { value: 'wish' }], with: [{}], else: null },
    ]);
    expect(edges('a -> b')).toMatchObject([{ on: null, opens: [], with: [], when: null, loop: null }]);
  });

  test('each once', () => {
    expect(codes('workflow w:\n  a -> b on x on y opens [a] opens [b]\n')).toEqual([
      'E030 2:15',
      'E030 2:30',
    ]);
  });
});

test('the words stay names wherever no clause or declaration can begin', () => {
  const source = [
    'prompt review:\n  artifact x:\n',
    'schema artifact:\n  review: string\n  on: bool\n  opens: bool\n  actions: bool\n',
    'agent on:\n  model: "m"\n  output: artifact\n  user: review\n',
    'agent opens:\n  model: "m"\n',
    'workflow requires:\n  entry: on\n  on -> opens when on\n  on -> artifact when opens as opens(2)',
    '  opens -> on\n  artifact -> review with { on: "1", opens: "2" }\n',
  ].join('\n');
  expect(codes(source)).toEqual([]);
});

test.each([
  ['artifact\n', 'E001 1:1'],
  ['review: x\n', 'E001 1:1'],
  ['x\nreview the code\nartifact of: time\n', 'E001 1:1'],
])('%j begins no declaration', (source, error) => {
  expect(codes(source)[0]).toBe(error);
});
