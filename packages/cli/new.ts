import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { botNamed } from './bot.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { typedIn, workspaceOf } from './workspace.ts';

/** `hearth new`: prints the id alone, so that a script can take it. */
export async function create(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const bot = call.option('bot');
  const preset = call.option('preset');
  const title = call.option('title');
  const directory = call.option('workspace');
  const scope =
    directory === null ? null : ({ kind: 'workspace', path: await workspaceOf(io, directory) } as const);
  const client = await connect(io, 'cli');
  const { view } = await client.create({
    ...(bot === null ? {} : { bot: botNamed(bot, typedIn(io)) }),
    ...(preset === null ? {} : { preset }),
    ...(title === null ? {} : { title }),
    ...(scope === null ? {} : { scope }),
  });
  if (call.flag('json')) printJson(io, view);
  else print(io, view.id);
  return EXIT.done;
}
