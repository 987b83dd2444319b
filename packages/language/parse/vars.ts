import type { Position } from '../diagnostic.ts';
import { describe } from '../lex/token.ts';
import { didYouMean } from '../nearest.ts';
import type { Type } from '../plan.ts';
import { floatOf, intOf } from './kinds.ts';
import type { Parser, Spanned } from './parser.ts';
import type { Kind } from './properties.ts';

/** A literal, with the form it was written in: `1` is an int and `1.0` a float. */
export type Literal = { readonly at: Position } & (
  | { readonly is: 'string'; readonly value: string }
  | { readonly is: 'int' | 'float'; readonly value: number }
  | { readonly is: 'bool'; readonly value: boolean }
);

/** One var as written: `name: type = default`. */
export interface VarSyntax {
  readonly name: Spanned<string>;
  readonly type: Type;
  readonly default?: Literal;
  /** Profile 2: the values that it may have. */
  readonly enum?: Spanned<readonly Spanned<string>[]>;
  /** Profile 2: a regular expression that its value matches. */
  readonly matching?: Spanned<string>;
}

const TYPES: readonly Type[] = ['string', 'bool', 'int', 'float', 'json', 'string[]'];

/** `name: TYPE [= literal]` lines. */
export const vars: Kind<readonly VarSyntax[]> = {
  read: parser => {
    const list: VarSyntax[] = [];
    const ok = parser.block('the vars', () => {
      const one = parser.node('var', () => readVar(parser));
      if (one === undefined) parser.skipEntry();
      else list.push(one);
    });
    return ok ? list : undefined;
  },
};

function readVar(parser: Parser): VarSyntax | undefined {
  const name = parser.name('the name of a var');
  if (name === undefined || !parser.expect(':')) return undefined;
  const type = readType(parser, name.value);
  if (type === undefined) return undefined;
  const bounds = parser.profile === 2 && parser.is('[') ? readBounds(parser) : {};
  if (bounds === undefined) return undefined;
  if (!parser.accept('=')) return { name, type, ...bounds };
  const literal = readLiteral(parser, `the default of \`${name.value}\``);
  return literal === undefined ? undefined : { name, type, ...bounds, default: literal };
}

/** `[enum: "a", "b"]` or `[matching: "re"]` behind a type. */
function readBounds(parser: Parser): Pick<VarSyntax, 'enum' | 'matching'> | undefined {
  const { at } = parser.take();
  if (parser.accept('matching')) {
    const pattern = parser.expect(':') ? parser.string('a regular expression') : undefined;
    return pattern && parser.expect(']') ? { matching: pattern } : undefined;
  }
  if (!parser.expect('enum') || !parser.expect(':')) return undefined;
  const values: Spanned<string>[] = [];
  do {
    const value = parser.string('a value of the enum, as a string');
    if (value === undefined) return undefined;
    values.push(value);
  } while (parser.accept(','));
  return parser.expect(']') ? { enum: { value: values, at } } : undefined;
}

/** Reads a type. What is none is reported, and a word read as `string`. */
export function readType(parser: Parser, of: string): Type | undefined {
  const { token } = parser;
  const type = TYPES.find(known => token.kind === 'word' && known === token.text);
  if (token.kind === 'word') parser.take();
  if (type !== undefined) return type;
  const list = TYPES.map(known => `\`${known}\``).join(', ');
  const aliases: Readonly<Record<string, string>> = {
    boolean: 'bool',
    integer: 'int',
    number: 'float',
    str: 'string',
  };
  const alias = Object.hasOwn(aliases, token.text) ? `did you mean \`${aliases[token.text]}\`?` : undefined;
  parser.error(
    'E021',
    token.at,
    `the type of \`${of}\` is one of ${list}; found ${describe(token)}`,
    () => alias ?? didYouMean(token.text, TYPES),
  );
  return token.kind === 'word' ? 'string' : undefined;
}

/** Reads a string, a number without a sign, `true` or `false`. */
export function readLiteral(parser: Parser, what: string): Literal | undefined {
  const { token } = parser;
  const { at } = token;
  if (token.kind === 'string') return { at, is: 'string', value: parser.take().value };
  if (token.kind === 'int') return { at, is: 'int', value: intOf(parser, parser.take(), 'E020') };
  if (token.kind === 'float') return { at, is: 'float', value: floatOf(parser, parser.take(), 'E020') };
  if (parser.is('true') || parser.is('false'))
    return { at, is: 'bool', value: parser.take().text === 'true' };
  if (token.kind === 'word' && parser.profile === 2) return { at, is: 'string', value: parser.take().value };
  parser.expected(what, token.text === '-' ? 'numbers are written without a sign' : undefined);
  return undefined;
}
