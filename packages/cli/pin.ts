import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth pin ID`: retention leaves it alone until `--off`. */
export async function pin(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const pinned = !call.flag('off');
  const { view } = await client.patch(await findConversation(client, call.words[0] ?? null), { pinned });
  if (call.flag('json')) printJson(io, view);
  else
    print(
      io,
      `${view.id} (${sanitiseLine(view.title)}) is ${view.pinned ? 'pinned: it is kept until you unpin or close it' : 'not pinned any more'}.`,
    );
  return EXIT.done;
}
