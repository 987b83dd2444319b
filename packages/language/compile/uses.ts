import type { Position } from '../diagnostic.ts';
import type { Expr } from '../expr/ast.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import type { GraphNode, Model } from './model.ts';

/*
 * Every place that reads a name: prompts (once per node that uses them), `with` values, commands and scripts of tools,
 * compute fields, guards and loop caps. Checks of references and the plan's `keeps` go through this one list.
 */

export interface Use {
  readonly in: 'prompt' | 'with' | 'tool' | 'expr' | 'guard' | 'cap';
  readonly path: readonly string[];
  /** The node that reads. For an edge, the node it leaves. */
  readonly consumer: string;
  readonly at: Position;
  readonly file: string | undefined;
  readonly edge: string | undefined;
}

/** The prompts that a node names, by property. */
export function promptNames(node: GraphNode): readonly { readonly name: string; readonly at: Position }[] {
  const { syntax } = node;
  if (syntax === null || syntax.kind === 'compute' || syntax.kind === 'tool') return [];
  const list =
    syntax.kind === 'human'
      ? [syntax.properties.system, syntax.properties.interaction_prompt, syntax.properties.instructions]
      : syntax.kind === 'router'
        ? [syntax.properties.system, syntax.properties.user]
        : [syntax.properties.system, syntax.properties.user, syntax.properties.interaction_prompt];
  return list.flatMap(one => (one ? [{ name: one.value, at: one.at }] : []));
}

export function usesOf(model: Model): readonly Use[] {
  const uses: Use[] = [];
  for (const node of model.nodes.values()) addNode(model, node, uses);
  for (const edge of model.edges) {
    const where = { consumer: edge.from, file: undefined, edge: edge.label };
    for (const { parsed, at } of edge.with) {
      for (const { ref } of parsed.refs) uses.push({ in: 'with', path: ref.path, at, ...where });
    }
    const { when, loop } = edge;
    if (when?.is === 'expr' && when.parsed.ok) {
      for (const path of pathsOf(when.parsed.expr)) uses.push({ in: 'guard', path, at: when.at, ...where });
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
  const { syntax, name: consumer } = node;
  for (const name of new Set(promptNames(node).map(one => one.name))) {
    const prompt = model.prompts.get(name);
    for (const { ref, offset } of prompt?.parsed.refs ?? []) {
      const at = prompt?.place(offset) ?? { line: 1, column: 1 };
      uses.push({ in: 'prompt', path: ref.path, consumer, at, file: prompt?.file, edge: undefined });
    }
  }
  if (syntax?.kind === 'tool') {
    for (const text of [syntax.properties.command, syntax.properties.script]) {
      for (const { ref } of text ? parseTemplate(text.value).refs : []) {
        uses.push({
          in: 'tool',
          path: ref.path,
          consumer,
          at: text?.at ?? syntax.at,
          file: undefined,
          edge: undefined,
        });
      }
    }
  }
  for (const { entry, parsed } of model.fields.get(consumer) ?? []) {
    for (const path of parsed.ok ? pathsOf(parsed.expr) : []) {
      uses.push({ in: 'expr', path, consumer, at: entry.value.at, file: undefined, edge: undefined });
    }
  }
}

/** All paths in an expression, in order. */
export function pathsOf(expr: Expr): readonly (readonly string[])[] {
  switch (expr.is) {
    case 'literal':
    case 'local':
      return [];
    case 'path':
      return [expr.path];
    case 'not':
    case 'negate':
      return pathsOf(expr.of);
    case 'binary':
      return [...pathsOf(expr.left), ...pathsOf(expr.right)];
    case 'call':
      return expr.args.flatMap(pathsOf);
    case 'index':
      return [...pathsOf(expr.of), ...pathsOf(expr.at)];
    case 'lambda':
      return pathsOf(expr.body);
  }
}
