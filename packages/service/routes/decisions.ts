import type { Conversations } from '@hearth/conversations/registry.ts';
import { Decide } from '@hearth/protocol/command.ts';
import { ConversationId, PauseId } from '@hearth/protocol/ids.ts';
import { z } from 'zod';
import { ProblemError } from '../problem.ts';
import { replyResponse } from '../reply.ts';
import { type Route, route } from '../route.ts';

/** A pause is named alone or with its conversation: `p52`, `c_…/p52`. */
const PauseName = z
  .string()
  .transform(text => {
    const cut = text.lastIndexOf('/');
    return { conversation: cut < 0 ? null : text.slice(0, cut), pause: text.slice(cut + 1) };
  })
  .pipe(z.object({ conversation: ConversationId.nullable(), pause: PauseId }));

const DecideBody = Decide.extend({ pause: PauseName });

/** The one way in which anything is answered. */
export function decisionRoutes({
  conversations,
}: {
  readonly conversations: Conversations;
}): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/conversations/:c/decisions',
      summary: 'Answers one pause; judged against what is open and shown now.',
      body: DecideBody,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const { conversation, pause } = call.body.pause;
        const view = lane.view();
        if (conversation !== null && conversation !== view.id) {
          throw new ProblemError(
            'unknown_pause',
            `${pause} was asked for in ${conversation} and not in ${view.id}: send the decision there.`,
            view,
          );
        }
        return replyResponse(await lane.decide({ ...call.body, pause }));
      },
    }),
  ];
}
