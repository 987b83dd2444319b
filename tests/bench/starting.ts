import { execFileSync } from 'node:child_process';
import { LAUNCHER } from '../support/hearth.ts';
import type { Row } from './row.ts';
import { many, quantile, row } from './row.ts';

/** What a command costs before it does anything, against Node's own start. */
export async function starting(): Promise<readonly Row[]> {
  const node = (...words: readonly string[]): Promise<number[]> =>
    many(7, () => void execFileSync(process.execPath, words, { stdio: 'ignore' }));
  const ours = await node(LAUNCHER, '--version');
  const floor = await node('-e', '0');
  return [row('hearth --version, p50', quantile(ours, 0.5), quantile(floor, 0.5))];
}
