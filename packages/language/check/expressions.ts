import type { Rule } from './rule.ts';

/** C039, C040: a compute node has fields, and each is an expression. */
export const computeFields: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'compute') continue;
    const fields = model.fields.get(node) ?? [];
    if (fields.length === 0) {
      report.error('C039', `the compute node \`${node}\` has no \`expr\` block`, {
        at: syntax.name.at,
        node,
      });
    }
    for (const { entry, parsed } of fields) {
      if (parsed.ok) continue;
      report.error('C040', `the expression of \`${entry.name.value}\` ${parsed.problem}`, {
        at: entry.value.at,
        node,
        fix: parsed.fix,
      });
    }
  }
};

/** C040: what stands in quotes after `when` is an expression. */
export const guardExpressions: Rule = (model, report) => {
  for (const { broken, label, from } of model.edges) {
    if (broken === null) continue;
    report.error('C040', `the condition of the edge ${broken.problem}`, {
      at: broken.at,
      node: from,
      edge: label,
      fix: broken.fix,
    });
  }
};
