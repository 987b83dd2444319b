import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth restore NAME`: back from the trash, named as there or by the id of the conversation. */
export async function restore(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const { view } = await client.restore(call.words[0] ?? '');
  if (call.flag('json')) printJson(io, view);
  else print(io, `${view.id} (${sanitiseLine(view.title)}) is back.`);
  return EXIT.done;
}
