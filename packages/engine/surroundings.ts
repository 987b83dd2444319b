import type { Memories } from './memory.ts';
import type { ScriptLanguage } from '@hearth/language/plan/node.ts';
import type { McpServer } from '@hearth/language/plan/settings.ts';
import type { ConversationId, RunId } from '@hearth/protocol/ids.ts';
import type { SecretSource } from './secret-source.ts';
import type { Tool } from './tool.ts';

/*
 * What a run needs of the machine that it works on, besides backends and tools. The engine imports no adapter: these are
 * ports, and a run without them refuses what would need them, by name.
 */

/** A program of a tool node, ready to run. */
export interface Program {
  readonly node: string;
  /** `command` is a text for the shell; a language is that of a script. */
  readonly language: 'command' | ScriptLanguage;
  readonly text: string;
  /** Where it works. */
  readonly workspace: string;
  /** Where a script may be put for the time that it runs; it leaves with the conversation. */
  readonly directory: string;
  /** The longest that it may run, in milliseconds. */
  readonly ms: number;
  /** Added to its environment. Holds secrets: nothing of it may be kept or told. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends it, with everything that it started. */
  readonly signal: AbortSignal;
}

/** How a program ended. */
export interface Ran {
  /** 128 and more when a signal ended it; `null` when it was ended here. */
  readonly exit: number | null;
  /** The whole output, or its bounded beginning when `cut`. */
  readonly output: string;
  readonly cut: boolean;
  /** The last part of what it wrote as errors. */
  readonly errors: string;
  /** Why it did not end by itself. */
  readonly ended: 'time' | 'stopped' | null;
}

/** Runs programs. Nothing that a program starts outlives it, nor the service. */
export interface Programs {
  /** Never rejects for what the program does; rejects with a sentence when it cannot be started. */
  run(program: Program): Promise<Ran>;
}

/** A tool server as a plan has it, its `${NAME}` not filled in yet. */
export type ToolServer = McpServer;

/** One tool of a server that is connected. */
export interface ServedTool {
  /** As a bot names it: `mcp.<server>.<tool>`. The tool's own name is one that every model takes. */
  readonly dotted: string;
  readonly tool: Tool;
}

/** The tools of servers, while they are connected. */
export interface Served {
  readonly tools: readonly ServedTool[];
  /** Ends the connections and the programs behind them. */
  close(): Promise<void>;
}

/** Connects to tool servers. Rejects with a sentence that names the one that cannot be reached. */
export interface ToolServers {
  connect(
    servers: readonly ToolServer[],
    workspace: string,
    signal: AbortSignal,
    /** Added to the environment of servers that are programs. Holds secrets. */
    env?: Readonly<Record<string, string>>,
  ): Promise<Served>;
}

/** What a worktree is for. */
export interface WorktreeOf {
  readonly conversation: ConversationId;
  readonly run: RunId;
  /** The workspace of a turn; a run that works in several checkouts has a worktree of each. */
  readonly workspace: string;
}

/** The worktree that a run works in, or why it has none. */
export type OpenedWorktree =
  /** `made` tells that it was not there before. */
  | { readonly is: 'open'; readonly path: string; readonly branch: string; readonly made: boolean }
  /** The workspace is none that worktrees are made of, and why, as the end of a sentence. */
  | { readonly is: 'none'; readonly why: string };

/** A worktree that a run left with changes in it. */
export interface KeptWorktree {
  readonly path: string;
  readonly branch: string;
}

/** Git worktrees for the time of a run. Nobody's change is ever lost with one. */
export interface Worktrees {
  /** Finds or makes it; what a crash left half made is made anew. Rejects with a sentence when it cannot be made. */
  open(of: WorktreeOf): Promise<OpenedWorktree>;
  /** Removes those of other runs than `active` that hold no changes; gives the rest until `told`. */
  tidy(conversation: ConversationId, active: RunId | null): Promise<readonly KeptWorktree[]>;
  told(kept: KeptWorktree): Promise<void>;
}

/** What a run needs of the machine around it and the engine must not reach for itself. */
export interface Surroundings {
  /** Fills `${NAME}` and `${NAME:-default}` of an author's text; what stands for nothing stays as it is written. */
  expand(text: string): string;
  readonly programs: Programs;
  readonly servers: ToolServers;
  /** Absent: a bot that declares secrets fails by name. */
  readonly secrets?: SecretSource;
  /** Absent: a run works in the workspace itself, as a replay does. */
  readonly worktrees?: Worktrees;
  /** Absent: no node has a memory, which is told. */
  readonly memories?: Memories;
}
