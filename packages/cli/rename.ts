import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { type Invocation, UsageError } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';

/** Characters of a title at most. */
const LONGEST = 256;

/** `hearth rename ID TITLE` */
export async function rename(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [named = '', words = ''] = call.words;
  const title = words.trim();
  if (title === '' || title.length > LONGEST)
    throw new UsageError(`A title has 1 to ${LONGEST} characters: give one as the second word.`);
  const client = await connect(io, 'cli');
  const { view } = await client.patch(await findConversation(client, named), { title });
  if (call.flag('json')) printJson(io, view);
  else print(io, `${view.id} is called "${sanitiseLine(view.title)}" now.`);
  return EXIT.done;
}
