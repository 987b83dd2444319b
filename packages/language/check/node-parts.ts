import { promptNames } from '../compile/uses.ts';
import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** C002: the schemas that a node names exist. */
export const nodeSchemas: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax === null || syntax.kind === 'router') continue;
    for (const schema of [syntax.properties.input, syntax.properties.output]) {
      if (schema === undefined || model.schemas.has(schema.value)) continue;
      report.error('C002', `\`${node}\` uses the schema \`${schema.value}\`, which is not declared`, {
        at: schema.at,
        node,
        fix: didYouMean(schema.value, model.schemas.keys()),
      });
    }
  }
};

/** C003: the prompts that a node names exist. `interaction_prompt` is not checked in profile 1. */
export const nodePrompts: Rule = (model, report) => {
  for (const node of model.nodes.values()) {
    const { syntax } = node;
    const unchecked =
      syntax && 'interaction_prompt' in syntax.properties ? syntax.properties.interaction_prompt : null;
    for (const prompt of promptNames(node)) {
      if (model.prompts.has(prompt.name) || prompt.at === unchecked?.at) continue;
      report.error('C003', `\`${node.name}\` uses the prompt \`${prompt.name}\`, which is not declared`, {
        at: prompt.at,
        node: node.name,
        fix: didYouMean(prompt.name, model.prompts.keys()),
      });
    }
  }
};
