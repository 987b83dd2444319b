import type { Digest, EffectId, MessageId } from '@hearth/protocol/ids.ts';
import type { Json, JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import type { Option } from '@hearth/protocol/pause.ts';
import type { Spend } from '@hearth/protocol/spend.ts';
import type { AttachedFile } from './attached-files.ts';
import type { ToolCall, ToolGrant, ToolResult } from './tool.ts';

/*
 * The Backend port. It lives in the engine so that the engine imports no adapter.
 *
 * Asked of every backend: the `session` event comes first, and nothing else is shown before it is committed; a
 * question parks (the process ends, nothing is held while a person thinks); a message is `taken` when the program has
 * acknowledged it and `seen` when a later step shows it; nothing is retried inside once a tool may have run; no child
 * outlives the handle.
 */

/** The model that a node asks for, with its `${…}` expanded; `auto` leaves the choice to the person. */
export interface ModelChoice {
  readonly model: string;
  readonly provider: string | null;
  readonly effort: string | null;
}

/** One turn of a conversation as a fresh session can be told of it. */
export interface Recap {
  /** Oldest first; bounded by the engine. */
  readonly turns: readonly { readonly who: 'person' | 'bot'; readonly text: string }[];
}

/** How the turn's session begins. `strict` means that a lost session fails instead of being reseeded from the recap. */
export type SessionStart =
  | { readonly mode: 'fresh'; readonly recap?: Recap }
  | {
      readonly mode: 'resume' | 'fork';
      readonly id: string;
      readonly fingerprint: string;
      readonly strict: boolean;
      readonly recap: Recap;
    };

/** A person's answer to an ask: an option's id, free text, or fields. */
export interface Answer {
  readonly option?: string;
  readonly text?: string;
  readonly fields?: Record<string, Json>;
}

/** A question for the person. `call` is the backend's own tool call, to be answered when the turn goes on. */
export interface Ask {
  readonly call?: string;
  readonly text: string;
  readonly options: readonly Option[];
  readonly allowFreeText: boolean;
  /** A yes destroys, publishes or sends something: a person alone answers, whatever the node's `interaction` says. */
  readonly confirms?: true;
}

/**
 * The gate for tool calls of a node: rules by list, and what becomes of a call that none of them settles. `deny`
 * counts first.
 */
export interface PermissionPolicy {
  readonly mode: 'off' | 'ask' | 'deny';
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/**
 * When a session is shortened: how full the context may become, above 0 and at most 1, and how many of the latest
 * messages stay as they are. `null`: the backend's own.
 */
export interface Compaction {
  readonly threshold: number | null;
  readonly preserveRecent: number | null;
}

/**
 * All that a backend is told of one attempt at one turn. It holds no state of the conversation, so a backend cannot
 * change any.
 */
export interface BackendTurn {
  readonly effect: EffectId;
  /** 1 at the first try, then one more for each `again`. */
  readonly attempt: number;
  readonly node: string;
  /** `epochs/<n>/backend/<node>`, made before the turn: whatever the backend writes leaves with the conversation. */
  readonly directory: string;
  /** The turn's working directory. */
  readonly workspace: string | null;
  readonly session: SessionStart;
  /** The whole projection: nothing else of Hearth's reaches the model. */
  readonly prompt: {
    readonly system: string;
    readonly user: string;
    /** Files that came with the turn's message; `user` names them with their paths. */
    readonly attachments: readonly AttachedFile[];
  };
  /** After a park: each ask's question text, its call, and the person's answer. */
  readonly answers: readonly {
    readonly ask: string;
    readonly call?: string;
    readonly options: readonly Option[];
    readonly result: Answer | 'cancelled';
    /** It was for leave to make exactly this call: `once`, `always` or `deny` is the option. The call was not made. */
    readonly permit?: { readonly tool: string; readonly digest: Digest };
  }[];
  /** After a crash or an interrupt: what may already have happened, and the words that join this attempt. */
  readonly interrupted?: {
    readonly effect: EffectId;
    readonly toolsStarted: readonly string[];
    readonly unseen: readonly InboxMessage[];
  };
  readonly tools: readonly ToolGrant[];
  /** What the node names besides: tools of the backend's own program, by that program's names. Nothing else of its own may be seen or run. */
  readonly native?: readonly string[];
  /** Whether the node may ask the person (`interaction: human`). */
  readonly mayAsk: boolean;
  readonly permission: PermissionPolicy;
  readonly output: JsonSchema | null;
  readonly model: ModelChoice;
  readonly maxSteps: number;
  /** Tokens that each answer of the model may have; absent: as many as the provider lets it. A program does not look at it. */
  readonly maxTokens?: number;
  /** What the node or the workflow says; a backend whose program shortens its sessions by itself does not look at it. */
  readonly compaction?: Compaction;
  /** What the node keeps from one run to the next, as a session begins with it; `again`: also when it was shortened. */
  readonly memory?: { readonly text: string; readonly again: boolean };
  /** Silence, in milliseconds, after which the backend gives up with `quiet`. */
  readonly quietMs: number;
}

/** A message offered to a running turn. */
export interface InboxMessage {
  readonly id: MessageId;
  readonly text: string;
  /** Files that came with it; `text` names them with their paths. */
  readonly files?: readonly AttachedFile[];
}

/** Given by the engine; every call is committed as intent, then as outcome. */
export interface Host {
  /**
   * The calls of one step may be made at once, in their order: the host runs beside one another what may be, and the rest
   * in that order. After a result that `parks` the backend ends its turn with `parked`.
   */
  call(call: ToolCall): Promise<ToolResult>;
  /**
   * Whether a native tool of the backend's own may be called so. After `park` the backend ends its turn with `parked` and
   * this call among its `permits`; a person's leave comes with the answers, and is for a call of the same name and
   * arguments, once. Hearth's own tools are judged by `call`.
   */
  permit(call: ToolCall): Promise<'allow' | 'deny' | 'park'>;
}

/**
 * Why a turn failed, for the machine to choose by: what passes by itself is tried again, `session_lost` begins anew,
 * and everything else waits for a person (docs/adr/0048).
 */
export type BackendFailure =
  | 'auth'
  | 'quota'
  | 'overloaded'
  | 'network'
  | 'context_length'
  | 'schema'
  | 'session_lost'
  | 'missing'
  | 'cold'
  | 'quiet'
  | 'crashed'
  | 'protocol';

/**
 * What a backend tells while it runs, in the order in which it happened. Exactly one of the last four kinds ends the
 * run.
 */
export type BackendEvent =
  | {
      readonly type: 'session';
      readonly id: string;
      readonly fingerprint: string;
      readonly how: 'opened' | 'resumed' | 'forked' | 'reseeded';
      readonly degraded?: string;
      /** The model that answers, where it is not the one that was asked for by name. */
      readonly model?: string;
    }
  /** Cumulative text of the step that is being written. */
  | { readonly type: 'draft'; readonly text: string }
  | { readonly type: 'narration'; readonly text: string }
  | {
      /** A native tool of the backend's own; Hearth's tools are reported by the engine itself. */
      readonly type: 'tool';
      readonly call: string;
      readonly name: string;
      readonly change: 'started' | 'completed' | 'failed' | 'denied';
      readonly title?: string;
      readonly detail?: string;
      readonly mutates: boolean | null;
    }
  | { readonly type: 'taken' | 'seen'; readonly messages: readonly MessageId[] }
  | { readonly type: 'usage'; readonly spend: Spend; readonly cumulative: boolean }
  | { readonly type: 'context'; readonly used: number; readonly window: number }
  /** Messages that stay as they are, and those that went into a summary; `kept` is 0 where a program does not count. */
  | { readonly type: 'compacted'; readonly kept: number; readonly dropped: number }
  // Exactly one of these ends the run.
  | { readonly type: 'done'; readonly output: JsonObject; readonly text: string }
  | { readonly type: 'parked'; readonly asks: readonly Ask[]; readonly permits: readonly ToolCall[] }
  | { readonly type: 'stopped' }
  | {
      readonly type: 'failed';
      readonly code: BackendFailure;
      readonly message: string;
      /** A tool or output may already have happened. */
      readonly began: boolean;
      readonly retryAfterMs?: number;
      /** It fails in the same way until a person mends something: credit that is used up, for one. */
      readonly lasting?: true;
    };

/** A started turn. Iterating it drives it; the last event is one of the four that end it. */
export interface BackendRun extends AsyncIterable<BackendEvent> {
  /** Offers a message for the next tool boundary; does nothing after the end. */
  offer(message: InboxMessage): void;
  /** Ask, then TERM to the group, then KILL; the iterator then ends with `stopped`. */
  interrupt(): Promise<void>;
}

/** What a backend can keep of the port. What it cannot is done without, and a surface is told. */
export interface Capabilities {
  /** Nothing is seen or run but what the turn grants. A node is refused on a backend that cannot keep this. */
  readonly toolBoundary: boolean;
  /** What is offered joins the turn that runs. Without it, it waits for the next one. */
  readonly steering: boolean;
  /** A session can be gone on with. Without it, each turn begins one from the recap and says so. */
  readonly resume: boolean;
  /** A session can be copied. Without it, a fork begins one from the recap and says so. */
  readonly fork: boolean;
  /** The output has the form of its schema, or the turn fails with `schema`. */
  readonly structuredOutput: boolean;
  /** A node's memory is read, and its tools are granted. Without it, the node goes on without and a person is told. */
  readonly memory?: true;
}

/** A backend that keeps all of the port. */
export const ALL_CAPABILITIES: Capabilities = {
  toolBoundary: true,
  steering: true,
  resume: true,
  fork: true,
  structuredOutput: true,
};

/**
 * Whatever runs an agent's turns. `detect` costs nothing; `start` returns at once, and every failure is an event of
 * the run.
 */
export interface Backend {
  readonly name: string;
  readonly capabilities: Capabilities;
  detect(): Promise<{ readonly usable: boolean; readonly why: string; readonly version?: string }>;
  /** Names who signs the transcript; holds no secret. */
  fingerprint(model: ModelChoice): Promise<string>;
  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun;
}
