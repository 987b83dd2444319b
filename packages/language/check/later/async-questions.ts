import { interactionOf } from '../../compile/interaction.ts';
import type { Rule } from '../rule.ts';

/** C240: a human node is what a person answers, so there is nobody who could go on meanwhile. */
export const asyncQuestions: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'human') continue;
    const own = syntax.properties.interaction;
    if (interactionOf(model, own?.value) !== 'async') continue;
    report.error('C240', `\`${node}\` waits for a person and cannot be \`async\``, {
      at: own?.at ?? syntax.name.at,
      node,
      fix: 'write `interaction: human`',
    });
  }
};
