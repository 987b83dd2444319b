import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { BotArgs, type Ticket, TicketId, TicketState } from '@hearth/protocol/ticket.ts';
import { botNamed } from './bot.ts';
import { closeWithComment } from './closing.ts';
import { CommandError, type Invocation, type Io, UsageError } from './command.ts';
import { localMinute } from './local-time.ts';
import { print, printJson, printTable } from './output.ts';
import { readStdin, tooLarge } from './stdin.ts';
import { connect } from './supervisor.ts';
import { typedIn, workspaceOf } from './workspace.ts';

/*
 * `hearth board …`: the tickets of the workspace, through the service, so that agents and people see one board.
 */

/** What may be imported at once; the service's bodies hold 2 MiB. */
const IMPORT_LIMIT = 1024 * 1024;

interface At {
  readonly client: HearthClient;
  readonly workspace: string;
}

async function at(call: Invocation): Promise<At> {
  const workspace = await workspaceOf(call.io, call.option('workspace'));
  return { client: await connect(call.io, 'cli'), workspace };
}

/** `hearth board list` */
export async function listTickets(call: Invocation): Promise<ExitCode> {
  const state = stateNamed(call.option('state'));
  const label = call.option('label');
  const owner = call.option('owner')?.toLowerCase() ?? null;
  const { client, workspace } = await at(call);
  const filter = { ...(state === null ? {} : { state }), ...(label === null ? {} : { label }) };
  const { tickets, damaged } = await client.tickets(workspace, filter);
  const kept = owner === null ? tickets : tickets.filter(ticket => ticket.owner?.toLowerCase() === owner);
  if (call.flag('json')) printJson(call.io, { workspace, tickets: kept, damaged });
  else {
    printTable(call.io, kept.map(row));
    if (kept.length === 0)
      print(call.io, `No tickets on the board of ${workspace}; "hearth board import FILE" brings some.`);
  }
  for (const one of damaged) {
    const file = typeof one['file'] === 'string' ? one['file'] : 'A file of the board';
    call.io.stderr.write(`hearth: ${sanitiseLine(`${file} is damaged: ${one.why}`)}\n`);
  }
  return damaged.length === 0 ? EXIT.done : EXIT.failed;
}

/** `hearth board show TICKET` */
export async function showTicket(call: Invocation): Promise<ExitCode> {
  const { client, workspace } = await at(call);
  return shown(call, await client.ticket(workspace, word(call, 0)), true);
}

/** `hearth board add TITLE` */
export async function addTicket(call: Invocation): Promise<ExitCode> {
  const state = stateNamed(call.option('state'));
  const body = call.option('body');
  const owner = call.option('owner');
  const bot = call.option('bot');
  const labels = labelsIn(call.option('label'));
  const more = forBot(call);
  const { client, workspace } = await at(call);
  const ticket = await client.addTicket(workspace, {
    title: word(call, 0),
    ...(body === null ? {} : { body }),
    ...(labels.length === 0 ? {} : { labels }),
    ...(state === null ? {} : { state }),
    ...(owner === null ? {} : { owner }),
    ...(bot === null ? {} : { bot: botNamed(bot, typedIn(call.io)) }),
    ...more,
  });
  return shown(call, ticket);
}

/** `hearth board move TICKET STATE` */
export async function moveTicket(call: Invocation): Promise<ExitCode> {
  const state = stateNamed(word(call, 1)) ?? 'inbox';
  const { client, workspace } = await at(call);
  return shown(call, await client.changeTicket(workspace, word(call, 0), { state }));
}

/** `hearth board label TICKET [LABEL…]` */
export async function labelTicket(call: Invocation): Promise<ExitCode> {
  const labels = call.words.slice(1).flatMap(text => labelsIn(text));
  const { client, workspace } = await at(call);
  return shown(call, await client.changeTicket(workspace, word(call, 0), { labels }));
}

/** `hearth board assign TICKET [OWNER]` */
export async function assignTicket(call: Invocation): Promise<ExitCode> {
  const named = call.option('bot');
  const owner = call.words[1] ?? null;
  const bot = named === null ? {} : { bot: botNamed(named, typedIn(call.io)) };
  const more = { ...bot, ...forBot(call) };
  // Only what is for a bot was named: the owner stays as it is.
  const change = owner === null && Object.keys(more).length > 0 ? more : { owner, ...more };
  const { client, workspace } = await at(call);
  return shown(call, await client.changeTicket(workspace, word(call, 0), change));
}

/** `hearth board comment TICKET TEXT` */
export async function commentTicket(call: Invocation): Promise<ExitCode> {
  const { client, workspace } = await at(call);
  return shown(call, await client.commentTicket(workspace, word(call, 0), word(call, 1)));
}

/** `hearth board close TICKET`: a ticket that is closed already is left as it is, without the comment. */
export async function closeTicket(call: Invocation): Promise<ExitCode> {
  const comment = call.option('comment');
  const { client, workspace } = await at(call);
  const before = await client.ticket(workspace, word(call, 0));
  if (before.state === 'done') {
    if (!call.flag('json')) print(call.io, `${before.id} is closed already.`);
    else printJson(call.io, before);
    return EXIT.done;
  }
  if (comment !== null) return shown(call, await closeWithComment(client, workspace, before, comment));
  return shown(call, await client.changeTicket(workspace, before.id, { state: 'done' }));
}

