import { describe, endsLine, type Token } from '../lex/token.ts';
import { didYouMean } from '../nearest.ts';
import { inlinePrompt } from './inline-prompt.ts';
import type { Parser, Spanned } from './parser.ts';
import { type Kind, type Properties, readProperties, type Strictness, type Table } from './properties.ts';

/** The value kinds that tables are made of. */

/**
 * Any form of string. What is none is reported, and read as the text that stands there, so that nothing says the property
 * is missing as well.
 */
export const str: Kind<string> = {
  read: (parser, key) => {
    const { text } = parser.token;
    return orSkip(parser, parser.string(`a string for \`${key}\``)?.value) ?? text;
  },
};

/** One identifier or keyword. */
export const id: Kind<string> = {
  read: (parser, key) => orSkip(parser, parser.name(`a name for \`${key}\``)?.value),
};

/** The name of a prompt, or in profile 2 its text as a string, which becomes a prompt of its own. */
export const promptName: Kind<string> = {
  read: (parser, key) =>
    parser.profile === 2 && parser.token.kind === 'string'
      ? inlinePrompt(parser, parser.take())
      : id.read(parser, key),
};

/** A whole number of 64 bits. */
export const int: Kind<number> = { read: (parser, key) => orSkip(parser, readInt(parser, key)) };

/** A number, whole or not. */
export const num: Kind<number> = {
  read: (parser, key) => {
    const { token } = parser;
    if (token.kind !== 'float') return orSkip(parser, readInt(parser, key, Number.MAX_VALUE));
    parser.take();
    return floatOf(parser, token, 'E002');
  },
};

/** One of some words. `quoted` lets a string with such a word pass too. */
export function words<W extends string>(all: readonly W[], quoted = false): Kind<W> {
  return {
    read: (parser, key) => {
      const { token } = parser;
      const text = token.kind === 'word' || (quoted && token.kind === 'string') ? token.value : '';
      const found = all.find(word => word === text);
      if (found !== undefined) {
        parser.take();
        return found;
      }
      const list = all.map(word => `\`${word}\``).join(', ');
      parser.error('E020', token.at, `\`${key}\` is one of ${list}; found ${describe(token)}`, () =>
        didYouMean(token.value, all),
      );
      return orSkip(parser, undefined);
    },
  };
}

/** `true` or `false`, as words. */
export const bool: Kind<boolean> = {
  read: (parser, key) => {
    const word = words(['true', 'false']).read(parser, key);
    return word === undefined ? undefined : word === 'true';
  },
};

/** `["a", "b"]`, on one line; may be empty. In profile 2 every list may also be lines that begin with a dash. */
export const strs: Kind<readonly Spanned<string>[]> = {
  read: (parser, key) => readList(parser, true, () => parser.string(`a string in \`${key}\``)),
};

/** `[a, b]`; in profile 1 an empty list is written by leaving the property out. */
export const ids: Kind<readonly Spanned<string>[]> = {
  read: (parser, key) => readList(parser, false, () => readEntry(parser, key, readName)),
};

/** `[name, a.b.c, mcp.server.*]`. */
export const refs: Kind<readonly Spanned<string>[]> = {
  read: (parser, key) => readList(parser, false, () => readEntry(parser, key, readRef)),
};

/** A list of strings or words; the commas may be left out. */
export const items: Kind<readonly Spanned<string>[]> = {
  read: (parser, key) => readList(parser, true, () => readItem(parser, key), 'loose'),
};

/** A string or a word. */
export const item: Kind<string> = { read: (parser, key) => orSkip(parser, readItem(parser, key)?.value) };

/** `name: value` pairs, in a block or in braces on one line; there the commas may be left out. */
export const map: Kind<readonly Entry[]> = {
  read: (parser, key) => {
    const entries: Entry[] = [];
    const readPair = (): boolean => {
      const name = readName(parser, key);
      const value = name && parser.expect(':') ? readItem(parser, key) : undefined;
      if (name && value) entries.push({ name, value });
      else parser.skipEntry();
      return value !== undefined;
    };
    if (!parser.accept('{')) return parser.block(`the entries of \`${key}\``, readPair) ? entries : undefined;
    while (!parser.accept('}')) {
      if (!readPair()) return undefined;
      parser.accept(',');
    }
    return entries;
  },
};

/** One `name: "text"` line, both with their places. */
export interface Entry {
  readonly name: Spanned<string>;
  readonly value: Spanned<string>;
}

/** `name: "string"` lines, in order. */
export const strings: Kind<readonly Entry[]> = {
  read: (parser, key) => readStrings(parser, key, () => readName(parser, key)),
};

/** `"lo..hi": "string"` lines, in order. */
export const bands: Kind<readonly Entry[]> = {
  read: (parser, key) =>
    readStrings(parser, key, () => parser.string('a range in quotes, such as `"0..0.5"`')),
};

