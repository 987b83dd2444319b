import type { BundlePreset, BundleSource } from '../bundle.ts';
import type { Position } from '../diagnostic.ts';
import type { Expr } from '../expr/ast.ts';
import { type ParsedExpr, parseExpr } from '../expr/parser.ts';
import type { Profile } from '../lex/profile.ts';
import type { ArtifactSyntax } from '../parse/artifact.ts';
import type { AwaitAnswersSyntax } from '../parse/await-answers.ts';
import type { EdgeSyntax, LoopSyntax } from '../parse/edge.ts';
import type { FailSyntax } from '../parse/fail.ts';
import type { FileSyntax, NodeSyntax } from '../parse/file.ts';
import type { Entry } from '../parse/kinds.ts';
import type { Spanned } from '../parse/parser.ts';
import type { PromptSyntax } from '../parse/prompt.ts';
import type { ReviewSyntax } from '../parse/review.ts';
import type { SchemaSyntax } from '../parse/schema.ts';
import type { VarSyntax } from '../parse/vars.ts';
import type { WorkflowSyntax } from '../parse/workflow.ts';
import { type ParsedTemplate, parseTemplate } from '../refs/template-parser.ts';
import { type PromptText, promptOf, promptsOfBundle } from './prompt-text.ts';

/*
 * A file with its names resolved: what the checks judge and the plan is made from. Building it reports nothing.
 * Where a name is declared twice, the first one counts, but for vars, where the last one does.
 */

/** A node of the graph; `done` and `fail` are always there, and written nowhere. */
export type GraphNode = { readonly name: string } & (
  | { readonly kind: NodeDeclaration['kind']; readonly syntax: NodeDeclaration }
  | { readonly kind: 'done' | 'fail'; readonly syntax: null }
);

/** A declaration that is a node of the graph, of any profile. */
export type NodeDeclaration = NodeSyntax | ReviewSyntax | FailSyntax | AwaitAnswersSyntax;

/** The condition of an edge, with its expression parsed. */
export type Condition =
  | { readonly is: 'field'; readonly field: string; readonly negated: boolean; readonly at: Position }
  | {
      readonly is: 'expr';
      readonly text: string;
      readonly expr: Expr;
      readonly bare: ReadonlySet<Expr>;
      readonly at: Position;
    };

/** An edge as it is written; its ends may be nodes that do not exist, which a rule reports. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly at: Position;
  /** As diagnostics name it. */
  readonly label: string;
  readonly when: Condition | null;
  /** A condition that cannot be read. The edge then counts as one without a condition. */
  readonly broken: BrokenCondition | null;
  readonly loop: LoopSyntax | null;
  readonly with: readonly Mapping[];
  readonly on: Spanned<string> | null;
  readonly opens: readonly Spanned<string>[];
  /** Where it says that it is the fallback; null where it does not (profile 2). */
  readonly else: Position | null;
}

/** A condition whose expression cannot be parsed. */
export type BrokenCondition = Extract<ParsedExpr, { ok: false }> & { readonly at: Position };

/** One entry of `with`, its text split into parts. */
export interface Mapping {
  readonly key: string;
  readonly keyAt: Position;
  readonly at: Position;
  readonly parsed: ParsedTemplate;
}

/** A file with its names resolved: what the checks look at and what a plan is made of. */
export interface Model {
  readonly file: FileSyntax;
  readonly workflow: WorkflowSyntax;
  readonly vars: ReadonlyMap<string, VarSyntax>;
  readonly schemas: ReadonlyMap<string, SchemaSyntax>;
  readonly prompts: ReadonlyMap<string, PromptText>;
  /** Presets in files of their own, those included that one of the graph comes before. */
  readonly presetFiles: readonly BundlePreset[];
  /** In the order that checks go through them: by kind, then as written, the terminals last. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
  /** From reviews to the nodes that read or answer what is typed there. They run beside the graph. */
  readonly beside: readonly Pick<GraphEdge, 'from' | 'to'>[];
  readonly artifacts: ReadonlyMap<string, ArtifactSyntax>;
  /** Parsed compute fields by node. */
  readonly fields: ReadonlyMap<string, readonly ComputeField[]>;
}

/** One field of a compute node, its expression parsed. */
export interface ComputeField {
  readonly entry: Entry;
  readonly parsed: ParsedExpr;
}

const KIND_ORDER: readonly NodeDeclaration['kind'][] = [
  'agent',
  'judge',
  'router',
  'human',
  'tool',
  'compute',
  'review',
  'fail',
  'await_answers',
];

