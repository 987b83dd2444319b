import { evaluate, type Scope } from '@hearth/language/expr/evaluation.ts';
import { truthy } from '@hearth/language/expr/values.ts';
import { loopBodies } from '@hearth/language/plan/loop-bodies.ts';
import type { PlanNode } from '@hearth/language/plan/node.ts';
import type { Guard, PlanEdge } from '@hearth/language/plan.ts';
import type { Values } from '@hearth/language/value.ts';
import { type Gauge, unaffordable } from './budget.ts';
import type { Frame } from './frame.ts';
import type { Plan } from './runnable.ts';
import { capOf, scopeOf } from './scope.ts';
import type { Ledgers } from './state.ts';

/** The edge that a node's output leads along, or why there is none. */
export type EdgeChoice =
  | {
      readonly edge: PlanEdge;
      readonly skipped: readonly string[];
      /** A loop that would have been crossed, had its last round not cost more than is left. */
      readonly left?: Declined;
    }
  | ({ readonly none: 'unaffordable'; readonly skipped: readonly string[] } & Declined)
  | { readonly none: 'loop_exhausted'; readonly loop: string; readonly skipped: readonly string[] }
  | { readonly none: 'no_edge'; readonly skipped: readonly string[] };

/** A loop that is not crossed, and the gauge that does not cover another round. */
export interface Declined {
  readonly loop: string;
  readonly gauge: Gauge;
}

/**
 * In file order: an edge of an exhausted loop is passed over, and so is one of a loop whose next round cannot be
 * afforded, unless a person leads along it or allowed it (`unguarded`); the first conditional edge that holds wins; else the
 * first edge without a condition. `skipped` names guards that could not be judged. `inside`: the nodes of the branch
 * that chooses, which a loop must lie within for its edges to be there at all.
 */
export function chooseEdge(
  plan: Plan,
  run: Frame,
  node: string,
  output: Values,
  ledgers: Ledgers,
  inside: ReadonlySet<string> | null = null,
  loops?: 'unguarded',
): EdgeChoice {
  const guarded = loops !== 'unguarded' && !isPersons(plan, node);
  let left: Declined | undefined;
  const skipped: string[] = [];
  let fallback: PlanEdge | null = null;
  let exhausted: string | null = null;
  for (const edge of plan.edges) {
    // An edge `on` something is taken when that happens, and by nothing else.
    if (edge.from !== node || edge.on !== undefined || !isWithin(plan, edge, inside)) continue;
    if (isExhausted(plan, run, edge)) {
      exhausted ??= edge.loop;
      continue;
    }
    const loop = guarded ? edge.loop : null;
    const gauge = loop === null ? null : unaffordable(plan, run, loop, ledgers);
    const declined = loop === null || gauge === null ? undefined : { loop, gauge };
    if (edge.when === null) {
      if (fallback !== null) continue;
      if (declined === undefined) fallback = edge;
      else left ??= declined;
      continue;
    }
    const held = holds(edge.when, scopeOf(plan, run, output, ledgers), output);
    if (held === true && declined === undefined) return { edge, skipped, ...(left ? { left } : {}) };
    if (held === true) left ??= declined;
    else if (held !== false) skipped.push(`${edge.from} -> ${edge.to}: ${held}`);
  }
  if (fallback !== null) return { edge: fallback, skipped, ...(left ? { left } : {}) };
  if (left !== undefined) return { none: 'unaffordable', skipped, ...left };
  return exhausted === null
    ? { none: 'no_edge', skipped }
    : { none: 'loop_exhausted', loop: exhausted, skipped };
}

const PERSONS: readonly PlanNode['kind'][] = ['human', 'review'];

/** Whether a person leads on from the node, who refills the burst and decides whether there is another round. */
function isPersons(plan: Plan, node: string): boolean {
  const kind = plan.nodes[node]?.kind;
  return kind !== undefined && PERSONS.includes(kind);
}

/** The edge that a round_robin router takes next, and which turn that leaves it at. Conditions are not asked. */
export function nextInRotation(
  plan: Plan,
  run: Frame,
  node: string,
  inside: ReadonlySet<string> | null,
): (EdgeChoice & { edge: PlanEdge; readonly next: number }) | Exclude<EdgeChoice, { edge: PlanEdge }> {
  const edges = plan.edges.filter(edge => edge.from === node && edge.when === null);
  const at = run.rotation?.[node] ?? 0;
  let exhausted: string | null = null;
  for (let step = 0; step < edges.length; step += 1) {
    const index = (at + step) % edges.length;
    const edge = edges[index];
    if (edge === undefined || !isWithin(plan, edge, inside)) continue;
    if (canTake(plan, run, edge, inside)) return { edge, skipped: [], next: (index + 1) % edges.length };
    exhausted ??= edge.loop;
  }
  return exhausted === null
    ? { none: 'no_edge', skipped: [] }
    : { none: 'loop_exhausted', loop: exhausted, skipped: [] };
}

/** Whether an edge could be taken if it were chosen. `inside`: as for `chooseEdge`. */
export function canTake(plan: Plan, run: Frame, edge: PlanEdge, inside: ReadonlySet<string> | null): boolean {
  return isWithin(plan, edge, inside) && !isExhausted(plan, run, edge);
}

/** Whether a branch of these nodes has the edge: one of a loop only if the whole loop is in it. */
function isWithin(plan: Plan, edge: PlanEdge, inside: ReadonlySet<string> | null): boolean {
  if (inside === null || edge.loop === null) return true;
  const body = loopBodies(plan).of(edge.loop);
  return body.size > 0 && [...body].every(node => inside.has(node));
}

function isExhausted(plan: Plan, run: Frame, { loop }: PlanEdge): boolean {
  return loop !== null && (run.loops[loop]?.count ?? 0) >= capOf(plan, run, loop);
}

/** Whether the guard holds, or the reason why that cannot be said. */
function holds(guard: Guard, scope: Scope, output: Values): boolean | string {
  if (guard.is === 'field') {
    const value = output[guard.field];
    return typeof value === 'boolean' ? value !== guard.negated : `"${guard.field}" is no boolean`;
  }
  const result = evaluate(guard.expr, scope);
  return result.ok ? truthy(result.value) : result.error.message;
}

const keys = new WeakMap<Plan['edges'], ReadonlyMap<PlanEdge, string>>();

/** How an edge is remembered: by its ends, and by which of several between them it is. */
export function edgeKey(plan: Plan, edge: PlanEdge): string {
  const known = keys.get(plan.edges) ?? keysOf(plan.edges);
  keys.set(plan.edges, known);
  return known.get(edge) ?? `${edge.from} -> ${edge.to}`;
}

function keysOf(edges: Plan['edges']): ReadonlyMap<PlanEdge, string> {
  const count = new Map<string, number>();
  return new Map(
    edges.map(edge => {
      const ends = `${edge.from} -> ${edge.to}`;
      const nth = (count.get(ends) ?? 0) + 1;
      count.set(ends, nth);
      return [edge, nth === 1 ? ends : `${ends} #${nth}`];
    }),
  );
}
