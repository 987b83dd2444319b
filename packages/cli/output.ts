import { sanitise, sanitiseLine } from '@hearth/client/sanitise.ts';
import type { Io } from './command.ts';

/*
 * Printing. Words of a model, a ticket or a repository are shown without control characters, so that none of them can
 * move the cursor, recolour the terminal or turn text around; JSON carries them escaped. Nothing printed here is
 * coloured, so NO_COLOR has nothing to take away.
 */

/** What JSON's own form leaves as it is, although a terminal could obey it or turn text round by it. */
const UNESCAPED = /[\u007f-\u009f\p{Bidi_Control}\ufeff]/gu;

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
