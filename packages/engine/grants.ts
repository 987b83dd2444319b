import type { Capabilities } from './backend.ts';
import type { ModelNode } from './runnable.ts';
import type { Tool, ToolGrant } from './tool.ts';

/** Names that sources written elsewhere use, and ours. */
const ALIASES: Readonly<Record<string, string | undefined>> = { file_edit: 'edit_file', Skill: 'skill' };

/** Whether a tool's name is one that the patterns allow: its own name, or a beginning of it and `.*`. */
export function isAllowed(name: string, patterns: readonly string[] | undefined): boolean {
  if (patterns === undefined) return true;
  return patterns.some(pattern => {
    if (pattern.endsWith('.*')) return name.startsWith(pattern.slice(0, -1));
    return (ALIASES[pattern] ?? pattern) === name;
  });
}

/**
 * The tools of Hearth's that a node may use: those whose capability it has, and those that it names, and of these
 * only what its policy allows. The list is a boundary of visibility: what is not granted is neither shown nor run
 * (docs/adr/0020).
 */
export function grantedTools(node: ModelNode, tools: readonly Tool[]): readonly Tool[] {
  const named = new Set((node.tools ?? []).map(name => ALIASES[name] ?? name));
  return tools.filter(
    tool =>
      isAllowed(tool.name, node.toolPolicy) &&
      (tool.capability === undefined ? named.has(tool.name) : node.capabilities.includes(tool.capability)),
  );
}

/**
 * The bundle's own tools where a node has no way to name them: on a backend that keeps no list of tools a node that has one
 * is refused, and its skills would reach nobody.
 */
export function unlistedTools(
  node: ModelNode,
  bundled: readonly Tool[],
  { toolBoundary }: Pick<Capabilities, 'toolBoundary'>,
): readonly Tool[] {
  if (toolBoundary || node.tools !== null) return [];
  return bundled.filter(({ name }) => isAllowed(name, node.toolPolicy));
}

/**
 * The tools that the node names and that are none of Hearth's: a program's own, by the program's names. Whoever has no
 * such tools leaves them out; whoever has others shows none of those.
 */
export function nativeTools(node: ModelNode, granted: readonly Tool[]): readonly string[] {
  const known = new Set(granted.map(tool => tool.name));
  return (node.tools ?? []).filter(
    name => !name.startsWith('mcp.') && !known.has(ALIASES[name] ?? name) && isAllowed(name, node.toolPolicy),
  );
}

/** What the backend is told of them. */
export function grantsOf(tools: readonly Tool[]): readonly ToolGrant[] {
  return tools.map(({ name, description, input, mutates }) => ({
    name,
    description,
    input,
    mutates,
    origin: 'hearth',
  }));
}
