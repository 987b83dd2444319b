import type { RouterNode } from '@hearth/language/plan/node.ts';
import type { PlanEdge, Schema } from '@hearth/language/plan.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Plan } from './runnable.ts';

/*
 * What a model may choose at an llm router. The answer is held to a schema that is made of the router's edges, so that an
 * answer outside them is a failure by schema like any other.
 */

/** Names generated schemas; no author's name has it. */
const GENERATED = '@';

/** The name of the schema that a node's output is held to; that of a model's choice is generated. */
export function outputName(plan: Plan, name: string): string | null {
  const node = plan.nodes[name];
  return node?.kind === 'router' && node.mode === 'llm' ? `${GENERATED}${name}` : (node?.output ?? null);
}

/** A schema by its name, a generated one too. */
export function schemaNamed(plan: Plan, name: string | null): Schema | null {
  if (name === null) return null;
  if (!name.startsWith(GENERATED)) return plan.schemas[name] ?? null;
  const node = plan.nodes[name.slice(GENERATED.length)];
  return node?.kind === 'router' ? routeSchema(plan, node) : null;
}

/** The schema of a router's answer: where to go on, and why. */
export function routeSchema(plan: Plan, { name, multi }: Pick<RouterNode, 'name' | 'multi'>): Schema {
  const targets = [...new Set(edgesOf(plan, name).map(edge => edge.to))];
  return {
    name: `${name}_route`,
    fields: [
      multi
        ? { name: 'selected_routes', type: 'string[]', enum: targets, least: 1 }
        : { name: 'selected_route', type: 'string', enum: targets },
      { name: 'reasoning', type: 'string' },
    ],
  };
}

/** The edges that an answer names, in file order: every edge to a target that is named. */
export function selectedEdges(plan: Plan, { name, multi }: RouterNode, output: Values): readonly PlanEdge[] {
  const { selected_route: one, selected_routes: several } = output;
  const named = new Set(multi && Array.isArray(several) ? several : [one]);
  return edgesOf(plan, name).filter(edge => named.has(edge.to));
}

/** What the model is told besides the author's words. */
export function routeWords(plan: Plan, node: RouterNode): string {
  const targets = [...new Set(edgesOf(plan, node.name).map(edge => edge.to))].join(', ');
  return node.multi
    ? `Choose which of these to go on with, one or several: ${targets}. Name them in selected_routes, and say why in reasoning.`
    : `Choose which one of these to go on with: ${targets}. Name it in selected_route, and say why in reasoning.`;
}

function edgesOf(plan: Plan, node: string): readonly PlanEdge[] {
  return plan.edges.filter(edge => edge.from === node);
}
