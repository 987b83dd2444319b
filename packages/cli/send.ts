import type { ExitCode } from '@hearth/protocol/exit-code.ts';
import { MESSAGE_LIMIT } from '@hearth/protocol/text.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import { type FileToAttach, fileToAttach, uploadFile } from './attach.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { readStdin, tooLarge } from './stdin.ts';
import { connect } from './supervisor.ts';
import { exitOfReport, printReport } from './turn-output.ts';
import { waitForTurn } from './turn-wait.ts';
import { workspaceOf } from './workspace.ts';

/** `hearth send`: the message is accepted first and waited for afterwards, so breaking off the wait loses nothing. */
export async function send(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const given = call.words[0] ?? '';
  const text =
    given === '-' ? (await readStdin(io.stdin, MESSAGE_LIMIT, 'The message')).replace(/\r?\n$/, '') : given;
  if (Buffer.byteLength(text) > MESSAGE_LIMIT) throw tooLarge('The message', MESSAGE_LIMIT);
  const workspace = await workspaceOf(io, call.option('workspace'));
  const files: FileToAttach[] = [];
  for (const given of call.options('attach')) files.push(await fileToAttach(io.cwd, given));
  const client = await connect(io, 'cli');
  const named = call.option('conversation');
  const preset = call.option('preset');
  const conversation = await findConversation(client, named);
  const attachments: Attached[] = [];
  for (const file of files) attachments.push(await uploadFile(client, conversation, file));
  const { receipt } = await client.send(conversation, {
    text,
    delivery: 'queue',
    workspace,
    ...(preset === null ? {} : { preset }),
    ...(attachments.length === 0 ? {} : { attachments }),
  });
  io.interruption.message =
    `Interrupted; the message is accepted and its turn goes on: see it with "hearth show ${named === null ? '' : conversation}`.trimEnd() +
    '".';
  const { turn = null, message = null } = receipt?.did ?? {};
  const report = await waitForTurn(io, client, { conversation, turn, message });
  if (call.flag('json')) printJson(io, report);
  else {
    printReport(io, report, named !== null);
    if (report.state === 'waiting' && receipt?.did.as === 'queued') {
      print(io, '\nThe message is queued: it is delivered when what is open has been answered.');
    }
  }
  return exitOfReport(report);
}
