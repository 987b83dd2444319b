import type { ServedTool } from '@hearth/engine/surroundings.ts';
import type { ToolResult } from '@hearth/engine/tool.ts';
import { Json, JsonObject, JsonSchema } from '@hearth/protocol/json.ts';

/*
 * A tool of a server as one of ours. What the server says of itself is not trusted further than it goes: a tool that it
 * does not call read-only changes something, and one that it does not call repeatable is not repeated.
 */

/** The longest that a call may take, in milliseconds. A server that reports progress takes as long as it needs. */
const CALL_MS = 10 * 60_000;
/** How much of an answer is passed on, in characters. */
const ANSWER = 256 * 1024;
/** Longer names are refused by model APIs. */
const NAME = 64;

/** What a server tells of a tool. */
export interface Told {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
}

/** How long a call may take, in milliseconds, and what stops it. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly resetTimeoutOnProgress: boolean;
}

/** Calls a tool and gives what the server answered, as it came. */
export type CallServer = (name: string, args: JsonObject, options: CallOptions) => Promise<unknown>;

/**
 * The tool under the name that models see (`mcp__SERVER__TOOL`) and the one that a source writes
 * (`mcp.SERVER.TOOL`).
 */
export function servedTool(server: string, told: Told, call: CallServer): ServedTool {
  const { readOnlyHint: reads = false, idempotentHint: repeats = false } = told.annotations ?? {};
  const input = JsonSchema.safeParse(told.inputSchema);
  return {
    dotted: `mcp.${server}.${told.name}`,
    tool: {
      name: `mcp__${server}__${told.name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME),
      description: (told.description ?? '').slice(0, 4000),
      input: input.success ? input.data : { type: 'object' },
      mutates: !reads,
      idempotent: reads || repeats,
      title: () => `${told.name} of ${server}`,
      run: async (args, { signal }) =>
        resultOf(await call(told.name, args, { signal, timeout: CALL_MS, resetTimeoutOnProgress: true })),
    },
  };
}

/** The structured answer where there is one, else the texts; what is no text is named and left out. */
export function resultOf(answer: unknown): ToolResult {
  const { content, structuredContent, isError }: Answer =
    typeof answer === 'object' && answer !== null ? answer : {};
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const text = parts.map(textOf).join('\n').slice(0, ANSWER);
  if (isError === true) return { content: null, error: text === '' ? 'The tool failed.' : text };
  const structured = JsonObject.safeParse(structuredContent);
  if (structured.success && JSON.stringify(structured.data).length <= ANSWER)
    return { content: structured.data };
  return { content: parsed(text) };
}

interface Answer {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

function textOf(part: unknown): string {
  const { type, text }: { type?: unknown; text?: unknown } =
    typeof part === 'object' && part !== null ? part : {};
  return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'something'} left out]`;
}

/** Servers often write JSON as text. */
function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value = Json.safeParse(JSON.parse(text));
    return value.success ? value.data : text;
  } catch {
    return text;
  }
}
