import { endsLine } from '../lex/token.ts';
import { bool, item, items, str } from './kinds.ts';
import type { Parser, Spanned } from './parser.ts';
import { type Kind, type Properties, readProperties } from './properties.ts';

const SECRET = {
  value: str,
  as: item,
  mount_path: str,
  env: str,
  optional: bool,
  hosts: items,
  description: str,
} as const;

/** A secret that a run is given: as a value or a file, and the hosts it may be sent to. */
export interface SecretSyntax {
  readonly name: Spanned<string>;
  readonly properties: Properties<typeof SECRET>;
}

/** Profile 2: `name:` lines, each with an optional block. */
export const secrets: Kind<readonly SecretSyntax[]> = {
  profile: 2,
  read: parser => {
    const list: SecretSyntax[] = [];
    const ok = parser.block('the secrets', () => {
      const one = parser.node('secret', () => readSecret(parser));
      if (one === undefined) parser.skipEntry();
      else list.push(one);
    });
    return ok ? list : undefined;
  },
};

function readSecret(parser: Parser): SecretSyntax | undefined {
  const name = parser.name('the name of a secret');
  if (name === undefined || !parser.expect(':')) return undefined;
  if (!endsLine(parser.token) && parser.token.kind !== 'eof') {
    parser.expected(`the properties of \`${name.value}\`, indented`);
    return undefined;
  }
  parser.skipLineEnds();
  const nested = parser.token.kind === 'indent';
  const properties = nested ? readProperties(parser, SECRET, 'a secret') : undefined;
  return { name, properties: properties ?? {} };
}
