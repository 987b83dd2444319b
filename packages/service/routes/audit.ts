import type { Conversations } from '@hearth/conversations/registry.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** What changed nothing: refused and repeated commands, and what came too late. */
export function auditRoutes({ conversations }: { readonly conversations: Conversations }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations/:c/audit',
      summary:
        'The latest commands that were refused or repeated, and drafts that were discarded; ids and digests only.',
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        return jsonResponse({ lines: await lane.audited() });
      },
    }),
  ];
}
