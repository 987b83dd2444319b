import type { Position } from '../diagnostic.ts';
import type { Profile } from '../lex/profile.ts';
import { describe } from '../lex/token.ts';
import { didYouMean, some } from '../nearest.ts';
import { isLaterProperty } from './later.ts';
import { NEEDS_PROFILE_2, type Parser } from './parser.ts';
import { passOverProperty } from './passing-over.ts';

/*
 * A block of properties is described by a table from property to value kind, so a new construct is a new table. The
 * syntax node's type follows from the table.
 */

/** How a value is read after its colon. `undefined` means that it was wrong, and that this was reported. */
export interface Kind<T> {
  readonly read: (parser: Parser, key: string) => T | undefined;
  /** The profile that the property needs; 1 unless given. */
  readonly profile?: Profile;
}

/** The same kind of value, for a property that only profile 2 has. */
export function inProfile2<T>(kind: Kind<T>): Kind<T> {
  return { ...kind, profile: 2 };
}

/** Which properties a block takes, and how the value of each is read. */
export type Table = Readonly<Record<string, Kind<unknown>>>;

/** One property: its value, where the value stands and where the key stands. */
export interface Property<T> {
  readonly value: T;
  readonly at: Position;
  readonly key: Position;
}

/** The properties that an author wrote; written twice, the last one counts. */
export type Properties<T extends Table> = {
  readonly [K in keyof T]?: T[K] extends Kind<infer V> ? Property<V> : never;
};

/** What profile 1 says of a line that is no property: the code of a stray token, and whether a colon is missed first. */
export interface Strictness {
  readonly stray: 'E001' | 'E012';
  readonly colonFirst: boolean;
}

const BLOCK: Strictness = { stray: 'E012', colonFirst: false };
/** How blocks inside others are read. */
export const INNER: Strictness = { stray: 'E001', colonFirst: true };

/** Reads a block of properties. `undefined` when there is no block. */
export function readProperties<T extends Table>(
  parser: Parser,
  table: T,
  what: string,
  strictness: Strictness = BLOCK,
): Properties<T> | undefined {
  const found = new Map<string, Property<unknown>>();
  const ok = parser.block(`the properties of ${what}`, () => {
    readProperty(parser, table, what, found, strictness);
  });
  return ok ? propertiesOf<T>(found) : undefined;
}

/** Reads one property into `found`; what is none is reported and skipped. */
export function readProperty(
  parser: Parser,
  table: Table,
  what: string,
  found: Map<string, Property<unknown>>,
  strictness: Strictness = BLOCK,
): void {
  const { token } = parser;
  const kind = token.kind === 'word' && Object.hasOwn(table, token.text) ? table[token.text] : undefined;
  if (kind === undefined || (kind.profile ?? 1) > parser.profile) {
    if (parser.profile === 2 && token.kind === 'word' && isLaterProperty(token.text)) {
      passOverProperty(parser);
    } else {
      reportUnknown(parser, table, what, strictness);
      parser.skipEntry();
    }
    return;
  }
  parser.node('property', () => {
    parser.take();
    if (!parser.accept(':')) {
      const edge = parser.is('->');
      parser.expected(
        '`:`',
        edge ? `a line that begins so is a property: rename the node \`${token.text}\`` : undefined,
      );
      parser.skipEntry();
      return;
    }
    const { at } = parser;
    const value = kind.read(parser, token.text);
    if (value !== undefined) found.set(token.text, { value, at, key: token.at });
  });
}

/** The typed view of properties that were read with a table. */
export function propertiesOf<T extends Table>(found: ReadonlyMap<string, Property<unknown>>): Properties<T> {
  // Each value was read by the kind that the table names for its key, which is what the type says.
  return Object.fromEntries(found) as Properties<T>;
}

function reportUnknown(parser: Parser, table: Table, what: string, { stray, colonFirst }: Strictness): void {
  const { token } = parser;
  if (token.kind !== 'word') {
    parser.error(stray, token.at, `expected a property of ${what}, found ${describe(token)}`);
  } else if (colonFirst && parser.peek(1).text !== ':') {
    parser.take();
    parser.expected('`:`');
  } else {
    const known = Object.keys(table).filter(key => (table[key]?.profile ?? 1) <= parser.profile);
    const fix = (): string =>
      Object.hasOwn(table, token.text)
        ? NEEDS_PROFILE_2
        : (didYouMean(token.text, known) ?? `it has ${some(known)}`);
    parser.error('E012', token.at, `${what} has no property \`${token.text}\``, fix);
  }
}
