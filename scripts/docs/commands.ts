import type { CommandRow } from '@hearth/cli/command.ts';
import { COMMANDS } from '@hearth/cli/commands.ts';
import { COMMANDS as CONSOLE_COMMANDS } from '@hearth/console/commands.ts';
import { code, table } from './markdown.ts';

/** The commands of `hearth`, as its own table has them. */
export function commands(): string {
  return rows(COMMANDS.filter(row => !/^(?:board|dispatch) /.test(row.name)));
}

/** The commands under `hearth dispatch`. */
export function dispatchCommands(): string {
  return rows(COMMANDS.filter(row => row.name.startsWith('dispatch ')));
}

/** The commands under `hearth board`. */
export function boardCommands(): string {
  return rows(COMMANDS.filter(row => row.name.startsWith('board ')));
}

/** The commands of the console's composer. */
export function consoleCommands(): string {
  return table(
    ['Command', 'Does'],
    CONSOLE_COMMANDS.map(({ name, argument, help }) => [
      code(argument === null ? `/${name}` : `/${name} ${argument}`),
      `${help.slice(0, 1).toUpperCase()}${help.slice(1)}.`,
    ]),
  );
}

function rows(list: readonly CommandRow[]): string {
  return table(
    ['Command', 'Does', 'Options'],
    list.map(row => [
      code(`hearth ${row.name} ${row.takes}`.trimEnd()),
      row.summary,
      Object.entries(row.options)
        .map(([name, { value }]) => code(`--${name}${value === undefined ? '' : ` ${value}`}`))
        .join(' '),
    ]),
  );
}
