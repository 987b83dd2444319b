/*
 * Which profile of the language a source is written in. Profile 1 is the language as it was first; profile 2 adds later
 * syntax and is asked for by `dsl: 2` in front of everything but comments. A word of profile 2 means in profile 1 what it
 * always meant there.
 */

/** The edition of the language that a file is read in; the first unless a file says `dsl: 2`. */
export type Profile = 1 | 2;

const LEADING = /[ \t]*(?:#[^\n]*)?\r?\n/y;
const DECLARED = /dsl[ \t]*:[ \t]*(\d+)/y;

/** The profile that a source declares; 1 when it declares none. An unknown number is read as the latest profile. */
export function profileOf(source: string): Profile {
  let start = source.startsWith('\uFEFF') ? 1 : 0;
  // Line by line: one pattern for all of them would need a stack as deep as there are lines.
  for (;;) {
    LEADING.lastIndex = start;
    if (!LEADING.test(source)) break;
    start = LEADING.lastIndex;
  }
  DECLARED.lastIndex = start;
  const number = DECLARED.exec(source)?.[1];
  return number === undefined || number === '1' ? 1 : 2;
}
