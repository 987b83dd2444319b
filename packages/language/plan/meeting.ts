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

/** What the shape of a graph needs to know of its nodes. */
export interface ShapeNodes {
  /** Whether the node says how those that meet there are awaited. */
  awaits(node: string): boolean;
  /** Whether the node sends a run along several of its edges at once. */
  forks(node: string): boolean;
}

/** So many forks, one inside the other, are told apart; deeper ones count as nodes like others. */
const DEEPEST = 32;

/**
 * The edges that belong to no loop. Those of loops lead back: they are no way on from a fork and no predecessors of a
 * meeting, so that a branch may hold a whole loop.
 */
export class Shape {
  readonly #nodes: ShapeNodes;
  readonly #next = new Map<string, string[]>();
  readonly #before = new Map<string, Set<string>>();
  readonly #inner = new Map<string, string | null>();

  constructor(edges: readonly ShapeEdge[], nodes: ShapeNodes) {
    this.#nodes = nodes;
    for (const { from, to, loop } of edges) {
      if (loop !== null) continue;
      const ahead = this.#next.get(from);
      if (ahead) ahead.push(to);
      else this.#next.set(from, [to]);
      const behind = this.#before.get(to);
      if (behind) behind.add(from);
      else this.#before.set(to, new Set([from]));
    }
  }

  /** Where a node's edges lead, in file order. */
  next(node: string): readonly string[] {
    return this.#next.get(node) ?? [];
  }

  /**
   * The node where the branches of a fork meet: the first one, in breadth-first order from the first target, which awaits
   * or has two predecessors, and where not only the branches of a fork inside this one meet. `null`: each branch ends by
   * itself.
   */
  meeting(firstTarget: string): string | null {
    return this.#meeting(firstTarget, 0);
  }

  /** The nodes that branches pass from some targets on, in breadth-first order, up to where they meet. */
  inside(targets: readonly string[], meets: string | null): ReadonlySet<string> {
    const seen = new Set(targets.filter(node => node !== meets));
    // A set is walked in the order of insertion, what is added on the way included.
    for (const node of seen) for (const to of this.next(node)) if (to !== meets) seen.add(to);
    return seen;
  }

  #meeting(firstTarget: string, depth: number): string | null {
    const seen = new Set([firstTarget]);
    /** Meetings of forks inside this one, which more than their branches would have to lead to. */
    const inner = new Set<string>();
    for (const node of seen) {
      const before = this.#before.get(node)?.size ?? 0;
      if (!inner.has(node) && (this.#nodes.awaits(node) || before > 1)) return node;
      const forks = depth < DEEPEST && this.next(node).length > 1 && this.#nodes.forks(node);
      if (!forks) {
        for (const to of this.next(node)) seen.add(to);
        continue;
      }
      const meets = this.#innerMeeting(node, depth + 1);
      if (meets === null) continue;
      const branches = this.inside(this.next(node), meets);
      const outside = [...(this.#before.get(meets) ?? [])].some(from => from !== node && !branches.has(from));
      if (outside) return meets;
      inner.add(meets);
      seen.add(meets);
    }
    return null;
  }

  #innerMeeting(router: string, depth: number): string | null {
    const known = this.#inner.get(router);
    if (known !== undefined) return known;
    const [first] = this.next(router);
    const meets = first === undefined ? null : this.#meeting(first, depth);
    this.#inner.set(router, meets);
    return meets;
  }
}
