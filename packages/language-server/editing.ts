import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type DocumentSymbol,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Graph } from './desk.ts';
import { mendOf } from './mending.ts';
import { type Entry, outlineOf } from './outline.ts';

/** The one edit that turns a document into a text: what both begin and end with stays, so that cursors stay too. */
export function changeBetween(document: TextDocument, text: string): TextEdit[] {
  const old = document.getText();
  if (old === text) return [];
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  // Neither end may part a pair of units that are one character, or a carriage return from its line feed.
  while (start > 0 && /[\r\ud800-\udbff]/.test(old[start - 1] ?? '')) start -= 1;
  while (end > 0 && /[\n\udc00-\udfff]/.test(old[old.length - end] ?? '')) end -= 1;
  const range = { start: document.positionAt(start), end: document.positionAt(old.length - end) };
  return [{ range, newText: text.slice(start, text.length - end) }];
}

/** The outline of a graph. */
export function symbolsOf({ document, source }: Graph): DocumentSymbol[] {
  const symbol = (entry: Entry): DocumentSymbol => ({
    name: entry.name,
    detail: entry.detail,
    kind: entry.kind,
    range: { start: document.positionAt(entry.start), end: document.positionAt(entry.end) },
    selectionRange: { start: document.positionAt(entry.nameStart), end: document.positionAt(entry.nameEnd) },
    children: entry.children.map(symbol),
  });
  return outlineOf(source).map(symbol);
}

/** Quick fixes: the word that was probably meant. */
export function codeActionsOf(document: TextDocument, diagnostics: readonly Diagnostic[]): CodeAction[] {
  return diagnostics.flatMap(diagnostic => {
    if (diagnostic.source !== 'hearth') return [];
    const meant = mendOf(diagnostic, document.getText(diagnostic.range));
    if (meant === null) return [];
    const edit = { changes: { [document.uri]: [{ range: diagnostic.range, newText: meant }] } };
    return [
      {
        title: `Write \`${meant}\``,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: true,
        edit,
      },
    ];
  });
}
