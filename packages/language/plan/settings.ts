import type { Value } from '../value.ts';

/*
 * What surrounds the nodes of a plan: tool servers, sandboxes, memory, dials and files. Strings may hold
 * `${VAR:-default}`, expanded from the environment at run time.
 */

/** A tool server. `stdio` has a command, the others a url. */
export interface McpServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly command: string | null;
  readonly args: readonly string[];
  readonly url: string | null;
  readonly auth: McpAuth | null;
}

/** OAuth 2 with an authorization code; the only kind there is. */
export interface McpAuth {
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string | null;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Which tool servers a workflow or a node uses; `null` where nothing was written. */
export interface Mcp {
  readonly autoloadProject: boolean | null;
  readonly inherit: boolean | null;
  readonly servers: readonly string[];
  readonly disable: readonly string[];
}

/** How a session is shortened: the node's own word, else the workflow's, else the backend's. */
export interface Compaction {
  /** The part of the context window at which it happens, above 0 and at most 1. */
  readonly threshold: number | null;
  /** How many of the last messages stay as they are. */
  readonly preserveRecent: number | null;
}

/** Memory that outlives the run; there only when it is enabled. */
export interface Memory {
  readonly scope: string;
  /** Globs below the scope whose files the session begins with; `null` means the index. */
  readonly autoload: readonly string[] | null;
  readonly read: boolean;
  readonly write: boolean;
  readonly preCompactInject: boolean;
  /** Who sees it; absent where nothing was written (profile 2). */
  readonly visibility?: string;
}

/**
 * A container that was asked for; what was not written is `null`. No sandbox is run: the engine refuses such a plan
 * by name.
 */
export interface Sandbox {
  readonly mode: 'none' | 'auto' | 'inline';
  readonly image: string | null;
  readonly user: string | null;
  readonly workspaceFolder: string | null;
  readonly postCreate: string | null;
  readonly hostState: 'auto' | 'none' | null;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly string[];
  readonly network: SandboxNetwork | null;
  readonly build: SandboxBuild | null;
}

/** The words are passed on as written: profile 1 checks none of them. */
export interface SandboxNetwork {
  readonly mode: string | null;
  readonly preset: string | null;
  readonly inherit: string | null;
  readonly rules: readonly string[];
}

/** How the image of a sandbox would be built. */
export interface SandboxBuild {
  readonly dockerfile: string | null;
  readonly context: string | null;
  readonly args: Readonly<Record<string, string>>;
}

/** A dial of an agent's manner: named values in order, or bands of the numbers from 0 to 1 with inclusive ends. */
export interface Cursor {
  readonly name: string;
  readonly description: string | null;
  readonly values: readonly { readonly name: string; readonly text: string }[];
  readonly bands: readonly { readonly low: number; readonly high: number; readonly text: string }[];
}

/** Where a node sets a cursor; the value may hold `${VAR}` and is looked up at run time. */
export interface CursorSetting {
  readonly name: string;
  readonly value: string;
}

/**
 * Whether the tools of a node wait for a permission. Rules are `Tool` or `Tool(pattern)`; of those that fit a call `deny`
 * comes first, then `ask`, then `allow`, then the mode.
 */
export interface Permission {
  readonly mode: 'off' | 'ask' | 'deny';
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** A secret that a run is given by its host, never through a prompt. */
export interface Secret {
  readonly name: string;
  /** Where its value comes from, with `${VAR}` from the environment; null leaves it to the host. */
  readonly value: string | null;
  readonly as: 'value' | 'file';
  readonly mountPath: string | null;
  /** The variable in which tools find it. */
  readonly env: string | null;
  readonly optional: boolean;
  /** The hosts that it may be sent to; empty: any. */
  readonly hosts: readonly string[];
  readonly description: string | null;
}

/** A file that a person hands over. `accept` holds MIME types, `type/*` among them; `null` takes any. */
export interface Attachment {
  readonly name: string;
  readonly type: 'file' | 'image';
  readonly description: string | null;
  readonly accept: readonly string[] | null;
  readonly required: boolean;
}

/** Values for vars, by var, that a person chooses by one name. */
export type Preset = Readonly<Record<string, Value>>;
