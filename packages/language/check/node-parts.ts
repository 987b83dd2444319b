import { hasSchemas } from '../compile/outputs.ts';
import { promptNames } from '../compile/uses.ts';
import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** C002: the schemas that a node names exist. */
export const nodeSchemas: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax === null || !hasSchemas(syntax)) continue;
    for (const schema of [syntax.properties.input, syntax.properties.output]) {
      if (schema === undefined || model.schemas.has(schema.value)) continue;
      report.error('C002', `\`${node}\` uses the schema \`${schema.value}\`, which is not declared`, {
        at: schema.at,
        node,
        fix: () => didYouMean(schema.value, model.schemas.keys()),
      });
    }
  }
};

/** Profile 1 does not check the one, and the other is not of profile 1 and has a code of its own. */
const UNCHECKED: readonly string[] = ['interaction_prompt', 'says'];

/** C003: the prompts that a node uses exist. */
export const nodePrompts: Rule = (model, report) => {
  for (const node of model.nodes.values()) {
    for (const prompt of promptNames(model, node)) {
      if (UNCHECKED.includes(prompt.property) || model.prompts.has(prompt.name)) continue;
      report.error('C003', `\`${node.name}\` uses the prompt \`${prompt.name}\`, which is not declared`, {
        at: prompt.at,
        node: node.name,
        fix: () => didYouMean(prompt.name, model.prompts.keys()),
      });
    }
  }
};
