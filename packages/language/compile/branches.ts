import { reachable } from './graph.ts';
import { grouped } from './grouping.ts';
import type { GraphEdge, Model } from './model.ts';

/**
 * The nodes that run in branches: what lies behind a router that takes several edges at once, up to where the branches
 * meet. That is the first node, in breadth-first order from the first target, which awaits or has several predecessors.
 */
export function inBranches(model: Model): ReadonlySet<string> {
  const next = grouped(model.edges, edge => edge.from);
  const predecessors = new Map(
    [...grouped(model.edges, edge => edge.to)].map(([to, edges]) => [
      to,
      new Set(edges.map(edge => edge.from)).size,
    ]),
  );
  const inside = new Set<string>();
  const entry = model.workflow.properties.entry?.value;
  // From the entry on: a router that is in a branch itself adds nothing, so no part of the graph is walked again and again.
  for (const name of reachable(model.edges, entry === undefined ? [] : [entry])) {
    const syntax = model.nodes.get(name)?.syntax;
    if (syntax?.kind !== 'router' || inside.has(name)) continue;
    const mode = syntax.properties.mode?.value ?? 'fan_out_all';
    const multi = mode === 'llm' && syntax.properties.multi?.value === true;
    const targets = (next.get(name) ?? []).map(edge => edge.to);
    const [first] = targets;
    if ((mode !== 'fan_out_all' && !multi) || first === undefined || targets.length < 2) continue;
    const meeting = walk(next, [first]).find(
      node => awaits(model, node) || (node !== first && (predecessors.get(node) ?? 0) > 1),
    );
    for (const node of walk(next, targets, meeting)) inside.add(node);
  }
  return inside;
}

function awaits(model: Model, node: string): boolean {
  const syntax = model.nodes.get(node)?.syntax;
  return syntax != null && 'await' in syntax.properties && syntax.properties.await !== undefined;
}

/** Nodes in breadth-first order from some, not going into one. */
function walk(
  next: ReadonlyMap<string, readonly GraphEdge[]>,
  starts: readonly string[],
  stop?: string,
): readonly string[] {
  const seen = new Set(starts.filter(node => node !== stop));
  for (const node of seen) {
    for (const { to } of next.get(node) ?? []) if (to !== stop) seen.add(to);
  }
  return [...seen];
}
