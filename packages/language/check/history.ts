import { touchingLoops } from '../compile/graph.ts';
import { usesOf } from '../compile/uses.ts';
import type { Rule } from './rule.ts';

/** C017: only a node that loops has a history. */
export const history: Rule = (model, report) => {
  const touching = touchingLoops(model);
  for (const { in: place, path, at, file, consumer, edge } of usesOf(model)) {
    const [namespace, node = ''] = path;
    if (namespace !== 'outputs' || path.length < 3 || path.at(-1) !== 'history') continue;
    if ((place !== 'prompt' && place !== 'with') || !model.nodes.has(node) || touching.has(node)) continue;
    report.error('C017', `\`${node}\` is part of no loop and has no history`, {
      at,
      file,
      node: consumer,
      edge,
    });
  }
};
