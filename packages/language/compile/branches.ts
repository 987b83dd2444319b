import { Shape } from '../plan/meeting.ts';
import { reachable } from './graph.ts';
import type { Model } from './model.ts';

/** The nodes that run in branches: what lies behind a router that takes several edges at once, up to where the branches meet. */
export function inBranches(model: Model): ReadonlySet<string> {
  const shape = new Shape(model.edges, {
    awaits: node => awaits(model, node),
    forks: node => forks(model, node),
  });
  const inside = new Set<string>();
  const entry = model.workflow.properties.entry?.value;
  // From the entry on: a router that is in a branch itself adds nothing, so no part of the graph is walked again and again.
  for (const name of reachable(model.edges, entry === undefined ? [] : [entry])) {
    if (inside.has(name) || !forks(model, name)) continue;
    const targets = shape.next(name);
    const [first] = targets;
    if (first === undefined || targets.length < 2) continue;
    for (const node of shape.inside(targets, shape.meeting(first))) inside.add(node);
  }
  return inside;
}

/** Whether it is a router that takes several edges at once. */
function forks(model: Model, node: string): boolean {
  const syntax = model.nodes.get(node)?.syntax;
  if (syntax?.kind !== 'router') return false;
  const mode = syntax.properties.mode?.value ?? 'fan_out_all';
  return mode === 'fan_out_all' || (mode === 'llm' && syntax.properties.multi?.value === true);
}

function awaits(model: Model, node: string): boolean {
  const syntax = model.nodes.get(node)?.syntax;
  return syntax != null && 'await' in syntax.properties && syntax.properties.await !== undefined;
}
