import type { Route } from './route.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { auditRoutes } from './routes/audit.ts';
import { boardRoutes } from './routes/board.ts';
import { botRoutes } from './routes/bots.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { dispatchRoutes } from './routes/dispatch.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { loginCodeRoutes, loginRoutes, type LoginWiring } from './routes/login.ts';
import { messageRoutes } from './routes/messages.ts';
import { modelRoutes } from './routes/models.ts';
import { recordingRoutes } from './routes/recording.ts';
import { retentionRoutes } from './routes/retention.ts';
import { runRoutes } from './routes/runs.ts';
import { serviceRoutes } from './routes/service.ts';
import { streamRoutes } from './routes/streams.ts';
import { transferRoutes } from './routes/transfer.ts';
import { trashRoutes } from './routes/trash.ts';
import type { Wiring } from './wiring.ts';

/** The table of all routes under `/v1`; the first row that fits answers. */
export function routes(wiring: Wiring): readonly Route[] {
  return [
    ...serviceRoutes(wiring),
    // Before the routes that take any word for a conversation.
    ...transferRoutes(wiring),
    ...recordingRoutes(wiring),
    ...conversationRoutes(wiring),
    ...trashRoutes(wiring),
    ...retentionRoutes(wiring),
    ...messageRoutes(wiring),
    ...decisionRoutes(wiring),
    ...runRoutes(wiring),
    ...artifactRoutes(wiring),
    ...auditRoutes(wiring),
    ...streamRoutes(wiring),
    ...boardRoutes(wiring),
    ...dispatchRoutes(wiring),
    ...botRoutes(wiring),
    ...modelRoutes(wiring),
    ...loginCodeRoutes(wiring),
  ];
}

/** The routes outside `/v1`, which need no authority. */
export function openRoutes(wiring: LoginWiring): readonly Route[] {
  return loginRoutes(wiring);
}
