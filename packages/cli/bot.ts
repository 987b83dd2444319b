import { resolve } from 'node:path';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { typedIn } from './workspace.ts';

/** `hearth bot ID NAME|PATH` */
export async function bot(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [named = '', wanted = ''] = call.words;
  const client = await connect(io, 'cli');
  const { view } = await client.patch(await findConversation(client, named), {
    bot: botNamed(wanted, typedIn(io)),
  });
  if (call.flag('json')) printJson(io, view);
  else print(io, `${view.id} (${sanitiseLine(view.title)}) runs the bot ${sanitiseLine(view.bot)} now.`);
  return EXIT.done;
}

/** A name stays a name; anything that looks like a path is made absolute, since the service stands elsewhere. */
export function botNamed(text: string, cwd: string): string {
  return /[/\\]|^\.{1,2}$|\.botz?$/.test(text) ? resolve(cwd, text) : text;
}
