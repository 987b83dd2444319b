import { grouped } from '../compile/grouping.ts';
import type { GraphEdge, Model } from '../compile/model.ts';
import { outputSchema } from '../compile/outputs.ts';
import type { Report } from '../compile/report.ts';
import { pathsOf } from '../compile/uses.ts';
import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

/*
 * Edges out of one node: conditional ones have `when`, loop-bearing ones a loop and no `when`, plain
 * ones neither.
 */

const isPlain = (edge: GraphEdge): boolean => edge.when === null && edge.loop === null;

/** C010: at most one plain edge leaves a node, unless it is a router that takes them all or chooses among them. */
export const plainEdges: Rule = (model, report) => {
  for (const [node, edges] of byNode(model)) {
    const syntax = model.nodes.get(node)?.syntax;
    if (syntax?.kind === 'router' && syntax.properties.mode?.value !== 'condition') continue;
    const [first, second] = edges.filter(isPlain);
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

/** C011 to C014: the conditions on the edges out of a node are told apart, are complete and can be read. */
export const conditions: Rule = (model, report) => {
  for (const [node, edges] of byNode(model)) {
    const seen = new Set<string>();
    for (const edge of edges) {
      const { when, label } = edge;
      if (when === null) continue;
      const key = conditionKey(when);
      if (seen.has(key)) {
        report.error('C011', `\`${node}\` has two edges with the same condition`, {
          at: when.at,
          node,
          edge: label,
        });
      }
      seen.add(key);
      if (when.is === 'field') checkField(model, edge, when, report);
      else checkExpression(model, edge, report);
    }
    checkComplete(node, edges, report);
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
  const field = schema.fields.find(one => one.name.value === when.field);
  const place = { at: when.at, node: edge.from, edge: edge.label };
  if (field === undefined) {
    const fields = schema.fields.map(one => one.name.value);
    report.error('C014', `\`${edge.from}\` puts out no field \`${when.field}\``, {
      ...place,
      fix: didYouMean(when.field, fields),
    });
  } else if (field.type !== 'bool') {
    report.error('C013', `the condition \`${when.field}\` is a ${field.type}, not a bool`, {
      ...place,
      fix: 'compare it in an expression, in quotes',
    });
  }
}

function checkExpression(model: Model, edge: GraphEdge, report: Report): void {
  const schema = outputSchema(model, edge.from);
  if (schema === null || edge.when?.is !== 'expr' || !edge.when.parsed.ok) return;
  const fields = schema.fields.map(one => one.name.value);
  for (const [namespace, node, field] of pathsOf(edge.when.parsed.expr)) {
    if (namespace !== 'outputs' || node !== edge.from || field === undefined) continue;
    if (fields.includes(field) || field.startsWith('_') || field === 'history') continue;
    report.error('C014', `\`${node}\` puts out no field \`${field}\``, {
      at: edge.when.at,
      node,
      edge: edge.label,
      fix: didYouMean(field, fields),
    });
  }
}

function byNode(model: Model): ReadonlyMap<string, readonly GraphEdge[]> {
  return grouped(model.edges, edge => edge.from);
}
