import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceLike } from '../testing/source-like.ts';
import { type Drawing, drawingOf } from './drawing.ts';
import { mermaidOf } from './mermaid.ts';

const SOURCE = `human home:
  output: words

agent draft:
  model: "m"

compute gate:
  output: words

router pick:
  mode: condition

agent reader:
  model: "m"

agent helper:
  model: "m"

review check:
  artifact: plan
  reader: reader
  actions:
    confirm: "Confirm" [confirms]
    protocol: "Question" [text, aside: helper]
    stop: "Stop" [stops]

workflow w:
  entry: home
  home -> draft opens [plan] with { request: "{{outputs.home.message}}" }
  draft -> gate when ready
  draft -> home when not ready as again(3)
  draft -> check
  gate -> pick when "length(input.items) > 3 && kind == 'a\\"b'"
  pick -> ghost
  check -> done on confirm
  check -> fail on stop
`;

test('a drawing has all nodes and edges in the order of the source', () => {
  expect(drawingOf({ main: SOURCE })).toEqual({
    name: 'w',
    entry: 'home',
    nodes: [
      { name: 'home', kind: 'human' },
      { name: 'draft', kind: 'agent' },
      { name: 'gate', kind: 'compute' },
      { name: 'pick', kind: 'router' },
      { name: 'reader', kind: 'agent' },
      { name: 'helper', kind: 'agent' },
      { name: 'check', kind: 'review', artifact: 'plan' },
      { name: 'ghost', kind: 'unknown' },
      { name: 'done', kind: 'done' },
      { name: 'fail', kind: 'fail' },
    ],
    edges: [
      { from: 'home', to: 'draft', opens: ['plan'], with: ['request'] },
      { from: 'draft', to: 'gate', when: 'ready' },
      { from: 'draft', to: 'home', when: 'not ready', loop: { name: 'again', cap: 3 } },
      { from: 'draft', to: 'check' },
      { from: 'gate', to: 'pick', when: `length(input.items) > 3 && kind == 'a\\"b'` },
      { from: 'pick', to: 'ghost' },
      { from: 'check', to: 'done', on: 'confirm' },
      { from: 'check', to: 'fail', on: 'stop' },
    ],
    helps: [
      { from: 'check', to: 'reader', as: 'reader' },
      { from: 'check', to: 'helper', as: 'aside' },
    ],
  } satisfies Drawing);
});

test('as a Mermaid flowchart, an outline for each kind and every word escaped', () => {
  expect(mermaidOf(drawn(SOURCE))).toBe(`flowchart TD
  n1(["home<br/>human"])
  n2["draft<br/>agent"]
  n3("gate<br/>compute")
  n4{"pick<br/>router"}
  n5["reader<br/>agent"]
  n6["helper<br/>agent"]
  n7(["check<br/>review of plan"])
  n8>"ghost<br/>unknown"]
  n9(("done"))
  n10(("fail"))
  start(("start"))
  start --> n1
  n1 -->|"opens plan"| n2
  n2 -->|"ready"| n3
  n2 -.->|"not ready, again, 3 at most"| n1
  n2 --> n7
  n3 -->|"length(input.items) #62; 3 #38;#38; kind == 'a#92;#34;b'"| n4
  n4 --> n8
  n7 -->|"on confirm"| n9
  n7 -->|"on stop"| n10
  n7 -.-|"reader"| n5
  n7 -.-|"aside"| n6
`);
});

test('the fallback of profile 2 is named, and a failure with a name is a node', () => {
  const source = `dsl: 2

agent a:
  model: "m"

fail broken:
  code: "BROKEN"

workflow w:
  entry: a
  a -> done when ok
  a -> broken else
`;
  const { nodes, edges } = drawn(source);
  expect(nodes).toContainEqual({ name: 'broken', kind: 'fail' });
  expect(edges.at(-1)).toEqual({ from: 'a', to: 'broken', else: true });
  expect(mermaidOf(drawn(source))).toContain('n2(("broken<br/>fail"))');
});

test('without a workflow there is nothing to draw', () => {
  expect(drawingOf({ main: 'agent a:\n  model: "m"\n' })).toBeNull();
});

test('any text can be drawn, and each line of a chart has one of its forms', () => {
  const text = '"(?:[^"`#<>]|#\\d+;|<br/>)*"';
  const outlines = [
    `\\[${text}\\]`,
    `\\{${text}\\}`,
    `\\(\\[${text}\\]\\)`,
    `\\[\\[${text}\\]\\]`,
    `\\(${text}\\)`,
    `\\(\\(${text}\\)\\)`,
    `>${text}\\]`,
  ];
  const line = new RegExp(
    `^ {2}(?:(?:n\\d+|start)(?:${outlines.join('|')})|(?:n\\d+|start) (?:-->|-\\.->|-\\.-)(?:\\|${text}\\|)? n\\d+)$`,
    'u',
  );
  fc.assert(
    fc.property(sourceLike, sourceLike, (condition, rest) => {
      const quoted = condition.replaceAll(/["\\\r\n]/g, ' ');
      const main = `workflow w:\n  entry: end\n  end -> click when "${quoted}x"\n${rest}`;
      const [first, ...lines] = mermaidOf(drawn(main)).trimEnd().split('\n');
      expect(first).toBe('flowchart TD');
      for (const one of lines) expect(one).toMatch(line);
    }),
  );
});

function drawn(main: string): Drawing {
  const drawing = drawingOf({ main });
  if (drawing === null) throw new Error('nothing to draw');
  return drawing;
}
