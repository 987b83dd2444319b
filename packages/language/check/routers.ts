import { grouped } from '../compile/grouping.ts';
import type { Rule } from './rule.ts';

const ONLY_LLM = ['model', 'backend', 'system', 'user', 'multi', 'reasoning_effort'] as const;
/** Values that say nothing. */
const NOTHING: readonly unknown[] = ['', false];

/** C020 to C023: a router has the edges and properties that its mode needs. */
export const routers: Rule = (model, report) => {
  const edgesBySource = grouped(model.edges, edge => edge.from);
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'router') continue;
    const mode = syntax.properties.mode?.value ?? 'fan_out_all';
    const edges = edgesBySource.get(node) ?? [];
    const place = { at: syntax.name.at, node };
    if (mode === 'round_robin' && edges.filter(edge => edge.when === null).length < 2) {
      report.error(
        'C020',
        `the round_robin router \`${node}\` has fewer than two edges to take in turn`,
        place,
      );
    }
    if (mode === 'llm' && edges.length < 2) {
      report.error('C021', `the llm router \`${node}\` has fewer than two edges to choose from`, place);
    }
    for (const edge of mode === 'llm' ? edges : []) {
      if (edge.when?.is !== 'field') continue;
      const message = `the llm router \`${node}\` chooses by itself; its edge cannot have a field as condition`;
      report.error('C022', message, { at: edge.when.at, node, edge: edge.label });
    }
    for (const name of mode === 'llm' ? [] : ONLY_LLM) {
      const property = syntax.properties[name];
      if (property === undefined) continue;
      const { value } = property;
      if (NOTHING.includes(typeof value === 'object' ? value.level : value)) continue;
      report.error('C023', `\`${name}\` says nothing on the ${mode} router \`${node}\``, {
        ...place,
        at: property.key,
      });
    }
  }
};
