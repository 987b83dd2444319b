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
    if (loop.unbounded) continue;
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

/** C097, C098: a loop without a bound has fuel, and a way out. */
export const unboundedLoops: Rule = (model, report) => {
  const looping = model.edges.flatMap(edge => (edge.loop?.unbounded ? [{ edge, loop: edge.loop }] : []));
  if (looping.length === 0) return;
  const next = grouped(model.edges, edge => edge.from);
  for (const { edge, loop } of looping) {
    const place = { node: edge.from, edge: edge.label };
    if (loop.cap === 0) {
      const fix = `write how often it may be taken at most: \`as ${loop.name}(unbounded 50)\``;
      report.error('C097', `the loop \`${loop.name}\` has no bound and no fuel`, {
        ...place,
        at: loop.capAt,
        fix,
      });
    }
    if ((next.get(edge.from) ?? []).some(one => one.loop?.name !== loop.name)) continue;
    const fix = `add an edge such as \`${edge.from} -> done\``;
    report.warn('C098', `nothing leads out of the loop \`${loop.name}\``, { ...place, at: loop.at, fix });
  }
};
