import { findingWords, fromWords, shortDigest } from '@hearth/client/card-words.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { ReportCard, ReportQuestion, TurnReport } from '@hearth/protocol/turn-report.ts';
import { z } from 'zod';
import type { Io } from './command.ts';
import { exitOf } from './errors.ts';
import { print } from './output.ts';

/*
 * A turn's report for people, and the exit code that scripts act on: 0 settled, 3 a question or input waits, 2 only a
 * card waits to be confirmed, 1 or 4 failed.
 */

/** The exit code of a report. */
export function exitOfReport(report: TurnReport): ExitCode {
  if (report.state === 'settled') return EXIT.done;
  if (report.state === 'failed') return exitOf(report.error?.code ?? 'failed');
  return report.questions.length === 0 && report.cards.length > 0 ? EXIT.gate : EXIT.waiting;
}

/** Prints the reply, then the quick replies, then what is open and how to answer it. */
export function printReport(io: Io, report: TurnReport, named: boolean): void {
  const { reply, quickReplies, questions, cards } = report;
  const prefix = named ? `${report.conversation}/` : '';
  const parts = [
    ...(reply === '' ? [] : [[reply]]),
    ...(quickReplies.length === 0
      ? []
      : [['', 'Quick replies:', ...quickReplies.map(text => `  ${sanitiseLine(text)}`)]]),
    ...questions.map(question => questionLines(question, prefix)),
    ...cards.map(card => cardLines(card, prefix)),
  ];
  // An empty line parts what is said, and nothing is before the first.
  parts.forEach((lines, index) => print(io, lines.slice(index === 0 && lines[0] === '' ? 1 : 0).join('\n')));
  if (report.error !== undefined) {
    const { code, message } = report.error;
    const what = code === 'cancelled' ? '' : `The turn failed (${sanitiseLine(code)}): `;
    io.stderr.write(`hearth: ${what}${sanitiseLine(message)}\n`);
  }
}

/** What is asked, its choices, and the command that answers it. */
export function questionLines(question: ReportQuestion, prefix: string): readonly string[] {
  const id = `${prefix}${question.id}`;
  const width = Math.max(0, ...question.options.map(option => option.id.length));
  const options = question.options.map(
    option => `  ${option.id.padEnd(width)}  ${sanitiseLine(option.label)}`,
  );
  const first = question.options[0]?.id;
  const ways = [
    ...(question.kind === 'permission' ? [`hearth answer ${id} --grant once`] : []),
    ...(question.rule === undefined
      ? []
      : [`hearth answer ${id} --grant always --rule ${quoted(question.rule)}`]),
    ...(question.kind !== 'permission' && first !== undefined
      ? [`hearth answer ${id} --choice ${first}`]
      : []),
    ...(question.allowFreeText ? [`hearth answer ${id} --text "…"`] : []),
    ...(question.kind === 'input' ? [`hearth answer ${id} --fields '${exampleOf(question.fields)}'`] : []),
    ...(question.kind === 'recovery' && question.fields !== undefined
      ? [`hearth answer ${id} --choice it_happened --fields '${exampleOf(question.fields)}'`]
      : []),
  ];
  return [
    '',
    `${question.kind === 'recovery' ? 'Needs you' : 'Question'} ${id}: ${question.text}`,
    ...(question.call === undefined
      ? []
      : [`  ${sanitiseLine(`${question.call.tool} ${JSON.stringify(question.call.args)}`)}`]),
    ...(question.retryAt === undefined ? [] : [`  Another attempt makes sense from ${question.retryAt} on.`]),
    ...options,
    ...ways.map(way => `  ${way}`),
    ...(question.actions ?? []).map(
      action =>
        `  hearth decide ${id} --action ${action.name}${action.needs === 'feedback' ? ' --feedback "…"' : ''}  (${sanitiseLine(action.label)})`,
    ),
  ];
}

/** What is under review, its text behind a rule, what was found in it, and the commands that decide. */
export function cardLines(card: ReportCard, prefix: string): readonly string[] {
  const { artifact, version, digest, title, body, findings, from, earlier } = card;
  const id = `${prefix}${card.id}`;
  const named = `hearth decide ${id} --version ${version}:${shortDigest(digest)}`;
  const width = Math.max(0, ...card.actions.map(action => action.name.length));
  const made = fromWords({ from });
  return [
    '',
    `For review: ${sanitiseLine(title)}, version ${version} (${id}, ${sanitiseLine(artifact)}@${version}, ${shortDigest(digest)})`,
    ...(made === '' ? [] : [`  ${sanitiseLine(made)}`]),
    ...(body === null
      ? [
          `  hearth show ${prefix.replace(/\/$/, ' ')}--artifact ${sanitiseLine(artifact)}@${version}  (its text)`,
        ]
      : body
          .trimEnd()
          .split('\n')
          .map(line => `  | ${line}`)),
    ...(findings.length === 0 ? [] : ['  Found in it:']),
    ...findings.map(one => `  - ${sanitiseLine(findingWords(one))}`),
    ...card.actions.map(
      action =>
        `  ${action.name.padEnd(width)}  ${sanitiseLine(action.label)}${action.needs === 'feedback' ? ' (with --feedback "…")' : ''}`,
    ),
    `  ${named} --action ${card.actions[0]?.name ?? 'NAME'}`,
    ...(earlier.length === 0
      ? []
      : [
          `  hearth show ${prefix.replace(/\/$/, ' ')}--artifact ${sanitiseLine(artifact)}@${version} --since ${earlier.at(-1)}`,
        ]),
  ];
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${sanitiseLine(text).replaceAll("'", String.raw`'\''`)}'`;
}

/** An object with every field that is asked for, each with the word for its type in its place. */
function exampleOf(fields: ReportQuestion['fields']): string {
  const properties = Fields.safeParse(fields).data?.properties ?? {};
  const members = Object.entries(properties).map(([name, { type, enum: words }]) => {
    const place = words === undefined ? (type ?? 'any JSON') : words.join('|');
    return `${JSON.stringify(name)}: <${place}>`;
  });
  return members.length === 0 ? '{…}' : `{${members.join(', ')}}`;
}

const Fields = z.object({
  properties: z.record(
    z.string(),
    z.object({ type: z.string().optional(), enum: z.array(z.string()).optional() }),
  ),
});
