import type { EffectId } from '@hearth/protocol/ids.ts';
import type { Json, JsonObject, JsonSchema } from '@hearth/protocol/json.ts';

/** One call of a tool by an agent. `id` is unique within the effect and is the backend's own where it has one. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * What a tool answers. `error` is text that the model can act on; it is a normal answer, not a failure of the turn.
 * `ticket` is set by a board tool that changed a ticket, so that surfaces can show it.
 */
export interface ToolResult {
  readonly content: Json;
  readonly error?: string;
  readonly ticket?: { id: string; title: string; state: string; change: string };
  /** There is no result yet: the backend ends its turn with `parked`, and the result comes with the answers. */
  readonly parks?: true;
}

/** What a tool may know of the turn that calls it. */
export interface ToolContext {
  readonly effect: EffectId;
  readonly node: string;
  /** Where the turn works: repository and files are this one's. */
  readonly workspace: string;
  /** The workspace whose board is meant, where the turn works in a worktree of it. */
  readonly board?: string;
  /** Who is written down as the author of what the tool does: the bot's name. */
  readonly author: string;
  /** Whether that absolute path is the copy of a file that a person handed over, which may be read from anywhere. */
  readonly attached?: (path: string) => boolean;
  /** Directories that no tool of the workspace enters though the workspace may hold them: Hearth's own home. */
  readonly closed?: readonly string[];
  readonly signal: AbortSignal;
}

/** A tool of Hearth's own, offered to any agent whose node may use it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** The capability that a node must have, `board.read` for one; absent: the node must name the tool itself. */
  readonly capability?: string;
  readonly mutates: boolean;
  /** May be run again after a crash. */
  readonly idempotent: boolean;
  /** One line for surfaces, from the arguments: `close HB-4`. */
  title(args: JsonObject): string;
  /** Never rejects for a reason that the model can mend; a rejection reaches it as an error text too. */
  run(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

/** What a backend is told of a tool. */
export interface ToolGrant {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly mutates: boolean;
  /** `hearth`: reached through the `Host`; `native`: the backend's own, on its allow list. */
  readonly origin: 'hearth' | 'native';
}
