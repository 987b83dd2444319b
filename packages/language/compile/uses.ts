import type { Position } from '../diagnostic.ts';
import type { Expr } from '../expr/ast.ts';
import type { ParsedExpr } from '../expr/parser.ts';
import type { ActionSyntax } from '../parse/actions.ts';
import type { Properties, Property, Table } from '../parse/properties.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import { isAnsweredByModel } from './interaction.ts';
import type { GraphNode, Model } from './model.ts';

/** An expression that could be read. */
type ReadExpr = Pick<Extract<ParsedExpr, { ok: true }>, 'expr' | 'bare'>;

/*
 * Every place that reads a name: prompts (once per property that names them), `with` values, commands and scripts of tools,
 * compute fields, guards and loop caps. Checks of references and the plan's `keeps` go through this one list.
 */

/** One place that reads a value, as a path of names. */
export interface Use {
  readonly in: 'prompt' | 'with' | 'tool' | 'expr' | 'guard' | 'cap';
  readonly path: readonly string[];
  /** The node that reads. For an edge, the node it leaves. */
  readonly consumer: string;
  readonly at: Position;
  readonly file: string | undefined;
  readonly edge: string | undefined;
  /** Whether the edge is taken by an action: its input is then the action's words, which are in no schema. */
  readonly acted: boolean;
}

/** A prompt with the node and the property that use it. */
export interface NamedPrompt {
  readonly property: string;
  readonly name: string;
  readonly at: Position;
}

/** The prompts that a node uses, by property. What its mode makes no use of is not among them. */
export function promptNames(model: Model, { syntax }: GraphNode): readonly NamedPrompt[] {
  switch (syntax?.kind) {
    case 'agent':
    case 'judge':
      return pick(syntax.properties, ['system', 'user', 'interaction_prompt']);
    case 'router':
      return syntax.properties.mode?.value === 'llm' ? pick(syntax.properties, ['system', 'user']) : [];
    case 'human': {
      const system = isAnsweredByModel(model, syntax.properties.interaction?.value) ? ['system'] : [];
      return [
        ...pick(syntax.properties, [...system, 'interaction_prompt', 'instructions']),
        ...saidBy(syntax.properties.actions),
      ];
    }
    case 'review':
      return saidBy(syntax.properties.actions);
    default:
      return [];
  }
}

function pick(properties: Properties<Table>, names: readonly string[]): readonly NamedPrompt[] {
  return names.flatMap(property => {
    const found = Object.hasOwn(properties, property) ? properties[property] : undefined;
    const name = found?.value;
    return found && typeof name === 'string' ? [{ property, name, at: found.at }] : [];
  });
}

function saidBy(actions: Property<readonly ActionSyntax[]> | undefined): readonly NamedPrompt[] {
  const modifiers = actions?.value.flatMap(action => action.modifiers) ?? [];
  return modifiers.flatMap(one =>
    one.is === 'says' ? [{ property: 'says', name: one.target.value, at: one.target.at }] : [],
  );
}

const known = new WeakMap<Model, readonly Use[]>();

/** All uses of a model, nodes first. Several rules ask, so the answer is remembered. */
export function usesOf(model: Model): readonly Use[] {
  const found = known.get(model) ?? collect(model);
  known.set(model, found);
  return found;
}

function collect(model: Model): readonly Use[] {
  const uses: Use[] = [];
  for (const node of model.nodes.values()) addNode(model, node, uses);
  for (const edge of model.edges) {
    const where = { consumer: edge.from, file: undefined, edge: edge.label, acted: edge.on !== null };
    for (const { parsed, at } of edge.with) {
      for (const { ref } of parsed.refs) uses.push({ in: 'with', path: ref.path, at, ...where });
    }
    const { when, loop } = edge;
    if (when?.is === 'expr') {
      for (const path of pathsOf(when)) uses.push({ in: 'guard', path, at: when.at, ...where });
    }
    if (typeof loop?.cap === 'string') {
      for (const { ref } of parseTemplate(loop.cap).refs) {
        uses.push({ in: 'cap', path: ref.path, at: loop.capAt, ...where });
      }
    }
  }
  return uses;
}

function addNode(model: Model, node: GraphNode, uses: Use[]): void {
  const { name: consumer } = node;
  const here = { consumer, file: undefined, edge: undefined, acted: false };
  for (const { name } of promptNames(model, node)) {
    const prompt = model.prompts.get(name);
    for (const { ref, offset } of prompt?.parsed.refs ?? []) {
      const at = prompt?.place(offset) ?? { line: 1, column: 1 };
      uses.push({ ...here, in: 'prompt', path: ref.path, at, file: prompt?.file });
    }
  }
  for (const { in: kind, text } of textsOf(node)) {
    for (const { ref } of parseTemplate(text.value, model.file.profile).refs) {
      uses.push({ in: kind, path: ref.path, at: text.at, ...here });
    }
  }
  for (const { entry, parsed } of model.fields.get(consumer) ?? []) {
    for (const path of parsed.ok ? pathsOf(parsed) : []) {
      uses.push({ in: 'expr', path, at: entry.value.at, ...here });
    }
  }
}

/** The templates that a node has as strings of its own: what a tool runs, and what a `fail` node says. */
function textsOf({
  syntax,
}: GraphNode): readonly { readonly in: 'tool' | 'prompt'; readonly text: Property<string> }[] {
  if (syntax?.kind === 'tool') {
    const { command, script } = syntax.properties;
    return [command, script].flatMap(text => (text ? [{ in: 'tool', text }] : []));
  }
  const message = syntax?.kind === 'fail' ? syntax.properties.message : undefined;
  return message ? [{ in: 'prompt', text: message }] : [];
}

/** The distinct paths of an expression as they are written, in order. A bare name keeps its first word in front. */
export function pathsOf({ expr, bare }: ReadExpr): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  // A stack instead of recursion, since a sum of a thousand parts is a tree as deep.
  const left: Expr[] = [expr];
  for (let one = left.pop(); one; one = left.pop()) {
    if (one.is === 'path') {
      const path = bare.has(one) ? one.path.slice(1) : one.path;
      found.set(path.join('.'), path);
    } else {
      left.push(...partsOf(one).toReversed());
    }
  }
  return [...found.values()];
}

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.is) {
    case 'literal':
    case 'local':
    case 'path':
      return [];
    case 'not':
    case 'negate':
      return [expr.of];
    case 'binary':
      return [expr.left, expr.right];
    case 'call':
      return expr.args;
    case 'index':
      return [expr.of, expr.at];
    case 'lambda':
      return [expr.body];
  }
}
