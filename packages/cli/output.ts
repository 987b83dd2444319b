import type { Io } from './command.ts';

/*
 * Printing. Words of a model, a ticket or a repository are shown without control characters, so that none of them can
 * move the cursor, recolour the terminal or turn text around; JSON carries them escaped. Nothing printed here is
 * coloured, so NO_COLOR has nothing to take away.
 */

/** Everything that a terminal could take as a command, except the newline and the tab; and what turns text around. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;
/** The same in JSON, whose own form leaves these as they are. */
const UNESCAPED = /[\u007f-\u009f\p{Bidi_Control}]/gu;

const [ESC, CSI, OSC, ST, BEL] = ['\u001b', '\u009b', '\u009d', '\u009c', '\u0007'];
/** Whole escape sequences go, so that their letters do not stay behind as rubbish. */
const SEQUENCE = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `(?:${ESC}\\]|${OSC})[^${BEL}${ESC}${ST}]*(?:${BEL}|${ESC}\\\\|${ST})?`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** Text that is safe on a terminal; newlines and tabs stay. */
export function sanitise(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(SEQUENCE, '').replace(CONTROL, '');
}

/** Safe and on one line. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim();
}

/** Prints a line to stdout. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${sanitise(text)}\n`);
}

/** Prints a value as JSON, two spaces deep. */
export function printJson(io: Io, value: unknown): void {
  const text = JSON.stringify(value, null, 2).replace(
    UNESCAPED,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  io.stdout.write(`${text}\n`);
}

/** Prints rows in columns; the last column is not padded. */
export function printTable(io: Io, rows: readonly (readonly string[])[]): void {
  const safe = rows.map(row => row.map(sanitiseLine));
  const columns = Math.max(0, ...safe.map(row => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...safe.map(row => row[column]?.length ?? 0)),
  );
  for (const row of safe) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    print(io, cells.join('  ').trimEnd());
  }
}
