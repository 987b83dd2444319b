/*
 * Where branches meet, and what lies inside one. The compiler and the engine ask the same questions of the same graph, so
 * they are answered here, over what an edge is to both.
 */

/** An edge as far as the shape of a graph goes. `loop` is anything but `null` for an edge of a loop. */
export interface ShapeEdge {
  readonly from: string;
  readonly to: string;
  readonly loop: unknown;
}

/**
 * The node where the branches of a fork meet: the first one, in breadth-first order from the first target, which awaits or
 * has two predecessors. Edges of loops lead back and are no predecessors, so that a branch may hold a whole loop.
 * `null`: each branch ends by itself.
 */
export function meetingOf(
  edges: readonly ShapeEdge[],
  awaits: (node: string) => boolean,
  firstTarget: string,
): string | null {
  const predecessors = new Map<string, Set<string>>();
  for (const { from, to, loop } of edges) {
    if (loop !== null) continue;
    const known = predecessors.get(to);
    if (known) known.add(from);
    else predecessors.set(to, new Set([from]));
  }
  const meets = (node: string): boolean => awaits(node) || (predecessors.get(node)?.size ?? 0) > 1;
  for (const node of insideOf(edges, [firstTarget], null)) if (meets(node)) return node;
  return null;
}

/** The nodes that branches pass from some targets on, in breadth-first order, up to where they meet. */
export function insideOf(
  edges: readonly ShapeEdge[],
  targets: readonly string[],
  meets: string | null,
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to, loop } of edges) {
    if (loop !== null) continue;
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  const seen = new Set(targets.filter(node => node !== meets));
  // A set is walked in the order of insertion, what is added on the way included.
  for (const node of seen) for (const to of next.get(node) ?? []) if (to !== meets) seen.add(to);
  return seen;
}
