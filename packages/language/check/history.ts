import { touchingLoops } from '../compile/graph.ts';
import type { Place } from '../compile/report.ts';
import type { Rule } from './rule.ts';

/** C017: only a node that loops has a history. Prompts are looked at whether or not a node uses them. */
export const history: Rule = (model, report) => {
  const touching = touchingLoops(model);
  const check = (path: readonly string[], place: Place): void => {
    const [namespace, node = ''] = path;
    if (namespace !== 'outputs' || path.length < 3 || path.at(-1) !== 'history') return;
    if (!model.nodes.has(node) || touching.has(node)) return;
    report.error('C017', `\`${node}\` is part of no loop and has no history`, {
      ...place,
      fix: `read \`{{outputs.${node}}}\`, or give an edge of \`${node}\` a loop`,
    });
  };
  for (const { file, parsed, place } of model.prompts.values()) {
    for (const { ref, offset } of parsed.refs) check(ref.path, { at: place(offset), file });
  }
  for (const edge of model.edges) {
    for (const { parsed, at } of edge.with) {
      for (const { ref } of parsed.refs) check(ref.path, { at, node: edge.from, edge: edge.label });
    }
  }
};
