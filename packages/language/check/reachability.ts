import { backEdges, reachable, touchingLoops } from '../compile/graph.ts';
import { isTerminal } from '../compile/model.ts';
import type { Rule } from './rule.ts';

/** C016: every node can be reached from the entry. */
export const reachability: Rule = ({ workflow, nodes, edges }, report) => {
  const entry = workflow.properties.entry?.value;
  const seen = reachable(edges, entry !== undefined && nodes.has(entry) ? [entry] : []);
  for (const { name, syntax } of nodes.values()) {
    if (syntax === null || isTerminal(name) || seen.has(name)) continue;
    report.error('C016', `no path leads from the entry to \`${name}\``, { at: syntax.name.at, node: name });
  }
};

/** C019: a cycle runs through a bounded loop. */
export const cycles: Rule = (model, report) => {
  const touching = touchingLoops(model);
  const entry = model.workflow.properties.entry?.value;
  const starts = [...(entry === undefined ? [] : [entry]), ...model.nodes.keys()];
  for (const edge of backEdges(model.edges, starts)) {
    if (touching.has(edge.from) || touching.has(edge.to)) continue;
    report.error('C019', `the edge closes a cycle that nothing bounds`, {
      at: edge.at,
      node: edge.from,
      edge: edge.label,
      fix: 'bound it, for example with `as again(10)`',
    });
  }
};
