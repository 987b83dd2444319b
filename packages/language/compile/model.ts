import type { Position } from '../diagnostic.ts';
import type { Expr } from '../expr/ast.ts';
import { type ParsedExpr, parseExpr } from '../expr/parser.ts';
import type { EdgeSyntax, LoopSyntax } from '../parse/edge.ts';
import type { FileSyntax, NodeSyntax } from '../parse/file.ts';
import type { Entry } from '../parse/kinds.ts';
import type { PromptSyntax } from '../parse/prompt.ts';
import type { SchemaSyntax } from '../parse/schema.ts';
import type { VarSyntax } from '../parse/vars.ts';
import type { WorkflowSyntax } from '../parse/workflow.ts';
import { type ParsedTemplate, parseTemplate } from '../refs/template-parser.ts';
import { type PromptText, promptOf, promptsOfBundle } from './prompt-text.ts';

/*
 * A file with its names resolved: what the checks judge and the plan is made from. Building it reports nothing.
 * Where a name is declared twice, the first one counts.
 */

/** A node of the graph; `done` and `fail` are always there, and written nowhere. */
export type GraphNode = { readonly name: string } & (
  | { readonly kind: NodeSyntax['kind']; readonly syntax: NodeSyntax }
  | { readonly kind: 'done' | 'fail'; readonly syntax: null }
);

export type Condition =
  | { readonly is: 'field'; readonly field: string; readonly negated: boolean; readonly at: Position }
  | { readonly is: 'expr'; readonly text: string; readonly parsed: ParsedExpr; readonly at: Position };

/** An edge between known nodes. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly at: Position;
  /** As diagnostics name it. */
  readonly label: string;
  readonly when: Condition | null;
  readonly loop: LoopSyntax | null;
  readonly with: readonly Mapping[];
}

export interface Mapping {
  readonly key: string;
  readonly keyAt: Position;
  readonly at: Position;
  readonly parsed: ParsedTemplate;
}

export interface Model {
  readonly file: FileSyntax;
  readonly workflow: WorkflowSyntax;
  readonly vars: ReadonlyMap<string, VarSyntax>;
  readonly schemas: ReadonlyMap<string, SchemaSyntax>;
  readonly prompts: ReadonlyMap<string, PromptText>;
  /** In the order that checks go through them: by kind, then as written, the terminals last. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
  /** Parsed compute fields by node. */
  readonly fields: ReadonlyMap<string, readonly ComputeField[]>;
}

export interface ComputeField {
  readonly entry: Entry;
  readonly parsed: ParsedExpr;
}

const KIND_ORDER: readonly NodeSyntax['kind'][] = ['agent', 'judge', 'router', 'human', 'tool', 'compute'];

/** Builds the model, or nothing when the file has no workflow. */
export function modelOf(file: FileSyntax, bundlePrompts: Readonly<Record<string, string>>): Model | null {
  const workflow = file.declarations.find(one => one.kind === 'workflow');
  if (workflow === undefined) return null;
  const nodes = nodesOf(file);
  return {
    file,
    workflow,
    vars: firstOf([...(workflow.properties.vars?.value ?? []), ...(file.vars?.value ?? [])]),
    schemas: firstOf(file.declarations.filter(one => one.kind === 'schema')),
    prompts: promptsOf(file, bundlePrompts),
    nodes,
    edges: workflow.edges.filter(edge => nodes.has(edge.from.value) && nodes.has(edge.to.value)).map(edgeOf),
    fields: fieldsOf(nodes.values()),
  };
}

/** All node declarations in the order of the checks; a node's first declaration counts. */
export function nodeDeclarations(file: FileSyntax): readonly NodeSyntax[] {
  const nodes = file.declarations.filter(isNode);
  return KIND_ORDER.flatMap(kind => nodes.filter(node => node.kind === kind));
}

/** Whether a name belongs to a terminal. */
export function isTerminal(name: string): boolean {
  return name === 'done' || name === 'fail';
}

export function edgeLabel(edge: EdgeSyntax): string {
  return `${edge.from.value} -> ${edge.to.value}`;
}

/** The expression of a parse that went well. */
export function exprOf(parsed: ParsedExpr): Expr | null {
  return parsed.ok ? parsed.expr : null;
}

/** Whether a declaration is a node of the graph. */
export function isNode(one: FileSyntax['declarations'][number]): one is NodeSyntax {
  return KIND_ORDER.some(kind => kind === one.kind);
}

function nodesOf(file: FileSyntax): ReadonlyMap<string, GraphNode> {
  const first = firstOf(file.declarations.filter(isNode));
  const nodes = new Map<string, GraphNode>();
  for (const syntax of nodeDeclarations(file)) {
    const name = syntax.name.value;
    if (first.get(name) === syntax && !isTerminal(name)) nodes.set(name, { name, kind: syntax.kind, syntax });
  }
  nodes.set('done', { name: 'done', kind: 'done', syntax: null });
  nodes.set('fail', { name: 'fail', kind: 'fail', syntax: null });
  return nodes;
}

function promptsOf(
  file: FileSyntax,
  bundle: Readonly<Record<string, string>>,
): ReadonlyMap<string, PromptText> {
  const prompts = promptsOfBundle(bundle);
  const declared = file.declarations.filter((one): one is PromptSyntax => one.kind === 'prompt');
  for (const [name, prompt] of firstOf(declared)) prompts.set(name, promptOf(prompt));
  return prompts;
}

function edgeOf(edge: EdgeSyntax): GraphEdge {
  const { when } = edge;
  return {
    from: edge.from.value,
    to: edge.to.value,
    at: edge.at,
    label: edgeLabel(edge),
    when: when?.is === 'expr' ? { ...when, parsed: parseExpr(when.text) } : when,
    loop: edge.loop,
    with: edge.with.map(({ name, value }) => ({
      key: name.value,
      keyAt: name.at,
      at: value.at,
      parsed: parseTemplate(value.value),
    })),
  };
}

function fieldsOf(nodes: Iterable<GraphNode>): ReadonlyMap<string, readonly ComputeField[]> {
  const fields = new Map<string, readonly ComputeField[]>();
  for (const { name, syntax } of nodes) {
    if (syntax?.kind !== 'compute') continue;
    const entries = syntax.properties.expr?.value ?? [];
    fields.set(
      name,
      entries.map(entry => ({ entry, parsed: parseExpr(entry.value.value) })),
    );
  }
  return fields;
}

function firstOf<T extends { readonly name: { readonly value: string } }>(
  list: readonly T[],
): Map<string, T> {
  const map = new Map<string, T>();
  for (const one of list) if (!map.has(one.name.value)) map.set(one.name.value, one);
  return map;
}
