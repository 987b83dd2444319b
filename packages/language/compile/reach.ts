import { grouped } from './grouping.ts';
import type { Ends } from './graph.ts';

/*
 * Which node leads to which, asked often of one graph. One walk in depth numbers the nodes (Tarjan's strongly connected
 * components, without recursion), and most answers follow from the numbers alone: a node leads to what the walk found
 * below it and to what shares a cycle with it, and to nothing that was left later. Only the rest is searched for, so that
 * a graph of any length costs about its own size.
 */

interface Place {
  /** When the walk came here, and the last arrival below. */
  readonly first: number;
  last: number;
  /** The component, numbered as the walk left it: edges between components lead to smaller numbers. */
  component: number;
}

export class Reach {
  readonly #next: ReadonlyMap<string, readonly Ends[]>;
  readonly #places = new Map<string, Place>();
  /** Components of several nodes, and nodes with an edge to themselves. */
  readonly #cycles = new Set<number>();
  readonly #selfLoops = new Set<string>();

  constructor(edges: readonly Ends[]) {
    this.#next = grouped(edges, edge => edge.from);
    const open: string[] = [];
    let components = 0;
    const lowest = new Map<string, number>();
    const lower = (node: string, bound: number): void => {
      lowest.set(node, Math.min(lowest.get(node) ?? bound, bound));
    };
    for (const start of this.#next.keys()) {
      if (this.#places.has(start)) continue;
      const stack = [{ node: start, at: 0 }];
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        const { node } = top;
        const place = this.#place(node);
        if (top.at === 0) {
          open.push(node);
          lower(node, place.first);
        }
        const to = this.#next.get(node)?.[top.at]?.to;
        top.at += 1;
        if (to !== undefined) {
          const there = this.#places.get(to);
          if (there === undefined) stack.push({ node: to, at: 0 });
          else if (there.component < 0) lower(node, there.first);
          if (to === node) this.#selfLoops.add(node);
          continue;
        }
        stack.pop();
        place.last = this.#places.size - 1;
        const low = lowest.get(node) ?? place.first;
        const above = stack.at(-1);
        if (above) lower(above.node, low);
        if (low === place.first) this.#close(node, open, components++);
      }
    }
  }

  /** Whether at least one edge leads from one node to the other, over any others between. */
  leads(from: string, to: string): boolean {
    const start = this.#places.get(from);
    const end = this.#places.get(to);
    if (start === undefined || end === undefined) return false;
    if (start.component === end.component) {
      return from !== to || this.#cycles.has(start.component) || this.#selfLoops.has(from);
    }
    if (start.component < end.component) return false;
    if (isBelow(end, start)) return true;
    return this.#search(from, end);
  }

  /** Searches over the edges that can still lead there. */
  #search(from: string, end: Place): boolean {
    const seen = new Set([from]);
    for (const node of seen) {
      for (const { to } of this.#next.get(node) ?? []) {
        const place = this.#places.get(to);
        if (place === undefined || place.component < end.component) continue;
        if (place.component === end.component || isBelow(end, place)) return true;
        seen.add(to);
      }
    }
    return false;
  }

  #place(node: string): Place {
    const found = this.#places.get(node);
    if (found) return found;
    const first = this.#places.size;
    const place = { first, last: first, component: -1 };
    this.#places.set(node, place);
    return place;
  }

  /** Numbers the component that ends at `node`. */
  #close(node: string, open: string[], component: number): void {
    let size = 0;
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      this.#place(one).component = component;
      size += 1;
      if (one === node) break;
    }
    if (size > 1) this.#cycles.add(component);
  }
}

/** Whether the walk came to `place` by way of `top`. */
function isBelow(place: Place, top: Place): boolean {
  return top.first <= place.first && place.first <= top.last;
}
