import { laterNodes } from '../compile/later-nodes.ts';
import { edgeLabel } from '../compile/model.ts';
import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** C001: both ends of an edge exist. An edge with an unknown end takes part in no other rule. */
export const edgeEnds: Rule = ({ workflow, nodes, file }, report) => {
  const later = laterNodes(file);
  for (const edge of workflow.edges) {
    for (const { value, at } of [edge.from, edge.to]) {
      if (nodes.has(value) || later.has(value)) continue;
      report.error('C001', `the edge names the node \`${value}\`, which is not declared`, {
        at,
        edge: edgeLabel(edge),
        fix: () => didYouMean(value, nodes.keys()),
      });
    }
  }
};
