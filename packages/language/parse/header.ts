import type { Position } from '../diagnostic.ts';
import { endsLine } from '../lex/token.ts';
import type { Parser, Spanned } from './parser.ts';
import { type Properties, readProperties, type Strictness, type Table } from './properties.ts';

/** What all named declarations have: a keyword, a name and a body. */
export interface Declaration<K extends string> {
  readonly kind: K;
  readonly name: Spanned<string>;
  /** Where its keyword stands. */
  readonly at: Position;
}

/** A declaration whose body is a block of properties. */
export interface Block<K extends string, T extends Table> extends Declaration<K> {
  readonly properties: Properties<T>;
}

/**
 * Reads `keyword NAME :` and then the body. A declaration without a body is dropped, and so is one with a reserved
 * name where the kind forbids it at this point.
 */
export function readDeclaration<K extends string, B extends object>(
  parser: Parser,
  kind: K,
  readBody: () => B | undefined,
  reserved: 'refused' | 'checked later',
): (Declaration<K> & B) | undefined {
  const { at } = parser.take();
  const name = parser.name(`the name of the ${kind}`);
  if (name === undefined || !colon(parser)) return undefined;
  parser.declaring = name.value;
  const body = readBody();
  if (body === undefined) return undefined;
  if (reserved === 'refused' && (name.value === 'done' || name.value === 'fail')) {
    parser.error('E011', at, `\`${name.value}\` is reserved and cannot name a ${kind}`);
    return undefined;
  }
  return { kind, name, at, ...body };
}

/** Passes the colon that opens a body. When only it is missing, the body is read all the same. */
export function colon(parser: Parser): boolean {
  return parser.expect(':') || endsLine(parser.token);
}

/** Reads a declaration whose body is a block of properties. */
export function readBlock<K extends string, T extends Table>(
  parser: Parser,
  kind: K,
  table: T,
  reserved: 'refused' | 'checked later',
  strictness?: Strictness,
): Block<K, T> | undefined {
  return readDeclaration(
    parser,
    kind,
    () => {
      const what = `an ${kind}`.replace(/^an (?=[^aeiou])/, 'a ');
      const properties = readProperties(parser, table, what, strictness);
      return properties === undefined ? undefined : { properties };
    },
    reserved,
  );
}
