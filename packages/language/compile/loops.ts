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
  const next = grouped(forward, edge => edge.from);
  const reach = new Reach(forward);
  const looping = model.edges.filter(edge => edge.loop !== null);
  const byName = grouped(looping, edge => edge.loop?.name ?? '');
  const names = sortedNames(byName.keys());
  return new Map(
    names.map(name => {
      const edges = byName.get(name) ?? [];
      const targets = new Set(edges.map(edge => edge.to));
      const sources = new Set(edges.map(edge => edge.from));
      const between = betweenOf(forward, next, reach, targets, [...sources]);
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

/** Up to so many ends a loop is looked at node by node; one with more is worth a walk over the graph. */
const FEW = 32;

/** The nodes on the way from some to others, both included. With few ends only they and their edges are looked at. */
function betweenOf(
  edges: readonly Ends[],
  next: ReadonlyMap<string, readonly Ends[]>,
  reach: Reach,
  from: Iterable<string>,
  to: readonly string[],
): ReadonlySet<string> {
  const before = to.length > FEW ? reachable(reversed(edges), to) : null;
  const leads = (node: string): boolean =>
    before?.has(node) ?? to.some(end => end === node || reach.leads(node, end));
  const found = new Set([...from].filter(leads));
  for (const node of found) {
    for (const edge of next.get(node) ?? []) if (!found.has(edge.to) && leads(edge.to)) found.add(edge.to);
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
