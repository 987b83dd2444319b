import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { homeHolding } from '@hearth/service/find.ts';
import { fileTyped } from './attach.ts';
import { botNamed } from './bot.ts';
import { CommandError, type Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { homePath } from './home-path.ts';
import { offerRestart } from './restart-offer.ts';
import { connect, reconnect } from './supervisor.ts';
import { typedIn, workspaceOf } from './workspace.ts';

/** `hearth ID`, `hearth open [ID]`: the console on one conversation, the default when none is named. */
export async function open(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [named = null] = call.words;
  if (io.stdin.isTTY !== true || io.stdout.isTTY !== true) {
    // A conversation that is not there is the nearer fault; no service is started only to find out.
    if (named !== null && homeHolding(homePath(io)) === 'held')
      await findConversation(await connect(io, 'cli'), named);
    throw new CommandError(
      EXIT.environment,
      'no_terminal',
      'The console needs a terminal: use "hearth show" and "hearth send" in scripts.',
    );
  }
  return openConsole(call, named);
}

/** Opens the console; `named` is a conversation, `null` the default. */
export async function openConsole(call: Invocation, named: string | null): Promise<ExitCode> {
  const { io } = call;
  const workspace = await workspaceOf(io, call.option('workspace'));
  const client = await connect(io, 'console').catch((error: unknown) => offerRestart(error, io));
  const conversation = named === null ? null : await findConversation(client, named);
  const { runConsole } = await import('@hearth/console/main.ts');
  const code = await runConsole({
    client,
    conversation,
    workspace,
    botNamed: text => botNamed(text, typedIn(io)),
    readFile: given => fileTyped(io.cwd, given),
    env: io.env,
    reconnect: () => reconnect(io, 'console'),
    start: () => connect(io, 'console'),
  });
  return Object.values(EXIT).find(one => one === code) ?? EXIT.failed;
}
