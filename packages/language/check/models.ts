import { isAnsweredByModel } from '../compile/interaction.ts';
import type { Rule } from './rule.ts';

/**
 * C018: a node that calls a model says which. No credentials are assumed, so a model that would only be found in the
 * environment does not count, and neither does a backend of the workflow; `"${VAR:-auto}"` says that the choice is the
 * person's.
 */
export const nodeModels: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax === null) continue;
    const place = { at: syntax.name.at, node };
    if (syntax.kind === 'agent' || syntax.kind === 'judge') {
      const { model: own, backend } = syntax.properties;
      if (isSaid(own) || isSaid(backend)) continue;
      report.error('C018', `the ${syntax.kind} \`${node}\` has no model and no backend`, {
        ...place,
        fix: 'add `model: "${HEARTH_MODEL:-auto}"` to leave the choice to the person',
      });
    } else if (syntax.kind === 'router' && syntax.properties.mode?.value === 'llm') {
      if (isSaid(syntax.properties.model) || isSaid(syntax.properties.backend)) continue;
      report.warn('C018', `the llm router \`${node}\` has no model and no backend`, {
        ...place,
        fix: 'add `model: "${HEARTH_MODEL:-auto}"` to leave the choice to the person',
      });
    } else if (syntax.kind === 'human' && isAnsweredByModel(model, syntax.properties.interaction?.value)) {
      if (!isSaid(syntax.properties.model) && !isSaid(syntax.properties.interaction_model)) {
        report.error('C018', `\`${node}\` is answered by a model, but names none`, {
          ...place,
          fix: 'add `model:` or `interaction_model:`',
        });
      }
      if (!isSaid(syntax.properties.output)) {
        report.error('C018', `\`${node}\` is answered by a model, but has no output schema`, {
          ...place,
          fix: 'add `output:` with the schema of the answer',
        });
      }
    }
  }
};

function isSaid(property: { readonly value: string } | undefined): boolean {
  return property !== undefined && property.value !== '';
}
