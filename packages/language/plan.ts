import type { Expr } from './expr/ast.ts';
import type { PlanNode } from './plan/node.ts';
import type { Artifact } from './plan/review.ts';
import type { Attachment, Cursor, Mcp, McpServer, Preset, Sandbox, Secret } from './plan/settings.ts';
import type { Template } from './refs/template.ts';
import type { Value } from './value.ts';

/*
 * A plan is a compiled bot: the immutable graph that the engine runs. It is plain JSON, so that it can be digested,
 * stored beside a run and read back, and it names everything by the author's own names.
 *
 * What came after the first plans is optional, and absent where an author wrote nothing of it (docs/adr/0032): plans
 * of unchanged sources keep their digests, and a plan that was stored before is still a plan.
 */

/** The types of fields and vars. */
export type Type = 'string' | 'bool' | 'int' | 'float' | 'json' | 'string[]';

/** One field of a schema. Every field is required and non-null; `enum` bounds a string or a string[]'s elements. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly enum?: readonly string[];
  /** How many elements a string[] has at least; only schemas that the engine makes itself say so. */
  readonly least?: number;
}

/** A named shape of data: the fields of a node's input or output, in the order written. */
export interface Schema {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** A var; `default` is absent when the author gave none. */
export interface Var {
  readonly name: string;
  readonly type: Type;
  readonly default?: Value;
  readonly enum?: readonly string[];
  /** A regular expression that its value is meant to match. */
  readonly matching?: string;
}

/** When an edge may be taken. `field` needs a real boolean in the source's output; `expr` uses truthiness. */
export type Guard =
  | { readonly is: 'field'; readonly field: string; readonly negated: boolean }
  | { readonly is: 'expr'; readonly expr: Expr; readonly source: string };

/** An input key and its value. `joined`: text around and between references is part of the value (profile 2). */
export interface PlanMapping {
  readonly key: string;
  readonly value: Template;
  readonly joined?: true;
}

/** One edge, in file order. `with` holds templates by input key. */
export interface PlanEdge {
  readonly from: string;
  readonly to: string;
  readonly when: Guard | null;
  readonly loop: string | null;
  readonly with: readonly PlanMapping[];
  /** The action of its source that takes it, or `failed` or `interrupted`. */
  readonly on?: string;
  /** Artifacts for which it begins a new case. */
  readonly opens?: readonly string[];
}

/** A bounded loop. `cap` counts crossings: N permits N crossings and so N+1 runs of the entry. */
export interface Loop {
  readonly name: string;
  readonly cap: number | Template;
  /** Nodes of the body, edge ends included, sorted. Absent in a long plan; `loopBodies` has them either way. */
  readonly body?: readonly string[];
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

/** A compiled workflow: all that the engine needs to run a bot, as plain JSON without positions in a source. */
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
    /** From this many tokens in a burst on, a person is told once; nothing is held. */
    readonly warnTokens?: number;
    /** What a limit that is used up leads to where it is not a pause that offers to raise it. */
    readonly onExceeded?: 'fail';
    /** A loop may be crossed again although what is left does not cover another round. */
    readonly loopGuard?: 'off';
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
  /** Values for vars, by the name of the preset. */
  readonly presets?: Readonly<Record<string, Preset>>;
  /** What a preset is for, in one line, by its name; only presets in files of their own say it. */
  readonly presetNotes?: Readonly<Record<string, string>>;
  readonly attachments?: readonly Attachment[];
  /** Cursors that a node sets. */
  readonly cursors?: Readonly<Record<string, Cursor>>;
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  readonly mcp?: Mcp;
  /** The sandbox of every node that has none of its own. */
  readonly sandbox?: Sandbox;
  readonly artifacts?: Readonly<Record<string, Artifact>>;
  readonly secrets?: readonly Secret[];
  /**
   * Which edges give a node its values. `taken`: only the edge just taken, as in every file that declares an artifact,
   * since an older revision's words would overwrite the new ones. `fired`: every edge that was taken in this run, the
   * one just taken last, in files of profile 2. Absent: every edge whose source has an output.
   */
  readonly values?: 'taken' | 'fired';
  /** Features of the wider language that the source uses and that were passed over, sorted. */
  readonly unsupported?: readonly string[];
}
