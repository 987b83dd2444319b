import type { Finding } from '@hearth/protocol/artifact.ts';
import { pseudocode } from './pseudocode.ts';

/* The checks that an artifact may name. Each is deterministic, and none of them changes a text. */

const LINTS: Readonly<Record<string, (text: string) => readonly Finding[]>> = { pseudocode };

/** How many findings are told of one text. */
const MOST = 20;

/** What a check finds in a text, in the order of its lines; nothing when there is no check of that name. */
export function findingsOf(lint: string | null, text: string): readonly Finding[] {
  const check = lint !== null && Object.hasOwn(LINTS, lint) ? LINTS[lint] : undefined;
  return check === undefined ? [] : check(text).slice(0, MOST);
}
