import { grouped } from './grouping.ts';
import type { GraphEdge, Model } from './model.ts';

/** Questions about the shape of a graph. All are iterative: a graph may be as deep as its file is long. */

/** The two ends of an edge, all that a walk needs. */
export type Ends = Pick<GraphEdge, 'from' | 'to'>;

/** All nodes that can be reached from `starts`, themselves included. */
export function reachable(edges: readonly Ends[], starts: Iterable<string>): ReadonlySet<string> {
  const next = grouped(edges, edge => edge.from);
  const seen = new Set(starts);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const node of seen) for (const edge of next.get(node) ?? []) seen.add(edge.to);
  return seen;
}

/** Nodes that are an end of a loop edge. */
export function touchingLoops(model: Model): ReadonlySet<string> {
  return new Set(model.edges.filter(edge => edge.loop).flatMap(edge => [edge.from, edge.to]));
}

/** The edges that close a cycle, found by a depth-first walk from `starts` in order. */
export function backEdges<E extends Ends>(edges: readonly E[], starts: Iterable<string>): readonly E[] {
  const next = grouped(edges, edge => edge.from);
  const state = new Map<string, 'open' | 'left'>();
  const found: E[] = [];
  for (const start of starts) {
    if (state.has(start)) continue;
    const stack = [{ node: start, at: 0 }];
    state.set(start, 'open');
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = next.get(top.node)?.[top.at];
      top.at += 1;
      if (edge === undefined) {
        state.set(top.node, 'left');
        stack.pop();
      } else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        stack.push({ node: edge.to, at: 0 });
      } else if (state.get(edge.to) === 'open') {
        found.push(edge);
      }
    }
  }
  return found;
}
