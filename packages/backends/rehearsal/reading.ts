import { fold } from './words.ts';

/*
 * A person's text, made ready for the table of intents: folded words with one space between them, punctuation as words
 * of its own, quoted spans as one `"`, small typing faults mended. Every word keeps its place in the text, because titles
 * and comments are taken from there as they were written.
 */

/** A text read into words. `plain` is what patterns are matched against. */
export interface Reading {
  /** What was read of the text, NFC. */
  readonly text: string;
  readonly plain: string;
  /** For each offset in `plain`, the offset in `text`. */
  readonly at: readonly number[];
  /** Whether the text went on after what was read of it. */
  readonly cut: boolean;
}

/**
 * How many characters of a text are read. A message may be a thousand times as long, and the patterns look ahead from
 * every comma, on the thread that serves everybody. What goes on after them is told by `cut`, and no order of it is carried out.
 */
export const READ = 4000;

/** The part of a text that is read: its first `READ` characters, without half a surrogate pair. */
export function readable(text: string): string {
  return text.length <= READ ? text : text.slice(0, READ).replace(/[\uD800-\uDBFF]$/, '');
}

const quoted = /«[^»\n]*»|“[^”\n]*”|"[^"\n]*"|(?<=^|[\s(:])['‘][^'’\n]*['’](?=$|[\s).,;:!?])/g;

/** Reads the beginning of a text. `mend` is given each word and may answer with the word that was meant. */
export function reading(source: string, mend: (word: string) => string = word => word): Reading {
  const part = readable(source);
  const text = part.normalize('NFC');
  const blanked = fold(text.replaceAll(quoted, span => `"${' '.repeat(span.length - 1)}`));
  let plain = '';
  const at: number[] = [];
  for (const match of blanked.matchAll(/[a-z0-9]+|[#",;.:!?\n]/g)) {
    const word = mend(match[0]);
    if (plain !== '') {
      plain += ' ';
      at.push(match.index);
    }
    plain += word;
    for (let offset = 0; offset < word.length; offset += 1) at.push(match.index);
  }
  at.push(text.length);
  return { text, plain, at, cut: part.length < source.length };
}

/** The quoted spans of a text, without their quotes. */
export function quotations(text: string): string[] {
  return [...text.matchAll(quoted)].map(match => match[0].slice(1, -1).trim()).filter(span => span !== '');
}

/**
 * Mends a word into the only known one from which it differs by two swapped letters, a missing or a doubled letter. A
 * wrong letter is mended for `askable` words only: `clone` must never become `close`.
 */
export function mender(
  commands: ReadonlySet<string>,
  askable: ReadonlySet<string>,
): (word: string) => string {
  const known = [...commands, ...askable];
  return word => {
    if (word.length < 4 || commands.has(word) || askable.has(word) || known.includes(word.replace(/s$/, '')))
      return word;
    const meant = known.filter(
      one =>
        (one.length > 4 || (one.length === word.length && one.length === 4)) &&
        (slipped(word, one) || (askable.has(one) && word.length > 4 && replaced(word, one))),
    );
    return meant.length === 1 && meant[0] !== undefined ? meant[0] : word;
  };
}

function slipped(word: string, meant: string): boolean {
  if (word.length === meant.length - 1) return without(meant, word) !== null;
  if (word.length === meant.length + 1) {
    const extra = without(word, meant);
    return extra !== null && (word[extra] === word[extra - 1] || word[extra] === word[extra + 1]);
  }
  if (word.length !== meant.length) return false;
  const first = word.split('').findIndex((letter, at) => letter !== meant[at]);
  return (
    first >= 0 &&
    word[first] === meant[first + 1] &&
    word[first + 1] === meant[first] &&
    word.slice(first + 2) === meant.slice(first + 2)
  );
}

/** Where `longer` has one letter more than `shorter`, or `null`. */
function without(longer: string, shorter: string): number | null {
  for (let at = 0; at < longer.length; at += 1) {
    if (longer.slice(0, at) + longer.slice(at + 1) === shorter) return at;
  }
  return null;
}

function replaced(word: string, meant: string): boolean {
  return (
    word.length === meant.length && word.split('').filter((letter, at) => letter !== meant[at]).length === 1
  );
}
