import type { Ticket } from '@hearth/protocol/ticket.ts';

/** Characters of a body, and of each comment, that are handed over. */
const BODY = 64 * 1024;
const COMMENT = 8 * 1024;
/** How many comments, the latest. */
const COMMENTS = 20;

/** A ticket as its bot is told of it: everything that whoever works on it needs, in one message. */
export function briefOf({ id, title, body, labels, comments }: Ticket): string {
  const shown = comments.slice(-COMMENTS);
  const said = shown.map(({ author, at, body: words }) => `${author}, ${at}:\n${beginning(words, COMMENT)}`);
  return [
    `${id}: ${title}`,
    labels.length === 0 ? '' : `Labels: ${labels.join(', ')}`,
    beginning(body, BODY),
    shown.length === 0 ? '' : `Comments:\n\n${said.join('\n\n')}`,
  ]
    .filter(part => part.trim() !== '')
    .join('\n\n');
}

/** At most so many characters, cut between letters. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
