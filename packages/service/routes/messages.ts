import type { Conversations } from '@hearth/conversations/registry.ts';
import { Interrupt, Raise, RevokeRule, SendMessage, Unsend } from '@hearth/protocol/command.ts';
import { MESSAGE_LIMIT } from '@hearth/protocol/text.ts';
import { placeOf } from '../place.ts';
import { ProblemError } from '../problem.ts';
import { replyResponse } from '../reply.ts';
import { type Route, route } from '../route.ts';

/** What a person says, takes back, breaks off or allows: commands that answer no pause. */
export function messageRoutes({
  conversations,
}: {
  readonly conversations: Conversations;
}): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/conversations/:c/messages',
      summary: 'Sends a message; it waits in the queue until the conversation can take it.',
      body: SendMessage,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        if (Buffer.byteLength(call.body.text) > MESSAGE_LIMIT) {
          throw new ProblemError(
            'too_large',
            'The message is larger than 1 MiB: shorten it, or put the text into a file and name that.',
            lane.view(),
          );
        }
        const { workspace, ...message } = call.body;
        const place = workspace === undefined ? {} : { workspace: await placeOf(workspace) };
        return replyResponse(await lane.send({ ...message, ...place }));
      },
    }),
    route({
      method: 'DELETE',
      path: '/conversations/:c/messages/:message',
      summary: 'Takes a queued message back.',
      body: Unsend,
      fromPath: ['message'],
      handle: async call =>
        replyResponse(await (await conversations.lane(call.param('c'))).unsend(call.body)),
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/interrupt',
      summary: 'Interrupts a running turn; it decides nothing.',
      body: Interrupt,
      handle: async call =>
        replyResponse(await (await conversations.lane(call.param('c'))).interrupt(call.body)),
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/rules/revoke',
      summary: 'Takes back what was allowed or denied for good; the rules are in the view.',
      body: RevokeRule,
      handle: async call =>
        replyResponse(await (await conversations.lane(call.param('c'))).revoke(call.body)),
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/budget',
      summary: 'Raises one limit of one ledger.',
      body: Raise,
      handle: async call => replyResponse(await (await conversations.lane(call.param('c'))).raise(call.body)),
    }),
  ];
}
