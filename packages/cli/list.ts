import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { print, printJson, printTable } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth list`: the latest first; the default is marked with "*". */
export async function list(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const found = await (await connect(io, 'cli')).list();
  if (call.flag('json')) {
    printJson(io, found);
    return EXIT.done;
  }
  printTable(
    io,
    found.conversations.map(row => [
      row.isDefault ? '*' : '',
      row.id,
      row.state,
      row.bot,
      row.updatedAt.slice(0, 16).replace('T', ' '),
      row.pinned ? `${row.title} (pinned)` : row.title,
    ]),
  );
  for (const damaged of found.damaged) print(io, `Damaged: ${damaged.why}`);
  return EXIT.done;
}
