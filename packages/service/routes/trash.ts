import type { Conversations } from '@hearth/conversations/registry.ts';
import { Bare } from '@hearth/protocol/command.ts';
import { replyResponse } from '../reply.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** What was closed or removed, and its way back. */
export function trashRoutes({ conversations }: { readonly conversations: Conversations }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/trash',
      summary: 'The conversations in the trash, the latest first.',
      handle: async () => jsonResponse({ trash: await conversations.trash() }),
    }),
    route({
      method: 'POST',
      path: '/trash/:t/restore',
      summary: 'Brings a conversation back, named as in the trash or by its id.',
      body: Bare,
      handle: async call => replyResponse(await conversations.restore(call.param('t'), call.body)),
    }),
  ];
}
