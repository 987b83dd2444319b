import { endsLine, type Token } from '../lex/token.ts';

/*
 * What stands between two braces: entries and comments, each on a line of its own when the group is broken up.
 */

/** One entry of a group, with the comments that belong to it. */
export interface Member {
  /** The tokens of an entry, without its comma; empty for a comment by itself. */
  readonly tokens: readonly Token[];
  readonly note: Token | null;
  /** Whether the author left a blank line above. */
  readonly spaced: boolean;
}

/** Entries that stand together, so that they are laid out alike. */
export interface Group {
  readonly members: readonly Member[];
  /** Whether the author broke the group into lines. */
  readonly broken: boolean;
}

/** Reads the tokens between the braces, both left out. */
export function groupOf(tokens: readonly Token[]): Group {
  const members: { tokens: Token[]; note: Token | null; spaced: boolean }[] = [];
  let open = false;
  let sameLine = false;
  let spaced = false;
  for (const [index, token] of tokens.entries()) {
    if (token.lead.includes('\n')) spaced = true;
    if (token.kind === 'comment') {
      const last = members.at(-1);
      if (sameLine && last?.note === null) last.note = token;
      else members.push({ tokens: [], note: token, spaced: spaced && members.length > 0 });
      spaced = false;
    }
    if (endsLine(token) || token.text === ',') {
      if (endsLine(token)) sameLine = false;
      open = false;
    } else {
      if (!open || (beginsEntry(tokens, index) && (members.at(-1)?.tokens.length ?? 0) > 2)) {
        members.push({ tokens: [], note: null, spaced: spaced && members.length > 0 });
      }
      members.at(-1)?.tokens.push(token);
      open = true;
      sameLine = true;
      spaced = false;
    }
  }
  return { members, broken: tokens.some(endsLine) };
}

/** Entries need nothing between them, so one may begin right after another. */
function beginsEntry(tokens: readonly Token[], index: number): boolean {
  const [name, colon] = tokens.slice(index, index + 2);
  return (name?.kind === 'word' || name?.kind === 'string') && colon?.text === ':' && colon.kind === 'mark';
}
