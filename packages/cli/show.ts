import { cardReport, questionOf } from '@hearth/client/report.ts';
import { fileWords } from '@hearth/client/file-words.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { stateWords } from '@hearth/client/tickets.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { type Invocation, type Io, UsageError } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { showArtifact } from './show-artifact.ts';
import { cardLines, questionLines } from './turn-output.ts';

/** `hearth show`: the latest turns, then how things stand and what waits for the person; or turns before those. */
export async function show(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const turns = turnsNamed(call.option('turns'));
  const before = placeNamed(call.option('before'));
  const client = await connect(io, 'cli');
  const named = call.words[0] ?? call.option('conversation');
  const conversation = await findConversation(client, named);
  const artifact = call.option('artifact');
  if (artifact !== null) return showArtifact(call, client, conversation, artifact);
  const view = await client.get(conversation);
  const history = await client.history(conversation, before, turns);
  if (call.flag('json')) {
    printJson(io, { view, history });
    return EXIT.done;
  }
  if (history.previous !== null) {
    const command = ['hearth show', ...(named === null ? [] : [view.id]), `--before ${history.previous}`];
    print(io, `Earlier: ${command.join(' ')}\n`);
  } else if (history.end === 'dropped') print(io, '— what was before is not kept any more —\n');
  for (const line of history.items) printLine(io, line);
  if (before === null) printState(io, view, named !== null);
  return EXIT.done;
}

/** The place before which turns are shown; `null` = the end. Throws `UsageError`. */
export function placeNamed(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(
    `"${text}" is no place in a conversation: --before takes a number that "hearth show" gave.`,
  );
}

/** How many turns were asked for. Throws `UsageError`. */
export function turnsNamed(text: string | null): number {
  if (text === null) return 10;
  const turns = Number(text);
  if (/^\d+$/.test(text) && turns >= 1 && turns <= 200) return turns;
  throw new UsageError(`"${text}" is no count of turns: --turns takes a number from 1 to 200.`);
}

function printLine(io: Io, line: TranscriptLine): void {
  const text = said(line);
  if (text !== '') print(io, `${text}\n`);
}

function said(line: TranscriptLine): string {
  switch (line.is) {
    case 'said':
    case 'replied': {
      const words = headOf(line.text);
      if (words === '') return '';
      const files = line.is === 'said' ? fileWords(line.attachments) : '';
      return `${sanitiseLine(line.by.name)}: ${words}${files === '' ? '' : `\n${files}`}`;
    }
    case 'asked':
      // Home base repeats the reply, which has been shown.
      return line.kind === 'chat' ? '' : `asked (${line.pause}): ${headOf(line.text)}`;
    case 'decided':
      return decidedWords(line);
    case 'mark':
      return `— ${line.text} —`;
  }
}

/** Who decided what where: at a card of which version, and in which words. */
export function decidedWords(line: Extract<TranscriptLine, { is: 'decided' }>): string {
  const { by, how, pause, shown, text } = line;
  const at = how === 'said' || how === 'acted' ? `${how} at ${pause}` : `${how} ${pause}`;
  const of = shown === undefined ? '' : ` on ${sanitiseLine(shown.artifact)}@${shown.version}`;
  const what = line.label ?? line.option;
  const words = text === undefined ? '' : headOf(text);
  const said = [...(what === undefined ? [] : [what]), ...(words === '' ? [] : [words])].join(': ');
  return `${sanitiseLine(by.name)} ${at}${of}${said === '' ? '' : `: ${said}`}`;
}

function printState(io: Io, view: ConversationView, named: boolean): void {
  const where = view.scope.kind === 'workspace' ? view.scope.path : 'works where you are';
  print(io, `${view.id}  ${sanitiseLine(view.title)}  (${sanitiseLine(view.bot)}, ${view.state}, ${where})`);
  for (const one of view.watched ?? [])
    print(io, `Watching ${sanitiseLine(`${one.ticket} (${stateWords(one.state)}): ${one.title}`)}`);
  for (const row of view.queue) print(io, `Queued ${row.message}: ${sanitiseLine(row.head)}`);
  for (const pause of view.pauses) {
    const question = questionOf(pause);
    if (pause.kind === 'card') print(io, cardLines(cardReport(pause), named ? `${view.id}/` : '').join('\n'));
    if (question !== null) {
      print(
        io,
        questionLines(
          { ...question, id: pause.id, text: headOf(pause.text) },
          named ? `${view.id}/` : '',
        ).join('\n'),
      );
    }
  }
}