/** Builds the model, or nothing when the file has no workflow. */
export function modelOf(
  file: FileSyntax,
  { prompts = {}, presets = [] }: Pick<BundleSource, 'prompts' | 'presets'>,
): Model | null {
  const workflow = file.declarations.find(one => one.kind === 'workflow');
  if (workflow === undefined) return null;
  const nodes = nodesOf(file);
  return {
    file,
    workflow,
    vars: varsOf(workflow.properties.vars?.value ?? [], file.vars?.value ?? []),
    schemas: firstOf(file.declarations.filter(one => one.kind === 'schema')),
    prompts: promptsOf(file, prompts),
    presetFiles: presets,
    nodes,
    edges: workflow.edges.map(edge => edgeOf(edge, file.profile)),
    beside: besideOf(nodes.values()),
    artifacts: firstOf(file.declarations.filter(one => one.kind === 'artifact')),
    fields: fieldsOf(nodes.values(), file.profile),
  };
}

/** All node declarations, kind by kind, in the order of the checks; of a name the first in this order counts. */
export function nodeDeclarations(file: FileSyntax): readonly NodeDeclaration[] {
  const nodes = file.declarations.filter(isNode);
  return KIND_ORDER.flatMap(kind => nodes.filter(node => node.kind === kind));
}

/** Whether a name belongs to a terminal. */
export function isTerminal(name: string): boolean {
  return name === 'done' || name === 'fail';
}

/** An edge as messages name it: `from -> to`. */
export function edgeLabel(edge: EdgeSyntax): string {
  return `${edge.from.value} -> ${edge.to.value}`;
}

/** Whether a declaration is a node of the graph. */
export function isNode(one: FileSyntax['declarations'][number]): one is NodeDeclaration {
  return KIND_ORDER.some(kind => kind === one.kind);
}

/** The workflow's vars come before the file's; in either the last one of a name counts, at the place of the first. */
function varsOf(own: readonly VarSyntax[], file: readonly VarSyntax[]): ReadonlyMap<string, VarSyntax> {
  const last = (list: readonly VarSyntax[]) => new Map(list.map(one => [one.name.value, one]));
  const vars = last(own);
  for (const [name, one] of last(file)) if (!vars.has(name)) vars.set(name, one);
  return vars;
}

function nodesOf(file: FileSyntax): ReadonlyMap<string, GraphNode> {
  const nodes = new Map<string, GraphNode>();
  for (const syntax of nodeDeclarations(file)) {
    const name = syntax.name.value;
    if (!nodes.has(name) && !isTerminal(name)) nodes.set(name, { name, kind: syntax.kind, syntax });
  }
  nodes.set('done', { name: 'done', kind: 'done', syntax: null });
  nodes.set('fail', { name: 'fail', kind: 'fail', syntax: null });
  return nodes;
}

function promptsOf(
  file: FileSyntax,
  bundle: Readonly<Record<string, string>>,
): ReadonlyMap<string, PromptText> {
  const prompts = promptsOfBundle(bundle, file.profile);
  const declared = file.declarations.filter((one): one is PromptSyntax => one.kind === 'prompt');
  for (const [name, prompt] of firstOf(declared)) prompts.set(name, promptOf(prompt, file.profile));
  return prompts;
}

function edgeOf(edge: EdgeSyntax, profile: Profile): GraphEdge {
  return {
    from: edge.from.value,
    to: edge.to.value,
    at: edge.at,
    label: edgeLabel(edge),
    ...conditionOf(edge, profile),
    loop: edge.loop,
    with: edge.with.map(({ name, value }) => ({
      key: name.value,
      keyAt: name.at,
      at: value.at,
      parsed: parseTemplate(value.value, profile),
    })),
    on: edge.on,
    opens: edge.opens,
    else: edge.else,
  };
}

function conditionOf({ when }: EdgeSyntax, profile: Profile): Pick<GraphEdge, 'when' | 'broken'> {
  if (when?.is !== 'expr') return { when, broken: null };
  const parsed = parseExpr(when.text, profile);
  return parsed.ok
    ? { when: { ...when, expr: parsed.expr, bare: parsed.bare }, broken: null }
    : { when: null, broken: { ...parsed, at: when.at } };
}

function besideOf(nodes: Iterable<GraphNode>): Model['beside'] {
  const edges: { readonly from: string; readonly to: string }[] = [];
  for (const { name: from, syntax } of nodes) {
    if (syntax?.kind !== 'review' && syntax?.kind !== 'human') continue;
    const { actions } = syntax.properties;
    const modifiers = actions?.value.flatMap(action => action.modifiers) ?? [];
    const asides = modifiers.flatMap(one => (one.is === 'aside' ? [one.target.value] : []));
    const reader = syntax.kind === 'review' ? syntax.properties.reader?.value : undefined;
    for (const to of reader === undefined ? asides : [reader, ...asides]) edges.push({ from, to });
  }
  return edges;
}

function fieldsOf(
  nodes: Iterable<GraphNode>,
  profile: Profile,
): ReadonlyMap<string, readonly ComputeField[]> {
  const fields = new Map<string, readonly ComputeField[]>();
  for (const { name, syntax } of nodes) {
    if (syntax?.kind !== 'compute') continue;
    const entries = syntax.properties.expr?.value ?? [];
    fields.set(
      name,
      entries.map(entry => ({ entry, parsed: parseExpr(entry.value.value, profile) })),
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