/** `hearth board import FILE | -` */
export async function importTickets(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const { name, source } = await imported(io, word(call, 0));
  const { client, workspace } = await at(call);
  const { created, skipped } = await client.importTickets(workspace, name, source);
  if (call.flag('json')) {
    printJson(io, { workspace, created, skipped });
    return EXIT.done;
  }
  printTable(io, created.map(row));
  for (const one of skipped) print(io, `Skipped "${sanitiseLine(one.title)}": ${one.why}`);
  print(io, `${created.length} imported, ${skipped.length} skipped, on the board of ${workspace}.`);
  return EXIT.done;
}

async function imported(io: Io, file: string): Promise<{ readonly name: string; readonly source: string }> {
  if (file === '-') return { name: 'stdin', source: await readStdin(io.stdin, IMPORT_LIMIT, 'The import') };
  const path = resolve(typedIn(io), file);
  const info = await stat(path).catch(() => null);
  if (info?.isFile() !== true) {
    throw new CommandError(
      EXIT.failed,
      'unknown_file',
      `There is no file ${path} to import: name a Markdown checklist or a JSON file.`,
    );
  }
  if (info.size > IMPORT_LIMIT) throw tooLarge(`The file ${path}`, IMPORT_LIMIT);
  const source = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(
      EXIT.environment,
      'no_permission',
      `The file ${path} cannot be read: check its owner and mode.`,
    );
  });
  return { name: basename(path), source };
}

function word(call: Invocation, index: number): string {
  return call.words[index] ?? '';
}

/** What a ticket says to the bot that takes it. Throws `UsageError`. */
function forBot(call: Invocation): {
  readonly botArgs?: BotArgs;
  readonly priority?: number;
  readonly blockers?: TicketId[];
} {
  const args = call.option('args');
  const priority = call.option('priority');
  const blockers = call.option('blockers');
  return {
    ...(args === null ? {} : { botArgs: argsNamed(args) }),
    ...(priority === null ? {} : { priority: priorityNamed(priority) }),
    ...(blockers === null ? {} : { blockers: blockersNamed(blockers) }),
  };
}

function argsNamed(text: string): BotArgs {
  try {
    return BotArgs.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--args takes a JSON object of vars, as in '{"depth": 2}'.`);
  }
}

function blockersNamed(text: string): TicketId[] {
  const named = text.trim() === 'none' ? [] : labelsIn(text);
  return named.map(one => {
    const id = TicketId.safeParse(/^\d+$/.test(one) ? `HB-${one}` : one.toUpperCase());
    if (id.success) return id.data;
    throw new UsageError(`"${one}" is no ticket: --blockers takes ids, as in "HB-1,HB-2", or "none".`);
  });
}

function priorityNamed(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no priority: --priority takes a number from 0, the first, to 9.`);
}

function stateNamed(text: string | null): TicketState | null {
  if (text === null) return null;
  const state = TicketState.safeParse(text.toLowerCase().replaceAll('-', '_'));
  if (state.success) return state.data;
  throw new UsageError(`"${text}" is no state of a ticket: use one of ${TicketState.options.join(', ')}.`);
}

function labelsIn(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map(label => label.trim())
    .filter(label => label !== '');
}

function row(ticket: Ticket): readonly string[] {
  const labels = ticket.labels.map(label => `#${label}`).join(' ');
  return [ticket.id, ticket.state, ticket.owner ?? '', `${ticket.title} ${labels}`.trim()];
}

function shown(call: Invocation, ticket: Ticket, whole = false): ExitCode {
  const { io } = call;
  if (call.flag('json')) {
    printJson(io, ticket);
    return EXIT.done;
  }
  printTable(io, [row(ticket)]);
  if (!whole) return EXIT.done;
  if (ticket.bot !== null) print(io, `Bot: ${sanitiseLine(ticket.bot)}`);
  if (ticket.botArgs !== undefined) print(io, `Vars for it: ${sanitiseLine(JSON.stringify(ticket.botArgs))}`);
  if (ticket.priority !== undefined) print(io, `Priority: ${ticket.priority}`);
  if (ticket.blockers !== undefined) print(io, `Waits for: ${ticket.blockers.join(', ')}`);
  if (ticket.dispatch !== undefined && ticket.dispatch.conversation !== null)
    print(io, `Worked on in: ${ticket.dispatch.conversation}`);
  if (ticket.body !== '') print(io, `\n${ticket.body}`);
  for (const comment of ticket.comments)
    print(io, `\n${sanitiseLine(comment.author)}, ${localMinute(comment.at)}:\n${comment.body}`);
  print(io, '');
  for (const change of ticket.history) {
    const moved =
      change.from === undefined && change.to === undefined
        ? ''
        : `: ${change.from ?? 'none'} → ${change.to ?? 'none'}`;
    print(io, `${localMinute(change.at)}  ${sanitiseLine(change.by)} ${change.what}${sanitiseLine(moved)}`);
  }
  return EXIT.done;
}
