/*
 * Tells a text that Markdown is made for from one that only keeps a machine busy. Laying Markdown out takes time that
 * grows with the square of the signs in a paragraph and worse with the depth of its nesting, so a reply of a few
 * kilobytes could hold a surface for minutes, each time the conversation is opened. Pure, and linear in the text.
 */

/** Quotes and list items that one line may stand in. */
const DEPTH = 12;
/** Columns before what is said in an item; more belong to no list that a person reads. */
const INDENT = 48;
/** The sum, over the paragraphs, of the square of the signs that may begin or end something. */
const SIGNS = 2_000_000;
/** Cells of tables. */
const CELLS = 5000;

const CONTAINERS = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/gm;
/** What surely ends a paragraph: an empty line, or an item. */
const BREAK = /\n(?=[ \t]*(?:\n|[-*+][ \t]+\S))/;
const MARKS = /[>*+-]|\d+[.)]/g;

/** Whether a text may be laid out as Markdown; any other is to be shown as it stands. */
export function isLaidOutEasily(text: string): boolean {
  for (const [containers] of text.matchAll(CONTAINERS)) {
    if (width(containers) > INDENT || count(containers, MARKS) > DEPTH) return false;
  }
  const cost = text.split(BREAK).reduce((sum, part) => sum + count(part, /[*_~[\]]/g) ** 2, 0);
  return cost <= SIGNS && count(text, /\|/g) <= CELLS;
}

function width(containers: string): number {
  return containers.replaceAll('\t', '    ').length;
}

function count(text: string, signs: RegExp): number {
  return text.match(signs)?.length ?? 0;
}
