/*
 * Which profile of the language a source is written in. Profile 1 is the language as it was first; profile 2 adds later
 * syntax and is asked for by `dsl: 2` in front of everything but comments. A word of profile 2 means in profile 1 what it
 * always meant there.
 */

export type Profile = 1 | 2;

/** Blank lines and comments, then `dsl` and its number. Every alternative begins otherwise, so this is linear. */
const DECLARED = /^\uFEFF?(?:[ \t]*(?:#[^\n]*)?\r?\n)*dsl[ \t]*:[ \t]*(\d+)/;

/** The profile that a source declares; 1 when it declares none. An unknown number is read as the latest profile. */
export function profileOf(source: string): Profile {
  const number = DECLARED.exec(source)?.[1];
  return number === undefined || number === '1' ? 1 : 2;
}
