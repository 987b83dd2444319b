import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { TrashEntry } from '@hearth/protocol/trash.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import type { Invocation } from './command.ts';
import { localMinute } from './local-time.ts';
import { print, printJson, printTable } from './output.ts';
import { connect } from './supervisor.ts';

/**
 * `hearth list`: the latest first; the default is marked with "*". With `--all`, what is in the trash and what cannot be
 * read follows. What cannot be read is told on stderr in any case.
 */
export async function list(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const { conversations, damaged } = await client.list();
  const all = call.flag('all');
  const trash = all ? (await client.trash()).trash : [];
  if (call.flag('json')) {
    const here = conversations.map(row => (all ? { ...row, in: 'home' } : row));
    const unreadable = all ? damaged.map(one => ({ ...one, in: 'quarantine' })) : [];
    printJson(io, [...here, ...trash.map(trashedRow), ...unreadable]);
  } else {
    printTable(io, [...conversations.map(row), ...trash.map(entry => row(trashedRow(entry)))]);
    if (all) for (const { why } of damaged) print(io, `Unreadable: ${why}`);
  }
  if (!all || call.flag('json'))
    for (const { why } of damaged) io.stderr.write(`hearth: ${sanitiseLine(why)}\n`);
  return EXIT.done;
}

type Row = Omit<ConversationRow, 'state'> & { readonly state: ConversationRow['state'] | 'trash' };

function row({ id, isDefault, state, bot, updatedAt, pinned, title }: Row): readonly string[] {
  return [isDefault ? '*' : '', id, state, bot, localMinute(updatedAt), pinned ? `${title} (pinned)` : title];
}

/** As a row of the list; `updatedAt` is when it was put there. */
function trashedRow({ conversation: id, title, scope, bot, at, name, until, bytes }: TrashEntry) {
  const rest = { isDefault: false, pinned: false, state: 'trash', scope, bot, updatedAt: at } as const;
  return { id, title, ...rest, in: 'trash', name, until, bytes };
}
