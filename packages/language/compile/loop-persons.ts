import type { Model } from './model.ts';
import { Reach } from './reach.ts';

/**
 * Tells of loops whether a person is waited for within them. A body is not looked at node by node, since many bodies may
 * overlap: every node stands in one graph twice, before a person was met and after, and a loop holds a person when a way
 * leads from its targets before to its sources after.
 */
export function loopsWithPersons(model: Model): (loop: string) => boolean {
  const edges: { readonly from: string; readonly to: string }[] = [];
  for (const { from, to, loop } of model.edges) {
    if (loop === null) {
      edges.push({ from: before(from), to: before(to) }, { from: after(from), to: after(to) });
    } else {
      edges.push(
        { from: `into ${loop.name}`, to: before(to) },
        { from: after(from), to: `out of ${loop.name}` },
      );
      // The ends of its edges belong to a loop, also where no way leads from one to the other.
      if (isPerson(model, from) || isPerson(model, to)) {
        edges.push({ from: `into ${loop.name}`, to: `out of ${loop.name}` });
      }
    }
  }
  for (const name of model.nodes.keys()) {
    if (isPerson(model, name)) edges.push({ from: before(name), to: after(name) });
  }
  const reach = new Reach(edges);
  const loops = new Set(model.edges.flatMap(({ loop }) => (loop ? [loop.name] : [])));
  reach.prepare([...loops].map(loop => [`into ${loop}`, `out of ${loop}`] as const));
  return loop => reach.leads(`into ${loop}`, `out of ${loop}`);
}

// No name of an author's has a blank.
const before = (node: string): string => `before ${node}`;
const after = (node: string): string => `after ${node}`;

function isPerson({ nodes }: Model, name: string): boolean {
  const kind = nodes.get(name)?.kind;
  return kind === 'human' || kind === 'review';
}
