import { endsLine, type Token } from '../lex/token.ts';
import type { Parser, Spanned } from './parser.ts';

/** A declaration of the wider language that was passed over: its kind, its name, and what its lines say. */
export interface PassedDeclaration {
  readonly kind: string;
  readonly name: Spanned<string>;
  /** The first line of each property, the words behind its colon joined. */
  readonly properties: ReadonlyMap<string, Spanned<string>>;
  /** Whether there is nothing in its block. */
  readonly empty: boolean;
}

/** How far is looked into a declaration that is passed over. */
const MOST = 2000;

/** Passes over the declaration that begins here, and keeps what it says. */
export function passOverDeclaration(parser: Parser): void {
  const { text: kind, at } = parser.token;
  parser.later(at, `\`${kind}\` declarations`);
  const words: Token[] = [];
  let ahead = 1;
  for (; ahead < MOST && isOnLine(parser.peek(ahead)); ahead += 1) words.push(parser.peek(ahead));
  // `use GROUP as NAME` names what it makes behind, every other declaration in front.
  const [first, second, third] = words;
  const name = kind === 'use' && second?.text === 'as' ? third : first;
  const properties = new Map<string, Spanned<string>>();
  if (kind === 'use' && first) properties.set('group', { value: first.value, at: first.at });
  const empty = kind !== 'use' && !readBlock(parser, ahead, properties);
  if (name?.kind === 'word') {
    const declared = { kind, name: { value: name.text, at: name.at }, properties, empty };
    parser.complaints.passedDeclarations.push(declared);
  }
  parser.skipLater();
}

/** Looks at the block from `start` on, without taking it; whether anything is in it. */
function readBlock(parser: Parser, start: number, into: Map<string, Spanned<string>>): boolean {
  let depth = 0;
  let any = false;
  let first = true;
  let key: string | null = null;
  for (let ahead = start; ahead < start + MOST; ahead += 1) {
    const token = parser.peek(ahead);
    if (token.kind === 'indent') depth += 1;
    else if (token.kind === 'dedent') depth -= 1;
    if (token.kind === 'eof' || (depth === 0 && !endsLine(token))) return any;
    any ||= depth > 0 && isOnLine(token);
    if (!isOnLine(token)) {
      first = true;
      key = null;
    } else if (depth === 1 && first) {
      first = false;
      if (token.kind !== 'word' || parser.peek(ahead + 1).text !== ':') continue;
      key = token.text;
      into.set(key, { value: '', at: token.at });
      ahead += 1;
    } else if (key !== null && depth === 1) {
      const { value = '', at = token.at } = into.get(key) ?? {};
      into.set(key, { value: value + token.value, at });
    }
  }
  return true;
}

function isOnLine(token: Token): boolean {
  return !endsLine(token) && !['indent', 'dedent', 'eof'].includes(token.kind);
}
