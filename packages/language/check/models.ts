import { interactionOf } from '../compile/interaction.ts';
import type { Rule } from './rule.ts';

/**
 * C018: a node that calls a model says which. No credentials are assumed, so a model that would only be found in the
 * environment does not count; `"${VAR:-auto}"` says that the choice is the person's.
 */
export const nodeModels: Rule = (model, report) => {
  const fallback = model.workflow.properties.default_backend;
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax === null) continue;
    const place = { at: syntax.name.at, node };
    if (syntax.kind === 'agent' || syntax.kind === 'judge') {
      const { model: own, backend } = syntax.properties;
      if (own || backend || fallback) continue;
      report.error('C018', `the ${syntax.kind} \`${node}\` has no model and no backend`, {
        ...place,
        fix: 'add `model: "${HEARTH_MODEL:-auto}"` to leave the choice to the person',
      });
    } else if (syntax.kind === 'router' && syntax.properties.mode?.value === 'llm') {
      if (syntax.properties.model || syntax.properties.backend) continue;
      report.warn('C018', `the llm router \`${node}\` has no model and no backend`, place);
    } else if (syntax.kind === 'human') {
      const mode = interactionOf(model, syntax.properties.interaction?.value);
      if (mode !== 'llm' && mode !== 'llm_or_human') continue;
      if (!syntax.properties.model && !syntax.properties.interaction_model) {
        report.error('C018', `\`${node}\` is answered by a model, but names none`, place);
      }
      if (!syntax.properties.output) {
        report.error('C018', `\`${node}\` is answered by a model, but has no output schema`, place);
      }
    }
  }
};
