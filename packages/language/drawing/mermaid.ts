import type { Drawing, DrawnEdge, DrawnNode } from './drawing.ts';

/*
 * A drawing as a Mermaid flowchart. Every word of the author stands inside of quotes, and what means something to
 * Mermaid there is written as a character reference; nodes are called `n1`, `n2` … so that no name can be taken for a
 * word of Mermaid. Equal drawings give equal texts.
 */

/** The outline of each kind of node. */
const OUTLINES: Readonly<Record<string, readonly [open: string, close: string]>> = {
  agent: ['[', ']'],
  judge: ['[', ']'],
  router: ['{', '}'],
  human: ['([', '])'],
  review: ['([', '])'],
  await_answers: ['([', '])'],
  tool: ['[[', ']]'],
  compute: ['(', ')'],
  done: ['((', '))'],
  fail: ['((', '))'],
  unknown: ['>', ']'],
};

/** The drawing as text; every line ends with `\n`. */
export function mermaidOf({ entry, nodes, edges, helps }: Drawing): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index + 1}`]));
  const id = (name: string): string => ids.get(name) ?? '';
  const lines = [
    'flowchart TD',
    ...nodes.map(node => nodeText(node, id(node.name))),
    ...(entry !== null && ids.has(entry) ? ['start(("start"))', `start --> ${id(entry)}`] : []),
    ...edges.map(edge => edgeText(edge, id)),
    ...helps.map(({ from, to, as }) => `${id(from)} -.-${labelText(as)}${id(to)}`),
  ];
  return lines.map((line, index) => (index === 0 ? `${line}\n` : `  ${line}\n`)).join('');
}

function nodeText({ name, kind, artifact }: DrawnNode, id: string): string {
  const [open, close] = OUTLINES[kind] ?? ['[', ']'];
  const what = artifact === undefined ? kind : `${kind} of ${artifact}`;
  const label = kind === name ? escaped(name) : `${escaped(name)}<br/>${escaped(what)}`;
  return `${id}${open}"${label}"${close}`;
}

function edgeText(edge: DrawnEdge, id: (name: string) => string): string {
  const { when, on, loop, opens } = edge;
  const parts = [
    when,
    on === undefined ? undefined : `on ${on}`,
    edge.else === undefined ? undefined : 'else',
    loop === undefined ? undefined : `${loop.name}, ${loop.cap} at most`,
    opens === undefined ? undefined : `opens ${opens.join(', ')}`,
  ].filter(part => part !== undefined);
  const arrow = loop === undefined ? '-->' : '-.->';
  return `${id(edge.from)} ${arrow}${parts.length === 0 ? ' ' : labelText(parts.join(', '))}${id(edge.to)}`;
}

function labelText(text: string): string {
  return `|"${escaped(text)}"| `;
}

/** On one line, with a character reference for all but letters, digits, blanks and harmless marks. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}\p{M} _.,:()'=+/-]/gu, character => `#${character.codePointAt(0) ?? 0};`);
}
