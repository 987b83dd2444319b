import { hasActions } from '../compile/fuel.ts';
import { grouped } from '../compile/grouping.ts';
import type { GraphEdge, Model } from '../compile/model.ts';
import { fieldsOf, outputSchema } from '../compile/outputs.ts';
import type { Report } from '../compile/report.ts';
import { pathsOf } from '../compile/uses.ts';
import { didYouMean, some } from '../nearest.ts';
import type { Rule } from './rule.ts';

/*
 * Edges out of one node: conditional ones have `when`, loop-bearing ones a loop and no `when`, plain ones neither. Edges
 * that an action or an end takes, by `on`, are none of these.
 */

/** Routers that take all their edges, or choose among them by themselves. */
function choosesItself({ nodes }: Model, node: string): boolean {
  const syntax = nodes.get(node)?.syntax;
  return syntax?.kind === 'router' && syntax.properties.mode?.value !== 'condition';
}

const isPlain = (edge: GraphEdge): boolean => edge.when === null && edge.loop === null;

/** An `else` edge is judged by rules of its own. */
const isUnnamed = (edge: GraphEdge): boolean => isPlain(edge) && edge.else === null;

/** C010: at most one plain edge leaves a node, unless it chooses itself or a person does. */
export const plainEdges: Rule = (model, report) => {
  for (const [node, edges] of byNode(model)) {
    if (!model.nodes.has(node) || choosesItself(model, node) || hasActions(model, node)) continue;
    const [first, second] = edges.filter(isUnnamed);
    if (first === undefined || second === undefined) continue;
    report.error(
      'C010',
      `\`${node}\` has more than one edge without a condition, so the second is never taken`,
      {
        at: second.at,
        node,
        edge: second.label,
        fix: 'give one of them a `when`',
      },
    );
  }
};

/** C011, C012: the conditions on the edges out of a node are told apart and are complete. */
export const conditions: Rule = (model, report) => {
  for (const [node, edges] of byNode(model)) {
    if (!model.nodes.has(node) || choosesItself(model, node)) continue;
    if (!hasActions(model, node)) checkComplete(node, edges, report);
    const seen = new Set<string>();
    for (const { when, label } of edges) {
      if (when === null || seen.size !== seen.add(conditionKey(when)).size) continue;
      report.error('C011', `\`${node}\` has two edges with the same condition`, {
        at: when.at,
        node,
        edge: label,
        fix: 'only the first is ever taken: change one of the conditions, or take the edge out',
      });
    }
  }
};

/** C013, C014: what a condition reads is in the output of the node that its edge leaves. */
export const conditionFields: Rule = (model, report) => {
  for (const edge of model.edges) {
    if (edge.when?.is === 'field') checkField(model, edge, edge.when, report);
    else if (edge.when) checkExpression(model, edge, edge.when, report);
  }
};

function checkComplete(node: string, edges: readonly GraphEdge[], report: Report): void {
  const conditional = edges.filter(edge => edge.when !== null);
  const [first] = conditional;
  if (first === undefined || conditional.length < edges.length) return;
  const keys = new Set(conditional.flatMap(({ when }) => (when ? [conditionKey(when)] : [])));
  const covered = conditional.some(({ when }) => when?.is === 'field' && keys.has(conditionKey(when, true)));
  if (covered) return;
  report.error(
    'C012',
    `\`${node}\` has only edges with conditions, and nothing says where to go when none holds`,
    {
      at: first.at,
      node,
      edge: first.label,
      fix: 'add an edge without a condition',
    },
  );
}

function conditionKey(when: NonNullable<GraphEdge['when']>, opposite = false): string {
  return when.is === 'expr'
    ? `expr ${when.text}`
    : `${when.negated === opposite ? 'is' : 'not'} ${when.field}`;
}

function checkField(
  model: Model,
  edge: GraphEdge,
  when: Extract<GraphEdge['when'], { is: 'field' }>,
  report: Report,
): void {
  const schema = outputSchema(model, edge.from);
  if (schema === null) return;
  const fields = fieldsOf(schema);
  const field = fields.get(when.field);
  const place = { at: when.at, node: edge.from, edge: edge.label };
  if (!field) {
    report.error('C014', `\`${edge.from}\` puts out no field \`${when.field}\``, {
      ...place,
      fix: () => didYouMean(when.field, fields.keys()) ?? `it puts out ${some(fields.keys())}`,
    });
  } else if (field.type !== 'bool') {
    report.error('C013', `the condition \`${when.field}\` is a ${field.type}, not a bool`, {
      ...place,
      fix: 'compare it in an expression, in quotes',
    });
  }
}

function checkExpression(
  model: Model,
  edge: GraphEdge,
  when: Extract<GraphEdge['when'], { is: 'expr' }>,
  report: Report,
): void {
  const schema = outputSchema(model, edge.from);
  if (schema === null) return;
  const fields = fieldsOf(schema);
  for (const [namespace, node, field] of pathsOf(when)) {
    if (namespace !== 'outputs' || node !== edge.from || field === undefined || fields.has(field)) continue;
    report.error('C014', `\`${node}\` puts out no field \`${field}\``, {
      at: when.at,
      node,
      edge: edge.label,
      fix: () => didYouMean(field, fields.keys()) ?? `it puts out ${some(fields.keys())}`,
    });
  }
}

function byNode(model: Model): ReadonlyMap<string, readonly GraphEdge[]> {
  return grouped(
    model.edges.filter(edge => edge.on === null),
    edge => edge.from,
  );
}
