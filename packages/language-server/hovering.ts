import type { Diagnostic, Hover } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Open } from './desk.ts';
import { aboutCode, aboutName, aboutNamespace, aboutWord } from './hover.ts';
import { nameAt } from './navigation.ts';

/** What is to be said at a place: of its diagnostics, and of the name or the word there. */
export function hoverAt(open: Open, offset: number, diagnostics: readonly Diagnostic[]): Hover | null {
  const { document, graph, prompts } = open;
  const codes = diagnostics
    .filter(({ range }) => document.offsetAt(range.start) <= offset && offset < document.offsetAt(range.end))
    .map(({ code }) => code);
  const name = nameAt(open, offset);
  const word = wordAt(document, offset);
  const about =
    name === undefined
      ? (namespaceAt(document, word) ?? (open.prompt === null ? aboutWord(graph.source, offset) : null))
      : aboutName(graph.source, graph.names, name, prompts);
  const parts = [...new Set(codes)].flatMap(code => aboutCode(String(code)) ?? []);
  const value = [...(about === null ? [] : [about]), ...parts].join('\n\n---\n\n');
  if (value === '') return null;
  const { start, end } = name ?? word;
  return {
    contents: { kind: 'markdown', value },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function wordAt(document: TextDocument, offset: number): Span {
  const text = document.getText();
  const before = /[\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0;
  const after = /^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 200))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}

/** A namespace, where one stands: right after braces, in front of a dot. */
function namespaceAt(document: TextDocument, { start, end }: Span): string | null {
  const text = document.getText();
  const opens = /\{\{\s*!?\s*$/.test(text.slice(Math.max(0, start - 20), start));
  return opens && text[end] === '.' ? aboutNamespace(text.slice(start, end)) : null;
}
