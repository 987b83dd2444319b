import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { ArtifactRef } from '@hearth/protocol/artifact.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { MESSAGE_LIMIT } from '@hearth/protocol/text.ts';
import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import { botNamed } from './bot.ts';
import { CommandError, type Invocation, type Io, UsageError } from './command.ts';
import { print, printJson } from './output.ts';
import { confirmable, STANDING } from './standing-confirmation.ts';
import { readStdin, tooLarge } from './stdin.ts';
import { connect } from './supervisor.ts';
import { exitOfReport, printReport } from './turn-output.ts';
import { waitForTurn } from './turn-wait.ts';
import { typedIn, workspaceOf } from './workspace.ts';

/** Confirmations in one call; a bot that goes on in circles is left to a person then. */
const CONFIRMATIONS = 50;

/** What was confirmed by the standing confirmation, in order. */
type Confirmed = ArtifactRef & { readonly action: string };

/**
 * `hearth run`: one request in a conversation of its own, without a console. It ends when the result is there, or at what
 * only a person may decide: a gate that nobody confirmed is never a success.
 */
export async function run(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const file = call.option('request');
  if (file === null)
    throw new UsageError('Name the file with the request: --request FILE, or --request - for stdin.');
  const text = await requestIn(io, file);
  const workspace = await workspaceOf(io, call.option('workspace'));
  const title = call.option('title');
  const client = await connect(io, 'cli');
  const bot = botNamed(call.words[0] ?? '', typedIn(io));
  const scope = { kind: 'workspace', path: workspace } as const;
  const { view } = await client.create({ bot, scope, ...(title === null ? {} : { title }) });
  const conversation = view.id;
  const { receipt } = await client.send(conversation, { text, delivery: 'queue', workspace });
  io.interruption.message = `Interrupted; the request goes on: see it with "hearth show ${conversation}".`;
  const { turn = null, message = null } = receipt?.did ?? {};
  let report = await waitForTurn(io, client, { conversation, turn, message });
  const confirmed: Confirmed[] = [];
  while (call.flag('standing-confirmation') && confirmed.length < CONFIRMATIONS) {
    const next = await confirmNext(io, client, conversation, report);
    if (next === null) break;
    confirmed.push(next.confirmed);
    report = next.report;
  }
  if (call.flag('json')) printJson(io, { ...report, confirmed });
  else printRun(io, report, confirmed);
  return exitOfReport(report);
}

/** Confirms the one card that waits, when nothing was found in it; `null` when a person must look. */
async function confirmNext(
  io: Io,
  client: HearthClient,
  conversation: ConversationId,
  report: TurnReport,
): Promise<{ readonly confirmed: Confirmed; readonly report: TurnReport } | null> {
  const view = report.state === 'waiting' ? await client.get(conversation) : null;
  const found = view === null ? null : confirmable(view);
  if (found === null) return null;
  const { card, action } = found;
  const signed = await connect(io, STANDING);
  const { receipt } = await signed.decide(conversation, card.id, { do: 'act', action }, card.shown);
  const turn = receipt?.did.turn ?? card.turn;
  return {
    confirmed: { ...card.shown, action },
    report: await waitForTurn(io, client, { conversation, turn, message: null }),
  };
}

async function requestIn(io: Io, file: string): Promise<string> {
  const text =
    file === '-' ? await readStdin(io.stdin, MESSAGE_LIMIT, 'The request') : await textOf(io, file);
  if (Buffer.byteLength(text) > MESSAGE_LIMIT) throw tooLarge('The request', MESSAGE_LIMIT);
  if (text.trim() !== '') return text.replace(/\r?\n$/, '');
  throw new CommandError(EXIT.failed, 'empty_message', 'The request is empty: write what is to be done.');
}

async function textOf(io: Io, file: string): Promise<string> {
  const path = resolve(typedIn(io), file);
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) {
    const message = `The request ${path} cannot be read: name a file that is there, or - for stdin.`;
    throw new CommandError(EXIT.failed, 'unreadable_request', message);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(
      EXIT.failed,
      'not_utf8',
      `The request ${path} is not UTF-8 text: save it as UTF-8.`,
    );
  }
}

function printRun(io: Io, report: TurnReport, confirmed: readonly Confirmed[]): void {
  for (const { artifact, version, action } of confirmed)
    print(io, `Confirmed as you said beforehand: ${artifact}@${version} (${action})`);
  printReport(io, report, true);
  if (report.state === 'waiting' && report.cards.length > 0)
    print(
      io,
      `\nNothing was done: what is shown above is not confirmed. All of it is in ${report.conversation}.`,
    );
}
