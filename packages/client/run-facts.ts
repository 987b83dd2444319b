import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Attachment } from './attachment.ts';
import { type Fact, runFacts } from './run-figures.ts';

/**
 * The run that is under way in a conversation in figures, else the latest; `null` when none has begun. Rejects with a
 * `HearthProblem`.
 */
export async function readRunFacts(
  attachment: Pick<Attachment, 'call'>,
  conversation: ConversationId,
): Promise<readonly Fact[] | null> {
  const view = await attachment.call(client => client.get(conversation));
  const { run } = view;
  const summary =
    run === null
      ? (await attachment.call(client => client.runs(conversation))).runs[0]
      : await attachment.call(client => client.run(conversation, run.id));
  return summary === undefined ? null : runFacts(view, summary);
}
