import type { HearthClient } from '@hearth/client/http.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { type ConversationId, RunId } from '@hearth/protocol/ids.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { findConversation } from './conversation.ts';
import { connect } from './supervisor.ts';

/** The run that a command is about, and where it is. */
export interface At {
  readonly client: HearthClient;
  readonly conversation: ConversationId;
  readonly run: RunId;
}

/** The conversation that a command names, and a client for its service. */
export async function conversationAt(call: Invocation): Promise<Omit<At, 'run'>> {
  const client = await connect(call.io, 'cli');
  return { client, conversation: await findConversation(client, call.option('conversation')) };
}

/** The run that was named, else the one under way, else the latest. Throws `UsageError` or `CommandError`. */
export async function runAt(call: Invocation): Promise<At> {
  const named = call.words[0];
  const given = named === undefined ? null : RunId.safeParse(named);
  if (given !== null && !given.success)
    throw new UsageError(`"${named}" is no run: a run is named like r3 (see "hearth runs list").`);
  const at = await conversationAt(call);
  if (given !== null) return { ...at, run: given.data };
  const { run } = await at.client.get(at.conversation);
  const latest = run?.id ?? (await at.client.runs(at.conversation)).runs[0]?.run;
  if (latest !== undefined) return { ...at, run: latest };
  throw new CommandError(
    EXIT.failed,
    'unknown_run',
    'No run has begun here yet; the first message begins one.',
  );
}
