import { describe } from '../lex/token.ts';
import { bool, str, strs } from './kinds.ts';
import type { Parser, Spanned } from './parser.ts';
import { INNER, type Kind, type Properties, readProperties } from './properties.ts';

const ATTACHMENT = { description: str, accept_mime: strs, required: bool } as const;

/** One file or image that a run is given, as declared. */
export interface AttachmentSyntax {
  readonly name: Spanned<string>;
  readonly type: 'file' | 'image';
  readonly properties: Properties<typeof ATTACHMENT>;
}

/** `name: file|image` lines, each with an optional block. */
export const attachments: Kind<readonly AttachmentSyntax[]> = {
  read: parser => {
    const list: AttachmentSyntax[] = [];
    const ok = parser.block('the attachments', () => {
      const one = parser.node('attachment', () => readAttachment(parser));
      if (one === undefined) parser.skipEntry();
      else list.push(one);
    });
    return ok ? list : undefined;
  },
};

function readAttachment(parser: Parser): AttachmentSyntax | undefined {
  const name = parser.name('the name of an attachment');
  if (name === undefined || !parser.expect(':')) return undefined;
  const { token } = parser;
  if (token.kind !== 'word' || (token.text !== 'file' && token.text !== 'image')) {
    parser.error('E021', token.at, `an attachment is a \`file\` or an \`image\`; found ${describe(token)}`);
  }
  if (token.kind !== 'word') return undefined;
  parser.take();
  const type = token.text === 'image' ? 'image' : 'file';
  parser.skipLineEnds();
  const nested = parser.token.kind === 'indent';
  const properties = nested ? readProperties(parser, ATTACHMENT, 'an attachment', INNER) : undefined;
  return { name, type, properties: properties ?? {} };
}