function readStrings(
  parser: Parser,
  key: string,
  readKey: () => Spanned<string> | undefined,
): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  const ok = parser.block(`the entries of \`${key}\``, () => {
    const name = readKey();
    const value = name && parser.expect(':') ? parser.string(`a string for \`${name.value}\``) : undefined;
    if (name && value) entries.push({ name, value });
    else parser.skipEntry();
  });
  return ok ? entries : undefined;
}

/** A nested block of properties. */
export function block<T extends Table>(table: T, strictness?: Strictness): Kind<Properties<T>> {
  return { read: (parser, key) => readProperties(parser, table, `\`${key}\``, strictness) };
}

/** Recovers from a wrong value: the rest of its line says nothing reliable. */
export function orSkip<T>(parser: Parser, value: T | undefined): T | undefined {
  if (value === undefined) parser.skipEntry();
  return value;
}

/** Reads a whole number of at most 64 bits, or of at most `most`. */
export function readInt(parser: Parser, key: string, most = MAX_INT): number | undefined {
  const { token } = parser;
  if (token.kind !== 'int') {
    parser.expected(`a number for \`${key}\``);
    return undefined;
  }
  parser.take();
  return intOf(parser, token, 'E002', most);
}

/** The largest whole number that can be written. Numbers beyond 2^53 are rounded. */
const MAX_INT = 2 ** 63;

/**
 * The value of an INT token. One that is too large is reported and read as the largest: E002 where a property wants a
 * number, E020 where a literal stands.
 */
export function intOf(parser: Parser, token: Token, code: 'E002' | 'E020', most = MAX_INT): number {
  const value = /^[0-9]+$/.test(token.text) ? Number(token.text) : Infinity;
  const fits = most === MAX_INT ? isInt64(token.text, value) : value <= most;
  if (fits) return value;
  parser.error(code, token.at, `the number ${token.text.slice(0, 40)} is too large`);
  return Number.MAX_SAFE_INTEGER;
}

/** The value of a FLOAT token. */
export function floatOf(parser: Parser, token: Token, code: 'E002' | 'E020'): number {
  const value = Number(token.text);
  if (Number.isFinite(value)) return value;
  parser.error(code, token.at, `the number ${token.text.slice(0, 40)} is too large`);
  return Number.MAX_VALUE;
}

function isInt64(text: string, value: number): boolean {
  return value < MAX_INT || (value === MAX_INT && BigInt(text) < 2n ** 63n);
}

function readItem(parser: Parser, key: string): Spanned<string> | undefined {
  if (parser.token.kind === 'string') return parser.string('a string');
  return parser.name(`a string or a word in \`${key}\``);
}

/**
 * Reads one entry of a list of names. A string is the name it spells, and a number or a star stands for itself: profile
 * 1 has always taken any single token there.
 */
function readEntry(
  parser: Parser,
  key: string,
  readWord: (parser: Parser, key: string) => Spanned<string> | undefined,
): Spanned<string> | undefined {
  const { token } = parser;
  if (['string', 'int', 'float'].includes(token.kind) || parser.is('*')) {
    parser.take();
    return { value: token.value, at: token.at };
  }
  return readWord(parser, key);
}

function readName(parser: Parser, key: string): Spanned<string> | undefined {
  return parser.name(`a name in \`${key}\``);
}

function readRef(parser: Parser, key: string): Spanned<string> | undefined {
  const first = readName(parser, key);
  if (first === undefined) return undefined;
  let value = first.value;
  while (parser.accept('.')) {
    if (parser.accept('*')) return { value: `${value}.*`, at: first.at };
    const next = parser.name('a name after the dot');
    if (next === undefined) return undefined;
    value += `.${next.value}`;
  }
  return { value, at: first.at };
}

function readList<T>(
  parser: Parser,
  mayBeEmpty: boolean,
  readOne: () => T | undefined,
  commas: 'strict' | 'loose' = 'strict',
): readonly T[] | undefined {
  if (parser.profile === 2 && endsLine(parser.token)) return readDashes(parser, readOne);
  const list: T[] = [];
  if (!parser.expect('[')) return orSkip(parser, undefined);
  if ((mayBeEmpty || parser.profile === 2) && parser.accept(']')) return list;
  do {
    const one = readOne();
    if (one === undefined) return orSkip(parser, undefined);
    list.push(one);
  } while (
    parser.accept(',') ? commas === 'strict' || !parser.is(']') : commas === 'loose' && !parser.is(']')
  );
  return parser.expect(']') ? list : orSkip(parser, undefined);
}

/** Reads a list of indented lines that begin with a dash. A line that is wrong is left out. */
function readDashes<T>(parser: Parser, readOne: () => T | undefined): readonly T[] | undefined {
  const list: T[] = [];
  const ok = parser.block('a list, as `[a, b]` or as lines that begin with `-`', () => {
    const one = parser.expect('-') ? readOne() : undefined;
    if (one === undefined) parser.skipEntry();
    else list.push(one);
  });
  return ok ? list : undefined;
}
