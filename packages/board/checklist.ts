import type { TicketState } from '@hearth/protocol/ticket.ts';

/*
 * Reads a Markdown checklist, line by line. Pure, never throws, and forgets nothing of what it takes for an item:
 * whatever is indented below an item is that item's body, sub-items included.
 */

/** One item as it was written; `line` counts from 1. */
export interface ChecklistItem {
  readonly line: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Set for a ticked box only. */
  readonly state?: TicketState;
}

const heading = /^#{1,6}\s+(.+)$/;
const fence = /^(?:```|~~~)/;
/** A bullet needs a box; a number does without. */
const item = /^(\s*)(?:[-*+]\s+\[([ xX])\]|\d{1,9}[.)](?:\s+\[([ xX])\])?)(?:\s+(.*))?$/;
/** `#label` with a blank before it: a letter first, so that `#12` stays a reference to something numbered. */
const labelWord = /(?:^|\s)#(\p{L}[\p{L}\p{N}_/-]*)(?=$|[\s.,;:!?])/gu;

function kebab(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

function indentation(line: string): number {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? '';
  return blanks.replaceAll('\t', '    ').length;
}

/** Body lines without the indentation they share, and without blank lines around them. */
function dedent(lines: readonly string[]): string {
  const shared = Math.min(...lines.filter(line => line.trim() !== '').map(indentation));
  const cut = lines.map(line =>
    line.trim() === '' ? '' : line.replaceAll('\t', '    ').slice(shared).trimEnd(),
  );
  const first = cut.findIndex(line => line !== '');
  return first < 0 ? '' : cut.slice(first, cut.findLastIndex(line => line !== '') + 1).join('\n');
}

interface Open {
  readonly line: number;
  readonly depth: number;
  readonly text: string;
  readonly ticked: boolean;
  readonly section: string;
  readonly body: string[];
}

function closeItem(open: Open): ChecklistItem {
  const labels = [...open.text.matchAll(labelWord)].map(match => match[1] ?? '');
  const title = open.text.replaceAll(labelWord, '').replaceAll(/\s+/g, ' ').trim();
  return {
    line: open.line,
    title,
    body: dedent(open.body),
    labels: [...new Set(open.section === '' ? labels : [open.section, ...labels])],
    ...(open.ticked ? { state: 'done' as const } : {}),
  };
}

/** The items of a text, in order. CRLF, a byte order mark and fenced blocks between items are taken in stride. */
export function checklist(source: string): readonly ChecklistItem[] {
  const items: ChecklistItem[] = [];
  let open: Open | null = null;
  let section = '';
  let fenced = false;
  for (const [index, line] of source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const belongs: boolean = open !== null && (line.trim() === '' || indentation(line) > open.depth);
    if (open !== null && belongs) {
      open.body.push(line);
      continue;
    }
    if (open !== null) items.push(closeItem(open));
    open = null;
    if (fence.test(line.trimStart())) fenced = !fenced;
    if (fenced) continue;
    const headed = heading.exec(line);
    if (headed?.[1] !== undefined) section = kebab(headed[1]);
    const found = item.exec(line);
    if (found === null) continue;
    const ticked = (found[2] ?? found[3] ?? ' ').toLowerCase() === 'x';
    open = { line: index + 1, depth: indentation(line), text: found[4] ?? '', ticked, section, body: [] };
  }
  if (open !== null) items.push(closeItem(open));
  return items;
}
