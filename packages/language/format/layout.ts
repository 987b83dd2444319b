import type { Token } from '../lex/token.ts';
import { groupOf, type Member } from './group.ts';
import type { Line } from './lines.ts';
import { joined } from './spacing.ts';

/*
 * Writes lines in the house style: two blanks for each level, one blank line at most and one between declarations,
 * the notes at the ends of neighbouring lines below each other. Text that means something is never touched: the lines
 * of prompts, the insides of strings.
 */

const WIDTH = 110;

interface Laid {
  readonly line: Line;
  readonly gap: number;
  /** The line without its note. More than one row: a group that is broken up, or a block scalar. */
  readonly rows: readonly string[];
}

/** The text of the lines, each ended by `\n`. */
export function written(lines: readonly Line[]): string {
  const laid = lines.map((line, index) => ({
    line,
    gap: gapAbove(line, lines[index - 1]),
    rows: rowsOf(line),
  }));
  const columns = noteColumns(laid);
  const rows: string[] = [];
  for (const [index, { line, gap, rows: own }] of laid.entries()) {
    for (let blank = gap; blank > 0; blank -= 1) rows.push('');
    for (const row of own.slice(0, -1)) rows.push(row);
    rows.push(withNote(own.at(-1) ?? '', line.note, columns[index] ?? 0));
  }
  return rows.map(row => `${row}\n`).join('');
}

/** How many blank lines stand above a line. */
function gapAbove(line: Line, above: Line | undefined): number {
  // Blank lines at the end of a block scalar are part of it; none may be added or taken away.
  if (above === undefined || isBlockScalar(above.tokens.at(-1))) return 0;
  if (line.tied || line.depth > above.depth) return 0;
  if (line.is === 'text') return line.blanks;
  const begins = line.depth === 0 && !(above.depth === 0 && above.is === 'comment');
  return begins ? 1 : Math.min(1, line.blanks);
}

function rowsOf(line: Line): readonly string[] {
  const [first] = line.tokens;
  const margin = marginAt(line.depth);
  if (line.is === 'text') return [`${margin}${first?.value ?? ''}`];
  if (line.is === 'comment') return [`${margin}${commentText(first)}`];
  return codeRows(line.tokens, line.depth, margin);
}

/** Rows of code. A group in braces is broken up when its author did so, or when its row would be too long. */
function codeRows(tokens: readonly Token[], depth: number, margin: string): readonly string[] {
  const open = tokens.findIndex(token => isMark(token, '{'));
  const close = tokens.findIndex((token, index) => index > open && isMark(token, '}'));
  if (open < 0 || close < 0) return plainRows(tokens, depth, margin);
  const { members, broken } = groupOf(tokens.slice(open + 1, close));
  const head = `${margin}${joined(tokens.slice(0, open + 1))}`;
  if (!broken) {
    const inside = members.map(member => joined(member.tokens)).join(', ');
    const [end = '', ...rest] = codeRows(tokens.slice(close), depth, '');
    const row = inside === '' ? `${head}${end}` : `${head} ${inside} ${end}`;
    if (widthOf(row) <= WIDTH) return [row, ...rest];
  }
  const last = members.findLastIndex(member => member.tokens.length > 0);
  const rows = members.flatMap((member, index) => memberRows(member, index < last, depth + 1));
  return [head, ...rows, ...codeRows(tokens.slice(close), depth, marginAt(depth))];
}

/** Rows of an entry in a group that is broken up; `more` says that another entry follows. */
function memberRows({ tokens, note, spaced }: Member, more: boolean, depth: number): readonly string[] {
  const margin = marginAt(depth);
  const gap = spaced ? [''] : [];
  if (tokens.length === 0) return [...gap, `${margin}${commentText(note)}`];
  const rows = plainRows(tokens, depth, margin);
  // A comma after a block scalar would begin a line; its line break parts the entries already.
  if (rows.length > 1) return [...gap, ...rows];
  return [...gap, withNote(`${rows.join('')}${more ? ',' : ''}`, note, 0)];
}

/** One row, or the opener of a block scalar and its text. */
function plainRows(tokens: readonly Token[], depth: number, margin: string): readonly string[] {
  const last = tokens.at(-1);
  if (last === undefined || !isBlockScalar(last)) return [`${margin}${joined(tokens)}`];
  const [opener = ''] = last.text.split('\n', 1);
  const note = opener.indexOf('#');
  const row = `${margin}${joined(tokens.slice(0, -1))} |`;
  const text = last.value.split('\n').slice(0, -1);
  return [
    note < 0 ? row : `${row}  ${opener.slice(note).trimEnd()}`,
    ...text.map(line => (line === '' ? '' : `${marginAt(depth + 1)}${line}`)),
  ];
}

/** The column at which the note of each line stands: the same for lines that follow each other in a block. */
function noteColumns(laid: readonly Laid[]): readonly number[] {
  const columns: number[] = [];
  for (let start = 0; start < laid.length; ) {
    let end = start + 1;
    while (follows(laid[end - 1], laid[end])) end += 1;
    const widest = laid
      .slice(start, end)
      .reduce((width, { rows }) => Math.max(width, widthOf(rows.at(-1) ?? '')), 0);
    for (; start < end; start += 1) columns.push(widest);
  }
  return columns;
}

function follows(above: Laid | undefined, below: Laid | undefined): boolean {
  if (above === undefined || below === undefined || below.gap > 0) return false;
  const depths = above.line.depth === below.line.depth;
  return depths && above.line.note !== null && below.line.note !== null;
}

function withNote(row: string, note: Token | null, column: number): string {
  if (note === null) return row;
  return `${row}${' '.repeat(Math.max(0, column - widthOf(row)))}  ${commentText(note)}`;
}

function commentText(token: Token | null | undefined): string {
  return token?.text.trimEnd() ?? '';
}

function isBlockScalar(token: Token | undefined): boolean {
  return token?.kind === 'string' && token.text.startsWith('|');
}

function isMark(token: Token, text: string): boolean {
  return token.kind === 'mark' && token.text === text;
}

function marginAt(depth: number): string {
  return '  '.repeat(depth);
}

/** The width of a row's last line: a backtick string may span several. */
function widthOf(row: string): number {
  return Array.from(row.slice(row.lastIndexOf('\n') + 1)).length;
}
