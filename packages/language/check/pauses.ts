import { chatField } from '../compile/chat-field.ts';
import { outputSchema } from '../compile/outputs.ts';
import type { Rule } from './rule.ts';

/** H004: a chat pause has exactly one place for the message. */
export const chatPauses: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'human' || syntax.properties.pause?.value !== 'chat') continue;
    if (chatField(outputSchema(model, node)) !== null) continue;
    report.error(
      'H004',
      `the chat pause \`${node}\` needs an output schema with one string field and no other`,
      {
        at: syntax.properties.pause.at,
        node,
        fix: 'add such a schema, or write `pause: input`',
      },
    );
  }
};
