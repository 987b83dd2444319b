import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth reset [ID]`: the same conversation with nothing said yet; the default one when none is named. */
export async function reset(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const { view } = await client.reset(await findConversation(client, call.words[0] ?? null));
  if (call.flag('json')) printJson(io, view);
  else
    print(
      io,
      `${view.id} (${sanitiseLine(view.title)}) begins anew; what was said before is kept in its directory.`,
    );
  return EXIT.done;
}
