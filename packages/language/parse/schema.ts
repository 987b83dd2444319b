import type { TokenKind } from '../lex/token.ts';
import type { Type } from '../plan.ts';
import { type Declaration, readDeclaration } from './header.ts';
import type { Parser, Spanned } from './parser.ts';
import { readType } from './vars.ts';

/** One `name: type` line of a schema. */
export interface FieldSyntax {
  readonly name: Spanned<string>;
  readonly type: Type;
  readonly enum?: readonly string[];
}

/** `schema NAME:` as written. */
export interface SchemaSyntax extends Declaration<'schema'> {
  readonly fields: readonly FieldSyntax[];
}

/** A word or a number is the string it spells: profile 1 has always taken them. */
const VALUES: readonly TokenKind[] = ['string', 'word', 'int', 'float'];

/** `schema NAME:` with `field: TYPE [enum: "a", "b"]` lines. */
export function readSchema(parser: Parser): SchemaSyntax | undefined {
  return readDeclaration(parser, 'schema', () => readFields(parser), 'refused');
}

function readFields(parser: Parser): { fields: readonly FieldSyntax[] } | undefined {
  const fields: FieldSyntax[] = [];
  const ok = parser.block('the fields of the schema', () => {
    const field = parser.node('field', () => readField(parser));
    if (field === undefined) parser.skipEntry();
    else fields.push(field);
  });
  return ok ? { fields } : undefined;
}

function readField(parser: Parser): FieldSyntax | undefined {
  const name = parser.name('the name of a field');
  if (name === undefined || !parser.expect(':')) return undefined;
  const type = readType(parser, name.value);
  if (type === undefined) return undefined;
  if (!parser.accept('[')) return { name, type };
  if (!parser.expect('enum') || !parser.expect(':')) return undefined;
  const values: string[] = [];
  do {
    const { token } = parser;
    if (!VALUES.includes(token.kind)) {
      parser.expected('a value of the enum, as a string');
      return undefined;
    }
    parser.take();
    values.push(token.value);
  } while (parser.accept(','));
  return parser.expect(']') ? { name, type, enum: values } : undefined;
}
