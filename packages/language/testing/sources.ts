import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CODES } from '../codes.ts';

const DIRECTORY = fileURLToPath(new URL('../../../bots/', import.meta.url));

/** The bots that come with Hearth. */
export const BOTS: readonly string[] = readdirSync(DIRECTORY).map(name =>
  readFileSync(`${DIRECTORY}${name}/main.bot`, 'utf8'),
);

/** Sources of every kind: the bots, and what the codes show, wrong and right. */
export const SOURCES: readonly string[] = [...BOTS, ...CODES.flatMap(({ wrong, right }) => [wrong, right])];
