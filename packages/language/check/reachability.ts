import { isFuelled } from '../compile/fuel.ts';
import { backEdges, reachable, touchingLoops } from '../compile/graph.ts';
import type { Rule } from './rule.ts';

/** C016: every node can be reached from the entry. Where there is none, no node can. */
export const reachability: Rule = ({ workflow, nodes, edges, beside }, report) => {
  const entry = workflow.properties.entry?.value;
  const seen = reachable([...edges, ...beside], entry === undefined ? [] : [entry]);
  for (const { name, syntax } of nodes.values()) {
    if (syntax === null || seen.has(name)) continue;
    report.error('C016', `no path leads from the entry to \`${name}\``, {
      at: syntax.name.at,
      node: name,
      fix: `add an edge \`NODE -> ${name}\`, or take the node out`,
    });
  }
};

/** C019: a cycle runs through a bounded loop, or through a person. */
export const cycles: Rule = (model, report) => {
  const touching = touchingLoops(model);
  const entry = model.workflow.properties.entry?.value;
  const starts = [
    ...(entry === undefined ? [] : [entry]),
    ...model.nodes.keys(),
    ...model.edges.map(edge => edge.from),
  ];
  const unfuelled = model.edges.filter(edge => !isFuelled(model, edge));
  for (const edge of backEdges(unfuelled, starts)) {
    if (touching.has(edge.from) || touching.has(edge.to)) continue;
    report.error('C019', `the edge closes a cycle that nothing bounds`, {
      at: edge.at,
      node: edge.from,
      edge: edge.label,
      fix: 'bound it, for example with `as again(10)`',
    });
  }
};
