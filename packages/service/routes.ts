import type { Route } from './route.ts';
import { boardRoutes } from './routes/board.ts';
import { botRoutes } from './routes/bots.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { messageRoutes } from './routes/messages.ts';
import { serviceRoutes } from './routes/service.ts';
import { streamRoutes } from './routes/streams.ts';
import type { Wiring } from './wiring.ts';

/** The table of all routes; the first row that fits answers. */
export function routes(wiring: Wiring): readonly Route[] {
  return [
    ...serviceRoutes(wiring),
    ...conversationRoutes(wiring),
    ...messageRoutes(wiring),
    ...decisionRoutes(wiring),
    ...streamRoutes(wiring),
    ...boardRoutes(wiring),
    ...botRoutes(wiring),
  ];
}
