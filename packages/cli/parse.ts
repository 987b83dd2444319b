import { parseArgs } from 'node:util';
import { didYouMean } from '@hearth/language/nearest.ts';
import { type CommandRow, type Invocation, type Io, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

/*
 * From words to a call. Values stay text exactly as typed (`--text 007` is "007"), and whatever does not fit the table
 * is a usage error that shows the right form.
 */

/** What the words ask for. */
export type Parsed =
  | { readonly is: 'call'; readonly row: CommandRow; readonly call: Invocation }
  | { readonly is: 'help'; readonly topic: string | null }
  | { readonly is: 'version' };

/** Parses the words after `hearth`. Throws `UsageError`. */
export function parse(words: readonly string[], io: Io): Parsed {
  const named = words.find(word => !word.startsWith('-')) ?? null;
  if (words[0] === '--version' || words[0] === '-v') return { is: 'version' };
  if (words[0] === 'help') return { is: 'help', topic: words.slice(1).join(' ') || null };
  if (beforeDashes(words).some(word => word === '--help' || word === '-h')) {
    return { is: 'help', topic: words[0] === named && named !== null ? topic(words) : null };
  }
  const { row, rest } = rowFor(words);
  return { is: 'call', row, call: invocation(row, rest, io) };
}

/** How a command is called, in one line. */
export function usage(row: CommandRow): string {
  const options = Object.entries(row.options).map(
    ([name, { value, several }]) =>
      `[--${name}${value === undefined ? '' : ` ${value}`}]${several === undefined ? '' : '…'}`,
  );
  return ['hearth', row.name, row.takes, ...options].filter(part => part !== '').join(' ');
}

function rowFor(words: readonly string[]): { readonly row: CommandRow; readonly rest: readonly string[] } {
  const first = words[0];
  if (first === undefined || first.startsWith('-')) return { row: rowNamed('start'), rest: words };
  const two = COMMANDS.find(row => row.name === `${first} ${words[1] ?? ''}`);
  if (two !== undefined) return { row: two, rest: words.slice(2) };
  const one = COMMANDS.find(row => row.name === first);
  if (one !== undefined) return { row: one, rest: words.slice(1) };
  if (first.startsWith('c_') || /^[0-9a-hjkmnp-tv-z]{26}$/.test(first))
    return { row: rowNamed('open'), rest: words };
  const group = COMMANDS.filter(row => row.name.startsWith(`${first} `)).map(row =>
    row.name.slice(first.length + 1),
  );
  if (group.length > 0) {
    const given =
      words[1] === undefined
        ? `"hearth ${first}" needs a command`
        : `"hearth ${first}" has no command "${words[1]}"`;
    throw new UsageError(`${given}: use one of ${group.join(', ')}.`);
  }
  throw unknownCommand(first);
}

/** What to say of a command that there is not. */
export function unknownCommand(name: string): UsageError {
  const meant = didYouMean(
    name,
    COMMANDS.map(row => row.name),
  );
  return new UsageError(
    `There is no command "${name}": ${meant === undefined ? 'see "hearth help".' : `${meant} "hearth help" shows them all.`}`,
  );
}

function rowNamed(name: string): CommandRow {
  const row = COMMANDS.find(one => one.name === name);
  if (row === undefined) throw unknownCommand(name);
  return row;
}

function invocation(row: CommandRow, words: readonly string[], io: Io): Invocation {
  const { values, positionals } = parsed(row, words);
  const [least, most] = row.words;
  if (positionals.length < least)
    throw new UsageError(`"hearth ${row.name}" needs ${row.takes}: ${usage(row)}`);
  if (positionals.length > most) {
    const surplus = positionals[most] ?? '';
    // Whoever wrote a text in quotes, or gives words to a command that takes none, is told nothing by this.
    const hint =
      most === 0 || positionals.some(word => word.includes(' ')) ? '' : ' (put a text with spaces in quotes)';
    throw new UsageError(`"hearth ${row.name}" takes no "${surplus}"${hint}: ${usage(row)}`);
  }
  return {
    io,
    words: positionals,
    option: name => {
      const value = values.get(name);
      return typeof value === 'string' ? value : null;
    },
    options: name => {
      const value = values.get(name);
      return Array.isArray(value) ? value.map(String) : [];
    },
    flag: name => values.get(name) === true,
  };
}

function parsed(
  row: CommandRow,
  words: readonly string[],
): { values: ReadonlyMap<string, unknown>; positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(row.options).map(([name, { value, short, several }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [
        name,
        {
          type,
          ...(short === undefined ? {} : { short }),
          ...(several === undefined ? {} : { multiple: several }),
        },
      ];
    }),
  );
  const { args, typed } = disguised(words);
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return {
      values: new Map(
        Object.entries(values).map(([name, value]) => [
          name,
          Array.isArray(value)
            ? value.map(one => (typeof one === 'string' ? typed(one) : one))
            : typeof value === 'string'
              ? typed(value)
              : value,
        ]),
      ),
      positionals: positionals.map(typed),
    };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : '';
    throw new UsageError(`${said}${hintFor(error, row)}: ${usage(row)}`);
  }
}

/** The form of an option, `-c`, `-cVALUE`, `--name` or `--name=VALUE`, in a single word without spaces before its value. */
const OPTION = /^-(?:[a-z]\S*|-(?:[a-z][\w-]*(?:=[^]*)?)?)?$/i;

/**
 * Words that begin with a dash and cannot be an option, as "-5 degrees", are texts; the parser is given others in their
 * place, and `typed` tells what was typed. No word of a command line holds the character that marks them.
 */
function disguised(words: readonly string[]): {
  readonly args: string[];
  readonly typed: (word: string) => string;
} {
  const args = words.map(word => (word.startsWith('-') && !OPTION.test(word) ? `\0${word}` : word));
  return { args, typed: word => (word.startsWith('\0') ? word.slice(1) : word) };
}

const HINTS: Readonly<Record<string, (row: CommandRow) => string>> = {
  ERR_PARSE_ARGS_UNKNOWN_OPTION: row =>
    row.words[1] === 0 ? '' : ' (a text that begins with a dash goes behind "--")',
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: () => ' (a value that begins with a dash is written --name=VALUE)',
};

/** What to do about a word that was taken for an option. */
function hintFor(error: unknown, row: CommandRow): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return HINTS[code]?.(row) ?? '';
}

function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

function topic(words: readonly string[]): string {
  const two = `${words[0] ?? ''} ${words[1] ?? ''}`;
  return COMMANDS.some(row => row.name === two) ? two : (words[0] ?? '');
}
