import { inBranches } from '../../compile/branches.ts';
import { chatField } from '../../compile/chat-field.ts';
import { isAnsweredByModel } from '../../compile/interaction.ts';
import { outputSchema } from '../../compile/outputs.ts';
import type { Rule } from '../rule.ts';

/** H018, H033: a card and the home base are of the trunk; in a branch a person is only asked. */
export const pausesInBranches: Rule = (model, report) => {
  const inside = inBranches(model);
  for (const { name: node, syntax } of model.nodes.values()) {
    if (!inside.has(node)) continue;
    if (syntax?.kind === 'review') {
      report.error('H018', `the review \`${node}\` is in a branch, where no artifact can be reviewed`, {
        at: syntax.name.at,
        node,
        fix: 'put it behind the node where the branches meet',
      });
    } else if (syntax?.kind === 'human' && !isAnsweredByModel(model, syntax.properties.interaction?.value)) {
      const { pause } = syntax.properties;
      const chats = pause ? pause.value === 'chat' : chatField(outputSchema(model, node)) !== null;
      if (!chats) continue;
      report.warn('H033', `the chat pause \`${node}\` is in a branch, where a conversation has no home`, {
        at: pause?.at ?? syntax.name.at,
        node,
        fix: 'write `pause: input`, or put it behind the node where the branches meet',
      });
    }
  }
};
