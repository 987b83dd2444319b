import { grouped } from './grouping.ts';
import type { Loop } from '../plan.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import { type Ends, reachable } from './graph.ts';
import type { Model } from './model.ts';
import { Reach } from './reach.ts';

/**
 * The loops of a model by name. A body holds the ends of the loop's edges, and whatever lies between their targets
 * and their sources on edges that belong to no loop.
 */
export function loopsOf(model: Model): ReadonlyMap<string, Loop> {
  const forward = model.edges.filter(edge => edge.loop === null);
  const ways: Ways = {
    edges: forward,
    next: grouped(forward, edge => edge.from),
    previous: grouped(forward, edge => edge.to),
    reach: new Reach(forward),
  };
  const looping = model.edges.filter(edge => edge.loop !== null);
  const byName = grouped(looping, edge => edge.loop?.name ?? '');
  const names = sortedNames(byName.keys());
  return new Map(
    names.map(name => {
      const edges = byName.get(name) ?? [];
      const targets = new Set(edges.map(edge => edge.to));
      const sources = new Set(edges.map(edge => edge.from));
      const between = betweenOf(ways, [...targets], [...sources]);
      const cap = edges[0]?.loop?.cap ?? 0;
      const loop: Loop = {
        name,
        cap: typeof cap === 'number' ? cap : capOf(cap),
        body: sortedNames([...targets, ...sources, ...between]),
        entries: sortedNames(targets),
      };
      return [name, loop];
    }),
  );
}

/** The edges that belong to no loop. */
interface Ways {
  readonly edges: readonly Ends[];
  readonly next: ReadonlyMap<string, readonly Ends[]>;
  readonly previous: ReadonlyMap<string, readonly Ends[]>;
  readonly reach: Reach;
}

/** Up to so many ends a loop is looked at node by node; one with more is worth a walk over the graph. */
const FEW = 32;

/**
 * The nodes on the way from some to others, both included. They are looked for from either end at once, and whichever
 * is through first has them: where a hub leads to thousands of nodes, only one of the ends goes by them all.
 */
function betweenOf(
  { edges, next, previous, reach }: Ways,
  from: readonly string[],
  to: readonly string[],
): ReadonlySet<string> {
  const after = from.length > FEW ? reachable(edges, from) : null;
  const before = to.length > FEW ? reachable(reversed(edges), to) : null;
  const forward = walk(
    from,
    node => next.get(node) ?? [],
    edge => edge.to,
    node => before?.has(node) ?? to.some(end => end === node || reach.leads(node, end)),
  );
  const backward = walk(
    to,
    node => previous.get(node) ?? [],
    edge => edge.from,
    node => after?.has(node) ?? from.some(start => start === node || reach.leads(start, node)),
  );
  for (;;) {
    const ahead = forward.next();
    if (ahead.done) return ahead.value;
    const behind = backward.next();
    if (behind.done) return behind.value;
  }
}

/** Collects nodes from `starts` on, as far as they belong; it rests after each edge that it looked at. */
function* walk(
  starts: readonly string[],
  edgesOf: (node: string) => readonly Ends[],
  endOf: (edge: Ends) => string,
  belongs: (node: string) => boolean,
): Generator<undefined, ReadonlySet<string>, undefined> {
  const found = new Set(starts.filter(belongs));
  for (const node of found) {
    for (const edge of edgesOf(node)) {
      const one = endOf(edge);
      if (!found.has(one) && belongs(one)) found.add(one);
      yield;
    }
  }
  return found;
}

function reversed(edges: readonly Ends[]): readonly Ends[] {
  return edges.map(({ from, to }) => ({ from: to, to: from }));
}

/** Distinct names in the order of their code units, which depends on no locale. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
}

/** A cap in quotes: the one reference that it is, or the number that it spells; other text counts as 0. */
function capOf(text: string): Loop['cap'] {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed);
  return isCap(trimmed) ? parseTemplate(trimmed).template : 0;
}

/** Whether a cap in quotes is a number or exactly one reference. */
export function isCap(text: string): boolean {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return true;
  const { template } = parseTemplate(trimmed);
  return template.length === 1 && typeof template[0] === 'object';
}
