import { EXPLANATIONS } from '@hearth/language/codes/explanations.ts';
import { CLAUSES, MODIFIERS, NAMESPACES, TYPES, VOCABULARY } from '@hearth/language/vocabulary/vocabulary.ts';
import type { PropertyWord } from '@hearth/language/vocabulary/word.ts';
import { aroundAt } from './context.ts';
import type { File } from './bundles.ts';
import { type Name, sameThing } from './names.ts';
import type { Source } from './source.ts';

/*
 * What a name or a word is, as Markdown: a name by its declaration as it is written, a word of the language by the
 * vocabulary, a diagnostic by what its code means.
 */

/** At most this much of a declaration is shown. */
const LINES = 16;

/** What a name is. */
export function aboutName(
  source: Source,
  names: readonly Name[],
  name: Name,
  prompts: ReadonlyMap<string, File>,
): string {
  const declared = names.find(one => one.role === 'declared' && sameThing(one, name));
  if (declared !== undefined) {
    const of =
      name.kind === 'field'
        ? ` of the schema \`${name.owner}\``
        : name.kind === 'action'
          ? ` of \`${name.owner}\``
          : '';
    return `${name.kind} \`${name.text}\`${of}\n\n${fenced(declarationAt(source, declared))}`;
  }
  const file = name.kind === 'prompt' ? prompts.get(name.text) : undefined;
  if (file !== undefined)
    return `prompt \`${name.text}\`, in \`prompts/${name.text}.md\`\n\n${fenced(file.text)}`;
  if (name.kind === 'node' && name.text === 'done')
    return 'node `done`\n\nEnds the run well. It is always there.';
  if (name.kind === 'node' && name.text === 'fail')
    return 'node `fail`\n\nEnds the run as failed. It is always there.';
  return `${name.kind} \`${name.text}\``;
}

/** What a word of the language is where it stands; `null` when it is none there. */
export function aboutWord(source: Source, offset: number): string | null {
  const index = source.indexAt(offset);
  const found = source.tokens[index];
  if (found === undefined || found.start > offset || found.token.kind !== 'word') return null;
  const { text } = found.token;
  const around = aroundAt(source, found.start);
  const declaration = VOCABULARY.find(one => one.name === text);
  if (around.kind === '' && found.token.at.column === 1) {
    return declaration === undefined ? null : `\`${declaration.header}\`\n\n${declaration.means}`;
  }
  const before = source.tokens[index - 1]?.token;
  const after = source.tokens[index + 1]?.token.text;
  const property = propertyIn(around.kind, around.path, text);
  if (after === ':' && property !== undefined)
    return `\`${property.name}: ${property.takes}\`\n\n${property.means}`;
  if (around.path.at(-1) === 'actions') return formOf(MODIFIERS[text]);
  if (before?.text === ':') return TYPES[text] === undefined ? null : `type \`${text}\`\n\n${TYPES[text]}`;
  const onEdge =
    around.kind === 'workflow' && before?.at.line === found.token.at.line && before.text !== '->';
  return onEdge ? formOf(CLAUSES[text]) : null;
}

/** What a namespace of a reference holds. */
export function aboutNamespace(text: string): string | null {
  const means = NAMESPACES[text];
  return means === undefined ? null : `\`${text}\`\n\n${means}`;
}

/** What a code means and how to mend it. */
export function aboutCode(code: string): string | null {
  const found = EXPLANATIONS.find(one => one.code === code);
  return found === undefined ? null : `**${code}**: ${found.meaning}.\n\nTo mend it: ${found.mend}.`;
}

function formOf(found: { readonly form: string; readonly means: string } | undefined): string | null {
  return found === undefined ? null : `\`${found.form}\`\n\n${found.means}`;
}

function propertyIn(kind: string, path: readonly string[], name: string): PropertyWord | undefined {
  let words = VOCABULARY.find(one => one.name === kind)?.properties ?? [];
  const entries = kind === 'attachments' || kind === 'secrets';
  for (const one of entries ? path.slice(1) : path)
    words = words.find(word => word.name === one)?.inside ?? [];
  return words.find(word => word.name === name);
}

/** A declaration as it is written: its line, and the lines below that are indented more. */
function declarationAt({ text }: Source, { start }: Name): string {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const [first = '', ...rest] = text.slice(begin, begin + 4000).split(/\r?\n/);
  const indent = indentOf(first);
  const end = rest.findIndex(line => line.trim() !== '' && indentOf(line) <= indent);
  const lines = [first, ...(end < 0 ? rest : rest.slice(0, end))].map(line => line.slice(indent));
  return lines.join('\n').trimEnd();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function fenced(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.length > LINES ? [...lines.slice(0, LINES), '…'] : lines;
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}bot\n${shown.join('\n')}\n${fence}`;
}
