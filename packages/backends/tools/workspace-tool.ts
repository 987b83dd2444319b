import type { Tool, ToolContext, ToolResult } from '@hearth/engine/tool.ts';
import { JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * What the workspace tools share: those that only read may run again after a crash, those that write may not, and all
 * answer wrong arguments with a text that the model can act on.
 */

/** A path as a model gives it; no system takes a longer one. */
export const PathText = z.string().min(1).max(4096);

/** A tool's own part. `run` gets arguments that passed the schema. */
export interface WorkspaceTool<Args extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly args: Args;
  /** Absent: it only reads. */
  readonly mutates?: boolean;
  title(args: JsonObject): string;
  run(args: z.output<Args>, context: ToolContext): Promise<ToolResult>;
}

/** Completes a tool: its input schema, its flags and the check of its arguments. */
export function workspaceTool<Args extends z.ZodType>(own: WorkspaceTool<Args>): Tool {
  let input: JsonSchema | null = null;
  return {
    name: own.name,
    description: own.description,
    // Made for the first turn that is offered the tool: a service starts more often than that.
    get input() {
      return (input ??= JsonSchema.parse(z.toJSONSchema(own.args, { io: 'input' })));
    },
    mutates: own.mutates ?? false,
    idempotent: own.mutates !== true,
    title: args => own.title(args),
    run: async (args, context) => {
      const parsed = own.args.safeParse(args);
      if (parsed.success) return await own.run(parsed.data, context);
      const [issue] = parsed.error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : `"${issue.path.join('.')}": `;
      return refusal(
        `${own.name} cannot use these arguments: ${where}${issue?.message ?? 'they do not fit its schema'}.`,
      );
    },
  };
}

/** An answer that carries nothing but what went wrong. */
export function refusal(error: string): ToolResult {
  return { content: null, error };
}

/** An argument for a title, cut so that a title stays one line. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').slice(0, 80) : '…';
}
