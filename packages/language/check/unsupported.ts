import type { GraphNode } from '../compile/model.ts';
import { outOfReach } from '../compile/out-of-reach.ts';
import { usesOf } from '../compile/uses.ts';
import type { Position } from '../diagnostic.ts';
import type { Rule } from './rule.ts';

/*
 * H003: what compiles, but cannot be run yet. It is said here, where it is written, and refused by the engine before a
 * run begins; a test holds the two to each other. An issue that runs a feature takes its line away in both places.
 */

/** Properties of the workflow and of agents and humans. */
const PROPERTIES: Readonly<Record<string, string>> = {
  mcp: 'tool servers of the project',
  sandbox: 'sandboxes',
};

type Say = (feature: string, at: Position, node?: string) => void;

/** Reports H003 for each feature of a file that the engine cannot run. */
export const unsupported: Rule = (model, report) => {
  const say: Say = (feature, at, node) =>
    report.warn('H003', `${feature} cannot be run yet, so no conversation can use this bot`, { at, node });
  const { file, workflow } = model;
  for (const use of usesOf(model)) {
    const feature = outOfReach(model, use);
    if (feature === null) continue;
    const { at, file: source, edge, consumer: node } = use;
    const message = `${feature} cannot be used yet, so no conversation can use this bot`;
    report.warn('H003', message, { at, file: source, edge, node });
  }
  for (const one of file.declarations)
    if (one.kind === 'mcp_server' && one.properties.auth)
      say('OAuth of tool servers', one.properties.auth.key);
  sayProperties(workflow.properties, say);
  for (const node of model.nodes.values()) sayNode(node, say);
};

function sayNode({ name, syntax }: GraphNode, say: Say): void {
  if (syntax === null) return;
  const here: Say = (feature, at) => say(feature, at, name);
  // A permission on a tool has no effect, which its own code says.
  sayProperties(
    syntax.kind === 'tool' ? { ...syntax.properties, permission: undefined } : syntax.properties,
    here,
  );
}

function sayProperties(
  properties: { readonly [key: string]: { readonly key: Position; readonly value: unknown } | undefined },
  say: Say,
): void {
  for (const [name, feature] of Object.entries(PROPERTIES)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property && !saysNothing(name, property.value)) say(feature, property.key);
  }
}

/** Whether what is written asks for nothing: `sandbox: none`, `permission: off`, a number of 0. */
function saysNothing(name: string, value: unknown): boolean {
  if (name === 'mcp') return !asksForProject(value);
  if (value === 0 || (name === 'permission' && value === 'off')) return true;
  return typeof value === 'object' && value !== null && 'mode' in value && value.mode === 'none';
}

/** Whether an `mcp` block asks for the servers that the project names. */
function asksForProject(block: unknown): boolean {
  if (typeof block !== 'object' || block === null || !('autoload_project' in block)) return false;
  const { autoload_project: property } = block;
  return typeof property === 'object' && property !== null && 'value' in property && property.value === true;
}
