import type { Tool, ToolContext, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { outcomeIn } from './programs.ts';
import type { Score } from './score.ts';

/**
 * The same tools, which do nothing and answer what the recording says: to an agent what it was answered, to a tool node
 * (one of `nodes`) what its work gave. A call that never returned never does.
 */
export function replayedTools(
  tools: readonly Tool[],
  score: Score,
  nodes: ReadonlySet<string>,
): readonly Tool[] {
  return tools.map(tool => ({
    ...tool,
    title: ({ title }) => (typeof title === 'string' ? title : tool.name),
    run: (args, context) => (nodes.has(context.node) ? worked(score, context) : answered(args)),
  }));
}

function answered({ came, detail }: JsonObject): Promise<ToolResult> {
  if (came === 'none') return new Promise(() => undefined);
  const said = typeof detail === 'string' ? detail : '';
  return Promise.resolve(came === 'failed' ? { content: null, error: said } : { content: null });
}

async function worked(score: Score, { node, signal }: ToolContext): Promise<ToolResult> {
  const outcome = await outcomeIn(score.begin(node), signal);
  if (outcome?.is === 'done') return { content: outcome.output };
  return { content: null, error: outcome?.is === 'failed' ? outcome.message : 'It was stopped.' };
}
