import type { Loop, Plan, PlanEdge } from '../plan.ts';

/*
 * Which nodes belong to a loop: the ends of its edges, and whatever lies between their targets and their sources on
 * edges of no loop. A graph of N loops can have N times N names in its bodies, so a long plan leaves them out and they
 * are worked out here for the loops that a run comes to (docs/adr/0046).
 */

type End = Pick<PlanEdge, 'from' | 'to' | 'loop'>;

/** The bodies of the loops over some edges. One costs a walk over the graph, the first time it is asked for. */
export class LoopBodies {
  readonly #known = new Map<string, ReadonlySet<string>>();
  readonly #next = new Map<string, string[]>();
  readonly #previous = new Map<string, string[]>();
  readonly #ends = new Map<string, { readonly sources: Set<string>; readonly targets: Set<string> }>();
  readonly #entered = new Map<string, Set<string>>();

  constructor(edges: Iterable<End>) {
    for (const { from, to, loop } of edges) {
      if (loop === null) {
        add(this.#next, from, to);
        add(this.#previous, to, from);
        continue;
      }
      const ends = this.#ends.get(loop) ?? { sources: new Set(), targets: new Set() };
      ends.sources.add(from);
      ends.targets.add(to);
      this.#ends.set(loop, ends);
      const entered = this.#entered.get(to) ?? new Set();
      this.#entered.set(to, entered.add(loop));
    }
  }

  /** The names of the loops that have an edge to a node. */
  enteredAt(node: string): Iterable<string> {
    return this.#entered.get(node) ?? [];
  }

  /** The nodes that an edge of the loop leads to; none for a loop that there is not. */
  entriesOf(loop: string): ReadonlySet<string> {
    return this.#ends.get(loop)?.targets ?? new Set();
  }

  /** The nodes of a loop; none for a loop that there is not. */
  of(loop: string): ReadonlySet<string> {
    const known = this.#known.get(loop);
    if (known) return known;
    const { sources, targets } = this.#ends.get(loop) ?? { sources: new Set(), targets: new Set() };
    const before = walk(sources, this.#previous);
    const between = [...walk(targets, this.#next)].filter(node => before.has(node));
    const body = new Set([...targets, ...sources, ...between]);
    this.#known.set(loop, body);
    return body;
  }

  /** Takes a body as it is written in a plan. */
  know({ name, body }: Loop): void {
    if (body) this.#known.set(name, new Set(body));
  }
}

const known = new WeakMap<Plan['edges'], LoopBodies>();

/** The bodies of the loops of a plan, remembered with it. What the plan has written down counts. */
export function loopBodies({ edges, loops }: Pick<Plan, 'edges' | 'loops'>): LoopBodies {
  const found = known.get(edges) ?? new LoopBodies(edges);
  if (!known.has(edges)) for (const loop of Object.values(loops)) found.know(loop);
  known.set(edges, found);
  return found;
}

function walk(starts: Iterable<string>, ways: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set(starts);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const node of seen) for (const next of ways.get(node) ?? []) seen.add(next);
  return seen;
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
