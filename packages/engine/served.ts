import type { McpServer } from '@hearth/language/plan/settings.ts';
import { isAllowed } from './grants.ts';
import type { ModelNode, Plan } from './runnable.ts';
import type { Served } from './surroundings.ts';
import type { Tool } from './tool.ts';

/*
 * Which tool servers a node uses, and which of their tools. A workflow uses the servers that it lists, all that are
 * declared where it lists none; a node those too, unless it inherits nothing, and its own.
 */

/** What a tool of a server begins with in a bot. */
const PREFIX = 'mcp.';

/** The servers of an agent or a judge, in the order of their names. */
export function serversOf(plan: Plan, node: ModelNode): readonly McpServer[] {
  const declared = plan.mcpServers ?? {};
  const all = plan.mcp?.servers.length ? plan.mcp.servers : Object.keys(declared);
  const used = new Set(node.mcp?.inherit === false ? [] : all);
  for (const name of plan.mcp?.disable ?? []) used.delete(name);
  for (const name of node.mcp?.servers ?? []) used.add(name);
  for (const name of node.mcp?.disable ?? []) used.delete(name);
  const wanted = node.tools?.filter(name => name.startsWith(PREFIX));
  return [...used].sort().flatMap(name => {
    const server = declared[name];
    // A server of which the node names no tool need not be started for it.
    const named = wanted?.some(tool => tool.startsWith(`${PREFIX}${name}.`)) ?? true;
    return server === undefined || !named ? [] : [server];
  });
}

/** Of the tools that are served those that the node names and its policy allows; all where it names no tools at all. */
export function grantedServed(node: ModelNode, served: Served): readonly Tool[] {
  return served.tools
    .filter(({ dotted }) => isAllowed(dotted, node.tools ?? undefined) && isAllowed(dotted, node.toolPolicy))
    .map(({ tool }) => tool);
}

/** The server that a tool node calls by `mcp.<server>.<tool>`; `null` when that is none of the plan's. */
export function serverOfTool(plan: Plan, name: string | null): McpServer | null {
  if (name?.startsWith(PREFIX) !== true) return null;
  return plan.mcpServers?.[name.slice(PREFIX.length).split('.')[0] ?? ''] ?? null;
}
