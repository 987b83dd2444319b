import { grouped } from '../../compile/grouping.ts';
import type { Rule } from '../rule.ts';

/** C015, C123, C124: `else` is the one edge that is taken when no condition beside it holds. */
export const elseEdges: Rule = (model, report) => {
  for (const [node, edges] of grouped(model.edges, edge => edge.from)) {
    const [first, second] = edges.filter(edge => edge.else !== null && edge.when === null);
    if (first?.else == null) continue;
    const place = { at: first.else, node, edge: first.label };
    if (!edges.some(edge => edge.when !== null || edge.broken !== null)) {
      const fix = 'leave `else` out, or give another edge a `when`';
      report.error('C015', `\`${node}\` has an \`else\` edge and no edge with a condition beside it`, {
        ...place,
        fix,
      });
    }
    if (second?.else != null) {
      const message = `\`${node}\` has more than one \`else\` edge, so the second is never taken`;
      report.error('C123', message, { at: second.else, node, edge: second.label, fix: 'keep one of them' });
    }
    const plain = edges.find(
      edge =>
        edge.when === null &&
        edge.broken === null &&
        edge.else === null &&
        edge.loop === null &&
        edge.on === null,
    );
    if (plain) {
      const message = `\`${node}\` has an \`else\` edge and also an edge without a condition, and both are the fallback`;
      report.error('C124', message, { at: plain.at, node, edge: plain.label, fix: 'keep one of them' });
    }
  }
};
