import type { CommandRow } from './command.ts';
import { COMMANDS } from './commands.ts';
import { usage } from './parse.ts';

/** Help on one command or group, or on all of them; `null` when there is no such command. */
export function help(topic: string | null): string | null {
  if (topic === null) return overview(COMMANDS);
  const one = COMMANDS.find(row => row.name === topic);
  if (one !== undefined) return details(one);
  const group = COMMANDS.filter(row => row.name.startsWith(`${topic} `));
  return group.length === 0 ? null : overview(group);
}

function overview(rows: readonly CommandRow[]): string {
  const names = rows.map(row => `hearth ${row.name} ${row.takes}`.trimEnd());
  const width = Math.max(...names.map(name => name.length));
  const lines = rows.map((row, index) => `  ${(names[index] ?? '').padEnd(width)}  ${row.summary}`);
  const more = [
    'With no command, "hearth" is "hearth start"; "hearth ID" opens that conversation.',
    '"hearth help COMMAND" shows the options. The home is ~/.hearth, or what HEARTH_HOME names.',
  ];
  return ['Usage: hearth [COMMAND]', '', ...lines, '', ...more].join('\n');
}

function details(row: CommandRow): string {
  const options = Object.entries(row.options).map(([name, option]) => {
    const short = option.short === undefined ? '' : `-${option.short}, `;
    return [
      `  ${short}--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
      option.summary,
    ] as const;
  });
  const width = Math.max(0, ...options.map(([left]) => left.length));
  const lines = options.map(([left, summary]) => `${left.padEnd(width)}  ${summary}`);
  return [`Usage: ${usage(row)}`, '', row.summary, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
}
