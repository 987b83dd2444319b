import type { CommandRow } from './command.ts';
import { COMMANDS } from './commands.ts';
import { usage } from './parse.ts';

/** Columns that summaries have beside what they are of; with fewer they stand below it. */
const BESIDE = 36;

/**
 * Help on one command or group, or on all of them; `null` when there is no such command. `columns` is the width of the
 * screen that it is for; without it no line is broken.
 */
export function help(topic: string | null, columns = Number.POSITIVE_INFINITY): string | null {
  if (topic === null) return overview(COMMANDS, columns);
  const one = COMMANDS.find(row => row.name === topic);
  if (one !== undefined) return details(one, columns);
  const group = COMMANDS.filter(row => row.name.startsWith(`${topic} `));
  return group.length === 0 ? null : overview(group, columns);
}

function overview(rows: readonly CommandRow[], columns: number): string {
  const more = [
    'With no command, "hearth" is "hearth start"; "hearth ID" opens that conversation.',
    '"hearth help COMMAND" shows the options. The home is ~/.hearth, or what HEARTH_HOME names.',
  ];
  return [
    'Usage: hearth [COMMAND]',
    '',
    ...table(
      rows.map(row => [`hearth ${row.name} ${row.takes}`.trimEnd(), row.summary]),
      columns,
    ),
    '',
    ...more.flatMap(line => wrapped(line, columns)),
  ].join('\n');
}

function details(row: CommandRow, columns: number): string {
  const options = Object.entries(row.options).map(([name, option]): [string, string] => {
    const short = option.short === undefined ? '' : `-${option.short}, `;
    return [`${short}--${name}${option.value === undefined ? '' : ` ${option.value}`}`, option.summary];
  });
  return [
    ...wrapped(`Usage: ${usage(row)}`, columns, '  '),
    '',
    ...wrapped(row.summary, columns),
    ...(options.length > 0 ? ['', ...table(options, columns)] : []),
  ].join('\n');
}

/** Names with what they are beside them, or below them where the screen is narrow. */
function table(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 4;
  if (columns - width < BESIDE)
    return rows.flatMap(([name, summary]) => [
      ...wrapped(`  ${name}`, columns, '      '),
      ...wrapped(`    ${summary}`, columns, '    '),
    ]);
  return rows.flatMap(([name, summary]) =>
    wrapped(`${`  ${name}`.padEnd(width)}${summary}`, columns, ' '.repeat(width)),
  );
}

/** Breaks a line between words where it would not fit; what follows the first line is indented. */
function wrapped(line: string, columns: number, indent = ''): string[] {
  if (line.length <= columns) return [line];
  const end = line.lastIndexOf(' ', columns);
  // A single word that is too long is left to the terminal.
  if (end <= indent.length || line.slice(0, end).trim() === '') return [line];
  return [line.slice(0, end).trimEnd(), ...wrapped(`${indent}${line.slice(end + 1)}`, columns, indent)];
}
