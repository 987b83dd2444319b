import type { Tool, ToolResult } from '@hearth/engine/tool.ts';

/** The same tools, which do nothing and answer what the recording says; a call that never returned never does. */
export function replayedTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.map(tool => ({
    ...tool,
    title: ({ title }) => (typeof title === 'string' ? title : tool.name),
    run: ({ came, detail }): Promise<ToolResult> => {
      if (came === 'none') return new Promise(() => undefined);
      const said = typeof detail === 'string' ? detail : '';
      return Promise.resolve(came === 'failed' ? { content: null, error: said } : { content: null });
    },
  }));
}
