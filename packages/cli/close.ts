import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { owes } from '@hearth/protocol/pause.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth close ID`: into the trash; what it still asked is named, since nobody will answer it there. */
export async function close(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const { view } = await client.close(await findConversation(client, call.words[0] ?? null));
  if (call.flag('json')) {
    printJson(io, view);
    return EXIT.done;
  }
  for (const pause of view.pauses.filter(owes))
    print(io, `Cancelled ${pause.id}: ${sanitiseLine(headOf(pause.text))}`);
  print(io, `"${sanitiseLine(view.title)}" is in the trash; "hearth restore ${view.id}" brings it back.`);
  return EXIT.done;
}
