import type { BundleSource } from '../bundle.ts';
import type { EdgeSyntax } from '../parse/edge.ts';
import { type FileSyntax, parse } from '../parse/file.ts';

/*
 * What there is to draw of a graph, in the order of the source. It is made from the syntax, so a bot that does not
 * compile yet can be drawn too: a name that nothing declares is a node of kind `unknown`.
 */

/** A node as it is drawn. */
export interface DrawnNode {
  readonly name: string;
  /** The keyword of its declaration, `done`, `fail` or `unknown`. */
  readonly kind: string;
  /** Of a review: the artifact that is reviewed. */
  readonly artifact?: string;
}

/** An edge as it is drawn, with the words that stand on it. */
export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  /** The condition as written: a field, `not` and a field, or an expression. */
  readonly when?: string;
  /** The action, or what became of the source, that takes the edge. */
  readonly on?: string;
  readonly else?: true;
  /** A cap is a number, or the text of a reference. */
  readonly loop?: { readonly name: string; readonly cap: number | string };
  /** The artifacts of which a new case begins. */
  readonly opens?: readonly string[];
  /** The fields that the edge hands on. */
  readonly with?: readonly string[];
}

/** A node that another one calls on while it waits; no edge is taken. */
export interface DrawnHelp {
  readonly from: string;
  readonly to: string;
  readonly as: 'reader' | 'aside';
}

/** A workflow as it is drawn, before any format is chosen. */
export interface Drawing {
  readonly name: string;
  readonly entry: string | null;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly helps: readonly DrawnHelp[];
}

/** The declarations that are nodes of the graph. */
const NODES: ReadonlySet<string> = new Set(
  'agent judge router human review tool compute fail await_answers'.split(' '),
);

/** What there is to draw of a bot; `null` when it has no workflow. */
export function drawingOf(source: BundleSource): Drawing | null {
  const { file } = parse(source.main, source.mainName ?? 'main.bot');
  const workflow = file.declarations.find(one => one.kind === 'workflow');
  if (workflow === undefined) return null;
  const edges = workflow.edges.map(drawnEdge);
  const helps = helpsIn(file);
  return {
    name: workflow.name.value,
    entry: workflow.properties.entry?.value ?? null,
    nodes: nodesOf(file, [...edges, ...helps]),
    edges,
    helps,
  };
}

function nodesOf(
  file: FileSyntax,
  lines: readonly { readonly from: string; readonly to: string }[],
): readonly DrawnNode[] {
  const nodes = new Map<string, DrawnNode>();
  for (const one of file.declarations) {
    if (!NODES.has(one.kind)) continue;
    const name = one.name.value;
    if (nodes.has(name)) continue;
    const artifact = one.kind === 'review' ? one.properties.artifact?.value : undefined;
    nodes.set(name, { name, kind: one.kind, ...(artifact === undefined ? {} : { artifact }) });
  }
  for (const name of lines.flatMap(({ from, to }) => [from, to])) {
    const kind = name === 'done' || name === 'fail' ? name : 'unknown';
    if (!nodes.has(name)) nodes.set(name, { name, kind });
  }
  return [...nodes.values()];
}

function drawnEdge(edge: EdgeSyntax): DrawnEdge {
  const { when, on, loop, opens } = edge;
  return {
    from: edge.from.value,
    to: edge.to.value,
    ...(when === null ? {} : { when: conditionText(when) }),
    ...(on === null ? {} : { on: on.value }),
    ...(edge.else === null ? {} : { else: true as const }),
    ...(loop === null ? {} : { loop: { name: loop.name, cap: loop.cap } }),
    ...(opens.length === 0 ? {} : { opens: opens.map(one => one.value) }),
    ...(edge.with.length === 0 ? {} : { with: edge.with.map(one => one.name.value) }),
  };
}

function conditionText(when: NonNullable<EdgeSyntax['when']>): string {
  if (when.is === 'expr') return when.text.trim();
  return when.negated ? `not ${when.field}` : when.field;
}

function helpsIn(file: FileSyntax): readonly DrawnHelp[] {
  return file.declarations.flatMap(one => {
    if (one.kind !== 'review' && one.kind !== 'human') return [];
    const from = one.name.value;
    const reader = one.kind === 'review' ? one.properties.reader?.value : undefined;
    const asides = (one.properties.actions?.value ?? []).flatMap(({ modifiers }) =>
      modifiers.flatMap(modifier =>
        modifier.is === 'aside' ? [{ from, to: modifier.target.value, as: 'aside' as const }] : [],
      ),
    );
    return [...(reader === undefined ? [] : [{ from, to: reader, as: 'reader' as const }]), ...asides];
  });
}
