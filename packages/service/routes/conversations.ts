import type { Conversations } from '@hearth/conversations/registry.ts';
import { Bare, ChangeConversation, CreateConversation } from '@hearth/protocol/command.ts';
import { type ConversationRow, ConversationState } from '@hearth/protocol/view.ts';
import { z } from 'zod';
import { replyResponse } from '../reply.ts';
import { jsonResponse, jsonTextResponse, type Route, route } from '../route.ts';

const ListQuery = z.object({
  scope: z.enum(['global', 'workspace']).exactOptional(),
  state: ConversationState.exactOptional(),
  q: z.string().exactOptional(),
});

/** Rows as JSON: of thousands, few change between one list and the next, and one that does is another object. */
const texts = new WeakMap<ConversationRow, string>();

function textOf(row: ConversationRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(row);
  texts.set(row, text);
  return text;
}

/** The list of conversations and what can be done to one as a whole. */
export function conversationRoutes({
  conversations,
}: {
  readonly conversations: Conversations;
}): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations',
      summary: 'All conversations, the latest first.',
      query: ListQuery,
      async handle(call) {
        const { scope, state, q } = call.query;
        const filter = { ...(state === undefined ? {} : { state }), ...(q === undefined ? {} : { text: q }) };
        const { rows, damaged } = await conversations.list(filter);
        const kept = scope === undefined ? rows : rows.filter(row => row.scope.kind === scope);
        return jsonTextResponse(
          `{"conversations":[${kept.map(textOf).join(',')}],"damaged":${JSON.stringify(damaged)}}`,
        );
      },
    }),
    route({
      method: 'POST',
      path: '/conversations',
      summary: 'Creates a conversation.',
      body: CreateConversation,
      handle: async call => replyResponse(await conversations.create(call.body)),
    }),
    route({
      method: 'GET',
      path: '/conversations/default',
      summary: 'The default conversation.',
      async handle() {
        const lane = await conversations.lane(await conversations.default());
        return jsonResponse(lane.view());
      },
    }),
    route({
      method: 'GET',
      path: '/conversations/:c',
      summary: 'The state of a conversation: all that a surface needs in order to act.',
      handle: async call => jsonResponse((await conversations.lane(call.param('c'))).view()),
    }),
    route({
      method: 'PATCH',
      path: '/conversations/:c',
      summary: 'Renames, pins or gives a conversation another bot, which its next run takes.',
      body: ChangeConversation,
      handle: async call => replyResponse(await conversations.change(call.param('c'), call.body)),
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/default',
      summary: 'Makes a conversation the only default.',
      body: Bare,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        await conversations.makeDefault(lane.id);
        return jsonResponse(lane.view());
      },
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/close',
      summary: 'Moves a conversation into the trash.',
      body: Bare,
      handle: async call => replyResponse(await conversations.close(call.param('c'), call.body)),
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/reset',
      summary: 'Begins a conversation anew, with a fresh run and session; what was before is kept.',
      body: Bare,
      handle: async call => replyResponse(await conversations.reset(call.param('c'), call.body)),
    }),
  ];
}
