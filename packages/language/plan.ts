import type { Expr } from './expr/ast.ts';
import type { Template } from './refs/template.ts';
import type { Value } from './value.ts';

/*
 * A plan is a compiled bot: the immutable graph that the engine runs. It is plain JSON, so that it can be digested,
 * stored beside a run and read back, and it names everything by the author's own names.
 */

/** The types of fields and vars. */
export type Type = 'string' | 'bool' | 'int' | 'float' | 'json' | 'string[]';

/** One field of a schema. Every field is required and non-null; `enum` bounds a string or a string[]'s elements. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly enum?: readonly string[];
}

export interface Schema {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** A var; `default` is absent when the author gave none. */
export interface Var {
  readonly name: string;
  readonly type: Type;
  readonly default?: Value;
}

/** How an agent's session begins. Unset in a source means `fresh`. */
export type SessionMode = 'fresh' | 'inherit' | 'inherit_if_available' | 'fork' | 'artifacts_only';
export type Interaction = 'none' | 'human' | 'llm' | 'llm_or_human';

interface NodeBase {
  readonly name: string;
  /** Names of schemas in `Plan.schemas`. */
  readonly input: string | null;
  readonly output: string | null;
  /** `wait_all` or `best_effort` when the author wrote one. */
  readonly await: 'wait_all' | 'best_effort' | null;
}

/** A node that a backend runs. Strings may hold `${VAR:-default}`, expanded from the environment at run time. */
export interface AgentNode extends NodeBase {
  readonly kind: 'agent';
  readonly model: string | null;
  readonly backend: string | null;
  readonly provider: string | null;
  /** Names of prompts in `Plan.prompts`. */
  readonly system: string | null;
  readonly user: string | null;
  readonly publish: string | null;
  readonly session: SessionMode;
  readonly interaction: Interaction;
  /** `null`: the author wrote no list. The list is a visibility boundary (docs/adr/0020). */
  readonly tools: readonly string[] | null;
  /** The node's own list, else the workflow's, else empty: nothing of the host is offered. */
  readonly capabilities: readonly string[];
  readonly toolMaxSteps: number | null;
  readonly maxTokens: number | null;
  readonly effort: string | null;
  readonly readonly: boolean;
  /** Whether messages may join a running turn; `on` unless the author says otherwise. */
  readonly inbox: 'on' | 'off';
}

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
}

/** `done` ends the run well, `fail` ends it as failed. Both always exist. */
export interface TerminalNode extends NodeBase {
  readonly kind: 'done' | 'fail';
}

export type PlanNode = AgentNode | ComputeNode | HumanNode | TerminalNode;

/** When an edge may be taken. `field` needs a real boolean in the source's output; `expr` uses truthiness. */
export type Guard =
  | { readonly is: 'field'; readonly field: string; readonly negated: boolean }
  | { readonly is: 'expr'; readonly expr: Expr; readonly source: string };

/** One edge, in file order. `with` holds templates by input key. */
export interface PlanEdge {
  readonly from: string;
  readonly to: string;
  readonly when: Guard | null;
  readonly loop: string | null;
  readonly with: readonly { readonly key: string; readonly value: Template }[];
}

/** A bounded loop. `cap` counts crossings: N permits N crossings and so N+1 runs of the entry. */
export interface Loop {
  readonly name: string;
  readonly cap: number | Template;
  /** Nodes of the body, edge ends included, sorted. */
  readonly body: readonly string[];
  /** Targets of the loop's edges, sorted. */
  readonly entries: readonly string[];
}

/** Bounds of one ledger; an absent axis is unbounded. Duration is in milliseconds of active time. */
export interface Limits {
  readonly duration?: number;
  readonly cost?: number;
  readonly tokens?: number;
  readonly iterations?: number;
}

export interface Plan {
  readonly format: 1;
  /** The workflow's name. */
  readonly name: string;
  /** What people read: the workflow's name, or the manifest's `display_name`. */
  readonly title: string;
  readonly entry: string;
  readonly vars: readonly Var[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Every prompt a node uses, parsed. */
  readonly prompts: Readonly<Record<string, Template>>;
  readonly nodes: Readonly<Record<string, PlanNode>>;
  readonly edges: readonly PlanEdge[];
  readonly loops: Readonly<Record<string, Loop>>;
  readonly budget: {
    readonly burst: Limits;
    readonly lifetime: Limits;
    readonly maxParallelBranches: number | null;
  };
  /** The string var that takes a run's first message: `initial_message` when declared, or what the manifest's `chat.seed_var` names. */
  readonly seedVar: string | null;
  readonly defaultBackend: string | null;
  readonly worktree: 'auto' | 'none';
  /**
   * Which nodes' outputs anything can still read (templates, expressions, guards, session keys), sorted. A snapshot
   * keeps the last output of these and of no other, so its size is bounded by the plan and not by the turns.
   */
  readonly keeps: readonly string[];
}
