/*
 * Speed, as ratios within one run. A figure alone says little about a machine that does other things too; beside its
 * floor, measured in the same minute on the same disk, it says what Hearth adds.
 *
 * `--only NAME` measures one group, and may come more than once; `--json` prints the rows as an array.
 */
import { parseArgs } from 'node:util';
import { removeTemps } from '../support/temp.ts';
import { accepting, grouped } from './accepting.ts';
import { chat } from './chat.ts';
import { fannedOut } from './fan-out.ts';
import { listing, opening, paused } from './homes.ts';
import { compiling } from './language.ts';
import { restarting } from './restarting.ts';
import type { Row } from './row.ts';
import { starting } from './starting.ts';
import { turning } from './turn.ts';

const GROUPS: Readonly<Record<string, () => Promise<readonly Row[]> | readonly Row[]>> = {
  accept: accepting,
  group: grouped,
  chat,
  turn: turning,
  'fan-out': fannedOut,
  open: opening,
  list: listing,
  paused,
  restart: restarting,
  compile: compiling,
  start: starting,
};

function shown({ work, ours, peer, floor, unit, ratio, target = '' }: Row): Readonly<Record<string, string>> {
  const figure = (value: number | null): string =>
    value === null ? '–' : `${value.toFixed(Math.abs(value) < 100 ? 2 : 0)} ${unit}`.trim();
  return {
    work,
    ours: figure(ours),
    peer: figure(peer),
    floor: figure(floor),
    ratio: ratio === null ? '–' : ratio.toFixed(2),
    target: target === '' ? '–' : target,
  };
}

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, json: { type: 'boolean', default: false } },
});
const names = values.only ?? Object.keys(GROUPS);
const unknown = names.filter(name => GROUPS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `No such group: ${unknown.join(', ')}. There are: ${Object.keys(GROUPS).join(', ')}.\n`,
  );
  process.exit(64);
}
const rows: Row[] = [];
try {
  for (const name of names) rows.push(...((await GROUPS[name]?.()) ?? []));
} finally {
  removeTemps();
}
if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else console.table(rows.map(shown));
