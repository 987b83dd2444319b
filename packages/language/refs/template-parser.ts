import type { Profile } from '../lex/profile.ts';
import type { Template, TemplateRef } from './template.ts';

/** The namespaces that a reference may begin with. */
const NAMESPACES: readonly string[] = ['vars', 'input', 'outputs', 'artifacts', 'attachments', 'loop', 'run'];

/** The namespaces that a reference in a source of a profile may begin with. */
export const NAMESPACES_OF: Readonly<Record<Profile, readonly string[]>> = {
  1: NAMESPACES,
  2: [...NAMESPACES, 'secrets'],
};

/** A reference and where it begins in its text. */
export interface FoundRef {
  readonly ref: TemplateRef;
  readonly offset: number;
}

/** A text split into its parts, with each reference in it where it was found. */
export interface ParsedTemplate {
  readonly template: Template;
  readonly refs: readonly FoundRef[];
  /** Set when a reference is malformed. Then the whole text counts as plain. */
  readonly problem: { readonly offset: number; readonly message: string } | null;
}

/** Splits a text into literal parts and references. Never throws. */
export function parseTemplate(text: string, profile: Profile = 1): ParsedTemplate {
  const template: (string | TemplateRef)[] = [];
  const refs: FoundRef[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    if (open < 0) break;
    const close = text.indexOf('}}', open + 2);
    const body = close < 0 ? undefined : text.slice(open + 2, close);
    const parsed = body === undefined ? 'a `{{` that is never closed' : parseRef(body, profile);
    if (typeof parsed === 'string') return plain(text, open, parsed);
    if (open > from) template.push(text.slice(from, open));
    template.push(parsed);
    refs.push({ ref: parsed, offset: open });
    from = close + 2;
  }
  if (from < text.length) template.push(text.slice(from));
  return { template, refs, problem: null };
}

function plain(text: string, offset: number, message: string): ParsedTemplate {
  return { template: [text], refs: [], problem: { offset, message } };
}

/** Reads what stands between the braces; a string says why it is no reference. */
function parseRef(body: string, profile: Profile): TemplateRef | string {
  if (body.includes('{{')) return 'a `{{` that is never closed';
  const trimmed = body.trim();
  const raw = trimmed.startsWith('!');
  const path = (raw ? trimmed.slice(1).trim() : trimmed).split('.');
  const [first = ''] = path;
  const namespaces = NAMESPACES_OF[profile];
  if (!namespaces.includes(first)) {
    return `a reference begins with one of ${namespaces.join(', ')}, not with \`${first.slice(0, 40)}\``;
  }
  if (path.length < 2) return `the reference \`${first}\` names nothing inside of ${first}`;
  const written = `{{${body}}}`;
  const ref = { path, raw };
  return written === refText(ref) ? ref : { ...ref, written };
}

/** A reference as its author wrote it. */
export function refText(ref: TemplateRef): string {
  return ref.written ?? `{{${ref.raw ? '!' : ''}${ref.path.join('.')}}}`;
}

/** A template as its author wrote it. */
export function templateText(template: Template): string {
  return template.map(part => (typeof part === 'string' ? part : refText(part))).join('');
}
