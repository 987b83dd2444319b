import { grouped } from '../../compile/grouping.ts';
import { usesOf } from '../../compile/uses.ts';
import { didYouMean } from '../../nearest.ts';
import type { Rule } from '../rule.ts';

/** C145: when a loop has used all its rounds, another edge leads on. */
export const exhaustedLoops: Rule = (model, report) => {
  for (const [node, edges] of grouped(model.edges, edge => edge.from)) {
    const [first] = edges;
    const { loop } = first ?? {};
    if (first === undefined || !loop || edges.some(edge => edge.loop?.name !== loop.name)) continue;
    report.warn(
      'C145',
      `\`${node}\` has no edge to leave by when the loop \`${loop.name}\` has used all its rounds`,
      {
        at: loop.at,
        node,
        edge: first.label,
        fix: `add an edge such as \`${node} -> done\``,
      },
    );
  }
};

/** C147: a loop whose count is read is there. */
export const declaredLoops: Rule = (model, report) => {
  const names = new Set(model.edges.flatMap(edge => (edge.loop ? [edge.loop.name] : [])));
  for (const { path, at, file, edge, consumer: node } of usesOf(model)) {
    const [namespace, name = ''] = path;
    if (namespace !== 'loop' || name === '' || names.has(name)) continue;
    report.warn('C147', `no edge has the loop \`${name}\``, {
      at,
      file,
      edge,
      node,
      fix: () => didYouMean(name, names),
    });
  }
};
