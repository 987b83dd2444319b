/*
 * The paths that a text reads: `{{vars.name}}` in prompts and strings, and the names of an expression. Read from the
 * text as it is written, so that every part has its place in the source, whether or not the whole is well-formed.
 */

/** A part of a path and its place, as offsets in UTF-16 units. */
export interface Part {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A path by its parts; offsets count from the beginning of the text. */
export type Path = readonly Part[];

const REFERENCE = /\{\{([^{}]*)\}\}/g;
const WORDS = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*/gu;
const LITERALS = /'[^'\\]*(?:\\.[^'\\]*)*'|\\"[^"\\]*(?:\\[^"][^"\\]*)*\\"/g;

/** Words of expressions that are no names. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false', 'null']);

/** The references of a text. */
export function pathsInText(text: string): readonly Path[] {
  return Array.from(text.matchAll(REFERENCE), match => {
    const inside = match[1] ?? '';
    const lead = /^\s*!?\s*/.exec(inside)?.[0].length ?? 0;
    return partsOf(inside.slice(lead).trimEnd(), match.index + 2 + lead);
  });
}

/** The names that an expression reads; those of functions are left out. */
export function pathsInExpression(text: string): readonly Path[] {
  const code = text.replace(LITERALS, literal => ' '.repeat(literal.length));
  return Array.from(code.matchAll(WORDS))
    .filter(
      ({ 0: word, index }) =>
        !RESERVED.has(word) && !/^\s*\(/.test(code.slice(index + word.length, index + word.length + 20)),
    )
    .map(({ 0: word, index }) => partsOf(word, index));
}

function partsOf(path: string, start: number): Path {
  let at = start;
  return path.split('.').map(text => {
    const part = { text, start: at, end: at + text.length };
    at = part.end + 1;
    return part;
  });
}
