import { JsonObject } from '@hearth/protocol/json.ts';

/*
 * What a program says, one JSON object on each line. Pure. A line that is something else is told apart and never guessed
 * at; one that does not end is given up before it fills the memory.
 */

/** The longest line that is read, in characters. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** A line that is longer than what is read: whoever writes it speaks another protocol. */
export class LineTooLong extends Error {
  constructor(limit: number) {
    super(`The program wrote a line of more than ${limit} characters.`);
    this.name = 'LineTooLong';
  }
}

/** One line: an object, or words that are none. */
export type ReadLine =
  | { readonly is: 'object'; readonly value: JsonObject }
  | { readonly is: 'words'; readonly text: string };

/** Cuts text that comes in pieces into lines. The state is the beginning of the line that is not complete yet. */
export class JsonLines {
  readonly #limit: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(limit: number = LONGEST_LINE) {
    this.#limit = limit;
  }

  /** The lines that a piece of text completes. Throws `LineTooLong`. */
  add(text: string): readonly ReadLine[] {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const lines: ReadLine[] = [];
    for (const part of parts) {
      this.#keep(part);
      const line = readLine(this.#pieces.join(''));
      this.#pieces = [];
      this.#length = 0;
      if (line !== null) lines.push(line);
    }
    this.#keep(last);
    return lines;
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) throw new LineTooLong(this.#limit);
    if (piece !== '') this.#pieces.push(piece);
  }
}

function readLine(line: string): ReadLine | null {
  const text = line.trim();
  if (text === '') return null;
  try {
    const read = JsonObject.safeParse(JSON.parse(text));
    if (read.success) return { is: 'object', value: read.data };
  } catch {
    // It is no JSON.
  }
  return { is: 'words', text };
}
