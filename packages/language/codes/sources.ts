/** The parts that examples are made of: small, whole sources. */

/** A schema that examples share. */
export const SCHEMA = 'schema s:\n  ok: bool\n  n: int\n\n';

/** An agent with a property of its own. */
export function agent(name: string, properties = 'output: s'): string {
  return `agent ${name}:\n  model: "m"\n  ${properties}\n\n`;
}

/** An agent about which there is nothing to say. */
export function plain(name: string): string {
  return `agent ${name}:\n  model: "m"\n\n`;
}

/** The workflow of an example: its entry and its lines. */
export function workflow(entry: string, ...lines: readonly string[]): string {
  return `workflow w:\n  entry: ${entry}\n  ${lines.join('\n  ')}\n`;
}

/** One agent with a schema, and the edges that leave it. */
export function base(...edges: readonly string[]): string {
  return SCHEMA + agent('a') + workflow('a', ...edges);
}

/** One agent with a property of its own, and nothing else. */
export function withProperty(property: string): string {
  return agent('a', property) + workflow('a', 'a -> done');
}

/** One agent that uses a prompt. */
export function withPrompt(text: string, before = ''): string {
  return `${before}prompt p:\n  ${text}\n\n${withProperty('user: p')}`;
}

/** A declaration in front of one agent. */
export function beside(declaration: string): string {
  return `${declaration}\n\n${base('a -> done')}`;
}

/** One node as entry, and edges; what it refers to stands before it. */
export function node(text: string, ...edges: readonly string[]): string {
  const name = /^\w+ (\w+):/m.exec(text)?.[1] ?? '';
  return `${text}\n\n${workflow(name, ...edges)}`;
}
