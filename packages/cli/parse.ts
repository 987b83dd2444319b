import { parseArgs } from 'node:util';
import { type CommandRow, type Invocation, type Io, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

/*
 * From words to a call. Values stay text exactly as typed (`--text 007` is "007"), and whatever does not fit the table
 * is a usage error that shows the right form.
 */

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
    ([name, { value }]) => `[--${name}${value === undefined ? '' : ` ${value}`}]`,
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
  throw new UsageError(`There is no command "${first}": see "hearth help".`);
}

function rowNamed(name: string): CommandRow {
  const row = COMMANDS.find(one => one.name === name);
  if (row === undefined) throw new UsageError(`There is no command "${name}": see "hearth help".`);
  return row;
}

function invocation(row: CommandRow, words: readonly string[], io: Io): Invocation {
  const { values, positionals } = parsed(row, words);
  const [least, most] = row.words;
  if (positionals.length < least)
    throw new UsageError(`"hearth ${row.name}" needs ${row.takes}: ${usage(row)}`);
  if (positionals.length > most) {
    throw new UsageError(
      `"hearth ${row.name}" takes no "${positionals[most] ?? ''}" (put a text with spaces in quotes): ${usage(row)}`,
    );
  }
  return {
    io,
    words: positionals,
    option: name => {
      const value = values.get(name);
      return typeof value === 'string' ? value : null;
    },
    flag: name => values.get(name) === true,
  };
}

function parsed(
  row: CommandRow,
  words: readonly string[],
): { values: ReadonlyMap<string, unknown>; positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(row.options).map(([name, { value, short }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, ...(short === undefined ? {} : { short }) }];
    }),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      strict: true,
    });
    return { values: new Map(Object.entries(values)), positionals };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : '';
    throw new UsageError(`${said}: ${usage(row)}`);
  }
}

function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

function topic(words: readonly string[]): string {
  const two = `${words[0] ?? ''} ${words[1] ?? ''}`;
  return COMMANDS.some(row => row.name === two) ? two : (words[0] ?? '');
}
