import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth default ID`: the repair of a home that has no default conversation, or more than one. */
export async function makeDefault(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, call.words[0] ?? null);
  const view = await client.makeDefault(conversation);
  if (call.flag('json')) printJson(io, view);
  else print(io, `${view.id} (${sanitiseLine(view.title)}) is the default conversation now.`);
  return EXIT.done;
}
