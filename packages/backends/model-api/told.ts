import type { Line, Part } from './line.ts';

/*
 * A part of a transcript as plain text, for a summary of it. Pure. It is bounded, so that it can be asked about where the
 * whole no longer fits, and needs nothing that one provider alone understands.
 */

/** Longest result or call that is told whole, in characters. */
const PIECE = 4000;

/** What the lines say, oldest first, in at most about `limit` characters; the middle is left out first. */
export function told(lines: readonly Line[], limit: number): string {
  return shortened(lines.flatMap(sayingOf).join('\n\n'), limit);
}

function sayingOf(line: Line): readonly string[] {
  if (line.line === 'words') return [`Person: ${line.text}`];
  if (line.line === 'reply') return [`You: ${line.text}`];
  if (line.line === 'step') return line.parts.flatMap(partOf);
  if (line.line !== 'result') return [];
  const text = typeof line.content === 'string' ? line.content : JSON.stringify(line.content);
  return [`${line.failed ? 'Failed' : 'Result'} of ${line.name}: ${shortened(text, PIECE)}`];
}

function partOf(part: Part): readonly string[] {
  if (part.is === 'text') return [`You: ${part.text}`];
  if (part.is === 'reasoning') return [];
  return [`You called ${part.name}: ${shortened(JSON.stringify(part.args), PIECE)}`];
}

/** A text of at most about `limit` characters; what is left out of its middle is counted. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit / 4);
  const left = text.length - limit;
  return `${text.slice(0, head)}\n[… ${left} characters are left out …]\n${text.slice(head + left)}`.toWellFormed();
}
