/*
 * Shows a structured answer while it is being written: finds one text field in JSON that is not complete yet. What was
 * read is not read again, so a long answer costs no more for each piece than a short one.
 */

/** The field whose text a person watches: `reply`, else the only text field there is; `null` when there is none. */
export function watchedField(schema: Readonly<Record<string, unknown>> | null): string | null {
  const properties = schema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return null;
  const texts = Object.entries(properties).filter(([, inner]) => inner?.type === 'string' && !inner.enum);
  const [only] = texts;
  if (texts.some(([name]) => name === 'reply')) return 'reply';
  return texts.length === 1 && only !== undefined ? only[0] : null;
}

/** Spaces that may stand at each place where JSON allows some, before the field is missed. */
const SPACES = 16;
/** A run of plain characters, or an escape. */
const PIECE = /[^"\\]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The text of one field, as far as the pieces of an object that came so far go. */
export class PartialText {
  readonly #label: RegExp;
  /** How much of what was read may be the beginning of the label. */
  readonly #kept: number;
  #unread = '';
  #text: string | null = null;
  #complete = false;

  constructor(field: string) {
    const name = JSON.stringify(field);
    const spaces = `\\s{0,${SPACES}}`;
    this.#label = new RegExp(
      `[{,]${spaces}${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}${spaces}:${spaces}"`,
    );
    this.#kept = name.length + 3 * SPACES + 3;
  }

  /** Reads the next piece; the text so far, `null` when it has not begun. */
  add(piece: string): string | null {
    if (this.#complete) return this.#text;
    this.#unread += piece;
    if (this.#text === null) {
      const found = this.#label.exec(this.#unread);
      if (found === null) {
        this.#unread = this.#unread.slice(-this.#kept);
        return null;
      }
      this.#unread = this.#unread.slice(found.index + found[0].length);
      this.#text = '';
    }
    let at = 0;
    for (PIECE.lastIndex = 0; ; at = PIECE.lastIndex) {
      const [part] = PIECE.exec(this.#unread) ?? [];
      if (part === undefined) break;
      this.#text += part.startsWith('\\') ? String(JSON.parse(`"${part}"`)) : part;
    }
    this.#unread = this.#unread.slice(at);
    this.#complete = this.#unread.startsWith('"');
    return this.#text;
  }
}
