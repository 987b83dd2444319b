import { insideOf, meetingOf } from '../plan/meeting.ts';
import { reachable } from './graph.ts';
import { grouped } from './grouping.ts';
import type { Model } from './model.ts';

/** The nodes that run in branches: what lies behind a router that takes several edges at once, up to where the branches meet. */
export function inBranches(model: Model): ReadonlySet<string> {
  const next = grouped(model.edges, edge => edge.from);
  const inside = new Set<string>();
  const entry = model.workflow.properties.entry?.value;
  // From the entry on: a router that is in a branch itself adds nothing, so no part of the graph is walked again and again.
  for (const name of reachable(model.edges, entry === undefined ? [] : [entry])) {
    const syntax = model.nodes.get(name)?.syntax;
    if (syntax?.kind !== 'router' || inside.has(name)) continue;
    const mode = syntax.properties.mode?.value ?? 'fan_out_all';
    const multi = mode === 'llm' && syntax.properties.multi?.value === true;
    const targets = (next.get(name) ?? []).map(edge => edge.to);
    const [first] = targets;
    if ((mode !== 'fan_out_all' && !multi) || first === undefined || targets.length < 2) continue;
    const meets = meetingOf(model.edges, node => awaits(model, node), first);
    for (const node of insideOf(model.edges, targets, meets)) inside.add(node);
  }
  return inside;
}

function awaits(model: Model, node: string): boolean {
  const syntax = model.nodes.get(node)?.syntax;
  return syntax != null && 'await' in syntax.properties && syntax.properties.await !== undefined;
}
