import type { Conversations } from '@hearth/conversations/registry.ts';
import { z } from 'zod';
import { jsonResponse, type Route, route } from '../route.ts';

/** What is kept and what goes, and why. */
export function retentionRoutes({
  conversations,
}: {
  readonly conversations: Conversations;
}): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/retention',
      summary: 'What a pass of retention would do now, and why; changes nothing.',
      handle: async () => jsonResponse(await conversations.plan()),
    }),
    route({
      method: 'POST',
      path: '/retention',
      summary: 'Does a pass of retention now and says what it did.',
      body: z.unknown(),
      handle: async () => jsonResponse(await conversations.retain()),
    }),
  ];
}
