import { describe } from '../lex/token.ts';
import type { Parser, Spanned } from './parser.ts';
import type { Kind } from './properties.ts';
import { type Literal, readLiteral } from './vars.ts';

/** A named set of values for vars. */
export interface PresetSyntax {
  readonly name: Spanned<string>;
  readonly values: readonly { readonly name: Spanned<string>; readonly value: Literal }[];
}

/** `preset:` blocks of `var: literal` lines. */
export const presets: Kind<readonly PresetSyntax[]> = {
  read: parser => {
    const list: PresetSyntax[] = [];
    const ok = parser.block('the presets', () => {
      const one = parser.node('preset', () => readPreset(parser));
      if (one === undefined) parser.skipEntry();
      else list.push(one);
    });
    return ok ? list : undefined;
  },
};

function readPreset(parser: Parser): PresetSyntax | undefined {
  const name = parser.name('the name of a preset');
  if (name === undefined || !parser.expect(':')) return undefined;
  const values: PresetSyntax['values'][number][] = [];
  const ok = parser.block(`the values of \`${name.value}\``, () => {
    const { token } = parser;
    if (token.kind !== 'word')
      parser.error('E001', token.at, `expected the name of a var, found ${describe(token)}`);
    const key = token.kind === 'word' ? parser.name('the name of a var') : undefined;
    const value = key && parser.expect(':') ? readLiteral(parser, `a value for \`${key.value}\``) : undefined;
    if (key && value) values.push({ name: key, value });
    else parser.skipEntry();
  });
  return ok ? { name, values } : undefined;
}
