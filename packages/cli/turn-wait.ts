import type { HearthClient } from '@hearth/client/http.ts';
import { turnReport } from '@hearth/client/report.ts';
import type { ConversationId, MessageId, TurnId } from '@hearth/protocol/ids.ts';
import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import type { Io } from './command.ts';
import { reconnect } from './supervisor.ts';

/** What is waited for, as the receipt names it. */
export interface Awaited {
  readonly conversation: ConversationId;
  readonly turn: TurnId | null;
  readonly message: MessageId | null;
}

/** Waits for a turn on behalf of a command, over a service that dies; one that was stopped it does not start. */
export function waitForTurn(io: Io, client: HearthClient, awaited: Awaited): Promise<TurnReport> {
  return turnReport({
    ...awaited,
    client,
    signal: io.interrupted,
    renew: () => reconnect(io, 'cli'),
    onStopped: () =>
      void io.stderr.write(
        'hearth: The service was stopped; what you sent is kept, and the wait goes on until a service runs again (Ctrl-C ends it).\n',
      ),
  });
}
