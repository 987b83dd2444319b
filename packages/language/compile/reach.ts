import { grouped } from './grouping.ts';
import type { Ends } from './graph.ts';

/*
 * Which node leads to which, asked often of one graph. One walk in depth numbers the nodes (Tarjan's strongly connected
 * components, without recursion), and most answers follow from the numbers alone: a node leads to what the walk found
 * below it and to what shares a cycle with it, and to nothing that was left later. The rest is searched for; where much
 * will be asked, `prepare` finds it out for many nodes at once, so that a graph of any length costs about its own size.
 */

/** A question: does the first lead to the second? */
export type Pair = readonly [from: string, to: string];

/** So many nodes are asked about in one pass: the bits of a number. */
const AT_ONCE = 32;

interface Place {
  /** When the walk came here, and the last arrival below. */
  readonly first: number;
  last: number;
  /** The component, numbered as the walk left it: edges between components lead to smaller numbers. */
  component: number;
}

/** Answers, for one graph, from where to where there is a way; made once, asked often. */
export class Reach {
  readonly #next: ReadonlyMap<string, readonly Ends[]>;
  readonly #places = new Map<string, Place>();
  /** Components of several nodes, and nodes with an edge to themselves. */
  readonly #cycles = new Set<number>();
  readonly #selfLoops = new Set<string>();
  #components = 0;
  /** Answers that were found out beforehand, by the two components. */
  readonly #prepared = new Map<number, boolean>();

  constructor(edges: readonly Ends[]) {
    this.#next = grouped(edges, edge => edge.from);
    const open: string[] = [];
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
        if (low === place.first) this.#close(node, open, this.#components++);
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
    return (
      answer(start, end) ??
      this.#prepared.get(this.#key(start.component, end.component)) ??
      this.#search(from, end)
    );
  }

  /**
   * Finds out beforehand what the numbers do not say of some pairs. One pass over the edges, from later components to
   * earlier ones, answers for 32 nodes: each has a bit, and an edge hands on the bits of where it comes from.
   */
  prepare(pairs: Iterable<Pair>): void {
    const asked = new Map<number, Set<number>>();
    for (const [from, to] of pairs) {
      const start = this.#places.get(from);
      const end = this.#places.get(to);
      if (!start || !end || start.component === end.component || answer(start, end) !== undefined) continue;
      const ends = asked.get(start.component) ?? new Set();
      asked.set(start.component, ends.add(end.component));
    }
    // A few are searched for as fast.
    if (asked.size < AT_ONCE) return;
    const next = this.#componentEdges();
    const starts = [...asked.keys()].toSorted((a, b) => b - a);
    const bits = new Uint32Array(this.#components);
    for (let at = 0; at < starts.length; at += AT_ONCE) {
      const some = starts.slice(at, at + AT_ONCE);
      let last = this.#components;
      for (const start of some) for (const end of asked.get(start) ?? []) last = Math.min(last, end);
      bits.fill(0);
      for (const [index, start] of some.entries()) bits[start] = (bits[start] ?? 0) | (1 << index);
      for (let one = some[0] ?? 0; one > last; one -= 1) {
        const own = bits[one] ?? 0;
        if (own !== 0) for (const to of next[one] ?? []) bits[to] = (bits[to] ?? 0) | own;
      }
      for (const [index, start] of some.entries()) {
        for (const end of asked.get(start) ?? []) {
          this.#prepared.set(this.#key(start, end), ((bits[end] ?? 0) & (1 << index)) !== 0);
        }
      }
    }
  }

  /** To which components each leads by one edge. */
  #componentEdges(): readonly (readonly number[])[] {
    const next: number[][] = Array.from({ length: this.#components }, () => []);
    for (const [from, edges] of this.#next) {
      const start = this.#place(from).component;
      for (const { to } of edges) {
        const end = this.#place(to).component;
        if (end !== start) next[start]?.push(end);
      }
    }
    return next;
  }

  #key(start: number, end: number): number {
    return start * this.#components + end;
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

/** Whether a place leads to one of another component, as far as the numbers say. */
function answer(start: Place, end: Place): boolean | undefined {
  if (start.component < end.component) return false;
  return isBelow(end, start) ? true : undefined;
}

/** Whether the walk came to `place` by way of `top`. */
function isBelow(place: Place, top: Place): boolean {
  return top.first <= place.first && place.first <= top.last;
}
