import type { Expr } from '../expr/ast.ts';
import type { Template } from '../refs/template.ts';
import type { Action } from './review.ts';
import type { Compaction, CursorSetting, Mcp, Memory, Permission, Sandbox } from './settings.ts';

/*
 * The nodes of a plan. What is optional here came after the first plans and is absent where an author wrote nothing of
 * it (docs/adr/0032).
 */

/** How an agent's session begins. Unset in a source means `fresh`. `persist`: the run keeps it for the node or its slot. */
export type SessionMode =
  | 'fresh'
  | 'inherit'
  | 'inherit_if_available'
  | 'fork'
  | 'artifacts_only'
  | 'persist';
/** Who answers what a node asks. `async`: a person, for whom the agent need not wait (profile 2). */
export type Interaction = 'none' | 'human' | 'llm' | 'llm_or_human' | 'async';

interface NodeBase {
  readonly name: string;
  /** Names of schemas in `Plan.schemas`. */
  readonly input: string | null;
  readonly output: string | null;
  /** `wait_all` or `best_effort` when the author wrote one. */
  readonly await: 'wait_all' | 'best_effort' | null;
}

/** What agents and judges have. Strings may hold `${VAR:-default}`, expanded from the environment at run time. */
interface ModelNode extends NodeBase {
  readonly model: string | null;
  readonly backend: string | null;
  readonly provider: string | null;
  /** Names of prompts in `Plan.prompts`. */
  readonly system: string | null;
  readonly user: string | null;
  readonly publish: string | null;
  readonly session: SessionMode;
  /** The session that nodes with `persist` share; absent: the node's own. */
  readonly sessionSlot?: string;
  readonly interaction: Interaction;
  /** The prompt and the model of a model that answers for the person. */
  readonly interactionPrompt?: string;
  readonly interactionModel?: string;
  /** `null`: the author wrote no list. The list is a visibility boundary (docs/adr/0020). */
  readonly tools: readonly string[] | null;
  /** Patterns of allowed tools: the node's own list, else the workflow's. Absent: open. */
  readonly toolPolicy?: readonly string[];
  /** The node's own list, else the workflow's, else empty: nothing of the host is offered. */
  readonly capabilities: readonly string[];
  readonly toolMaxSteps: number | null;
  readonly maxTokens: number | null;
  readonly effort: string | null;
  readonly readonly: boolean;
  /** Whether messages may join a running turn; a node with a declared artifact or `requires` takes none. */
  readonly inbox: 'on' | 'off';
  readonly mcp?: Mcp;
  readonly compaction?: Compaction;
  readonly memory?: Memory;
  /** The node's own sandbox; absent: the workflow's. */
  readonly sandbox?: Sandbox;
  /** Declared cursors that the node sets, sorted by name. */
  readonly cursors?: readonly CursorSetting[];
  /** The gate for its tools; absent when it is off and has no rules. */
  readonly permission?: Permission;
  /** Artifacts that must be confirmed, and be those that are read, before the node may start. */
  readonly requires?: readonly string[];
}

/** A node that a backend runs. */
export interface AgentNode extends ModelNode {
  readonly kind: 'agent';
}

/** An agent whose role is a verdict. */
export interface JudgeNode extends ModelNode {
  readonly kind: 'judge';
}

/** A node that passes its input on; what `llm` chooses, and only it, has the properties of a model. */
export interface RouterNode extends NodeBase {
  readonly kind: 'router';
  readonly mode: 'fan_out_all' | 'condition' | 'round_robin' | 'llm';
  readonly model: string | null;
  readonly backend: string | null;
  readonly provider: string | null;
  readonly system: string | null;
  readonly user: string | null;
  readonly effort: string | null;
  /** Whether the model may choose several edges, which then fan out. */
  readonly multi: boolean;
}

/** A program: a command for the shell or a registered tool, or a script with its language. */
export interface ToolNode extends NodeBase {
  readonly kind: 'tool';
  readonly body:
    | { readonly is: 'command'; readonly text: Template }
    | { readonly is: 'script'; readonly language: ScriptLanguage; readonly text: Template };
  readonly sandbox?: Sandbox;
  readonly requires?: readonly string[];
  /** It may run again after a crash. */
  readonly idempotent?: true;
}

/** What a script may be written in; several names of one language mean the same. */
export type ScriptLanguage = 'js' | 'node' | 'py' | 'python' | 'python3' | 'sh' | 'bash';

/** A pure node: each output field is an expression over the node's input. */
export interface ComputeNode extends NodeBase {
  readonly kind: 'compute';
  readonly fields: readonly { readonly name: string; readonly expr: Expr }[];
}

/** A node at which a person is waited for. */
export interface HumanNode extends NodeBase {
  readonly kind: 'human';
  /** `chat`: one string field takes the message; `input`: the output schema's fields are asked for. */
  readonly pause: 'chat' | 'input';
  /** The field that a message fills; set when `pause` is `chat`. */
  readonly field: string | null;
  readonly instructions: string | null;
  readonly interaction: Interaction;
  readonly publish: string | null;
  /** Of a model that answers for the person (`interaction` is `llm` or `llm_or_human`). */
  readonly model?: string;
  readonly system?: string;
  readonly interactionPrompt?: string;
  readonly interactionModel?: string;
  readonly minAnswers?: number;
  /** What a person may do besides answering. */
  readonly actions?: readonly Action[];
}

/** A node at which an artifact is under review: the card stays open until an action moves the run. */
export interface ReviewNode extends NodeBase {
  readonly kind: 'review';
  readonly artifact: string;
  /** The agent that reads typed text; it sees the body and the message and nothing else. */
  readonly reader: string | null;
  readonly actions: readonly Action[];
}

/** A node that waits for answers to questions for which their agents did not wait, and gives those that there are. */
export interface AwaitAnswersNode extends NodeBase {
  readonly kind: 'await_answers';
  /** Whose questions; absent: those of every agent. */
  readonly from?: readonly string[];
  /** How long it waits at most, in milliseconds. */
  readonly timeoutMs: number;
}

/** `done` ends the run well, `fail` ends it as failed. Both always exist; further ones of kind `fail` have a name. */
export interface TerminalNode extends NodeBase {
  readonly kind: 'done' | 'fail';
  /** What a failed run ends with; `FAIL_NODE` where it is absent. */
  readonly code?: string;
  /** What a person is told, over the node's input. */
  readonly message?: Template;
  /** The run is held instead of ended, so that a person may let the node before it run again. */
  readonly resumable?: true;
}

/** A node of the graph; `kind` says which. */
export type PlanNode =
  | AgentNode
  | JudgeNode
  | RouterNode
  | ToolNode
  | ComputeNode
  | HumanNode
  | ReviewNode
  | AwaitAnswersNode
  | TerminalNode;
