import { request } from '@hearth/client/request.ts';
import { systemTimers } from '@hearth/client/timers.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { findService } from '@hearth/service/find.ts';
import { prepareHome } from '@hearth/service/home.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { homePath } from './home-path.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth default ID`: the repair of a home that has no default conversation, or more than one. */
export async function makeDefault(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, call.words[0] ?? null);
  const { token } = await findService(await prepareHome(homePath(io)));
  const view = await request(
    { address: client.address, token, fetch: (url, init) => fetch(url, init), timers: systemTimers },
    {
      method: 'POST',
      path: `/conversations/${conversation}/default`,
      schema: ConversationView,
      body: { commandId: client.newCommandId(), actor: client.actor },
    },
  );
  if (call.flag('json')) printJson(io, view);
  else print(io, `${view.id} (${sanitiseLine(view.title)}) is the default conversation now.`);
  return EXIT.done;
}
