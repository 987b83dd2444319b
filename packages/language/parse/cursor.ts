import { type Block, readBlock } from './header.ts';
import { bands, bool, type Entry, str, strings } from './kinds.ts';
import type { Parser, Spanned } from './parser.ts';
import type { Kind } from './properties.ts';

const CURSOR = { description: str, values: strings, bands } as const;

/** `cursor NAME:` as written. */
export type CursorSyntax = Block<'cursor', typeof CURSOR>;

/** Reads `cursor NAME:` with its values or bands; `undefined` when nothing of it can be kept. */
export function readCursor(parser: Parser): CursorSyntax | undefined {
  return readBlock(parser, 'cursor', CURSOR, 'refused', { stray: 'E001', colonFirst: false });
}

/** An agent's `cursors:` block: which cursor stands where. */
export interface CursorSettings {
  readonly enabled: boolean;
  readonly settings: readonly Entry[];
}

/** `cursors:` of an agent: `enabled`, and one `name: value` for each cursor. */
export const cursors: Kind<CursorSettings> = {
  read: parser => {
    let enabled = true;
    const settings: Entry[] = [];
    const ok = parser.block('the cursors', () => {
      const name = parser.name('the name of a cursor');
      if (name === undefined || !parser.expect(':')) {
        parser.skipEntry();
      } else if (name.value === 'enabled') {
        enabled = bool.read(parser, 'enabled') ?? enabled;
      } else {
        const value = readSetting(parser);
        if (value === undefined) parser.skipEntry();
        else settings.push({ name, value });
      }
    });
    return ok ? { enabled, settings } : undefined;
  },
};

function readSetting(parser: Parser): Spanned<string> | undefined {
  const { token } = parser;
  if (token.kind === 'string' || token.kind === 'int' || token.kind === 'float') {
    parser.take();
    return { value: token.value, at: token.at };
  }
  return parser.name('a word, a number or a string');
}
