import {
  type Command,
  commandAt,
  type CommandName,
  commandWords,
  noOrder,
  questionWords,
} from './grammar.ts';
import { mender, type Reading, reading } from './reading.ts';

/*
 * Cuts a text into the commands it gives. A clause reaches to where the next command begins, and what follows a colon
 * belongs to its command whole: it is a title, a comment or a reason, never an order.
 */

/** One command of a text. Patterns match `plain`; `rest` is the text after the verb, as it was written. */
export interface Clause {
  readonly command: CommandName;
  /** The clause, folded, from its beginning. */
  readonly plain: string;
  /** The same, from its verb on. */
  readonly ordered: string;
  /** The same, after the verb; begins with the pronoun that French puts before it ("le fermer"). */
  readonly plainRest: string;
  /** What was written after the verb. */
  readonly rest: string;
  /** What was written from its verb on. */
  readonly written: string;
  /** Everything written before this clause. */
  readonly before: string;
  /** The folded words that stand before it in its sentence: who said it, or on which condition. */
  readonly lead: string;
}

const mend = mender(commandWords, questionWords);

/** Reads a person's text with small typing faults mended. */
export function heard(text: string): Reading {
  return reading(text, mend);
}

/** The commands of a text, in order; empty when it gives none. */
export function clauses(read: Reading): Clause[] {
  const starts = beginnings(read.plain);
  return starts.map(({ offset, command }, index) => {
    const end = starts[index + 1]?.offset ?? read.plain.length;
    const from = read.at[Math.min(command.after, read.at.length - 1)] ?? read.text.length;
    const to = end >= read.plain.length ? read.text.length : (read.at[end] ?? read.text.length);
    return {
      command: command.name,
      plain: read.plain.slice(offset, end).trim(),
      ordered: read.plain.slice(command.verb, end).trim(),
      plainRest:
        `${object(read.plain.slice(offset, command.verb))}${read.plain.slice(command.after, end)}`.trim(),
      written: trimmed(read.text.slice(read.at[command.verb] ?? from, Math.max(from, to))),
      rest: trimmed(read.text.slice(from, Math.max(from, to))),
      before: read.text.slice(0, read.at[offset] ?? 0),
      lead: `${sentence(read.plain.slice(0, offset))}${read.plain.slice(offset, command.verb)}`,
    };
  });
}

/** What of some words belongs to the sentence that goes on after them; "Paul wrote:" goes on in the next line. */
function sentence(before: string): string {
  return (
    before
      .replaceAll(/: \n/g, ':')
      .split(/[.;!?\n] /)
      .at(-1) ?? ''
  );
}

function object(lead: string): string {
  return /(?:^| )(les?|la|l) (?:(?:me|moi|y|en) )*$/.exec(lead)?.[1] ?? '';
}

interface Beginning {
  readonly offset: number;
  readonly command: Command;
}

function beginnings(plain: string): Beginning[] {
  const found: Beginning[] = [];
  let listening = !noOrder.test(plain);
  let free = true;
  const first = listening ? commandAt(plain, 0) : null;
  if (first !== null) found.push({ offset: 0, command: first });
  // A command's own words end where it was recognised: "please, close" is one clause.
  for (const match of plain.matchAll(/(?<= )(?:[,.;!?:\n]|and|then|et|puis|ensuite|also) /g)) {
    const offset = match.index + match[0].length;
    const last = found.at(-1);
    const mark = match[0].trim();
    if (mark === ':') free = last === undefined;
    if (mark === '\n' && last?.command.name !== 'create') free = true;
    if (!free || (last !== undefined && offset <= last.command.verb)) continue;
    if (/[.;!?\n]/.test(mark)) listening = !noOrder.test(plain.slice(offset));
    const command = listening ? commandAt(plain, offset) : null;
    if (command !== null) found.push({ offset, command });
  }
  return found;
}

function trimmed(text: string): string {
  return text
    .replace(/^[^\S\n]*(?:[-–—][^\S\n]*)?/, '')
    .replace(/[\s,;]+(?:and|then|et|puis|ensuite|also)?[\s,;]*$/i, '');
}
