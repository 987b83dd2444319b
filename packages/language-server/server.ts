import { setTimeout } from 'node:timers/promises';
import { format } from '@hearth/language/format/format.ts';
import {
  CodeActionKind,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { atPlace, ofDocument } from './asked.ts';
import type { Bundles } from './bundles.ts';
import { completionsAt, completionsInPrompt } from './completion.ts';
import { Desk, isGraph } from './desk.ts';
import { Diagnosing } from './diagnosing.ts';
import { changeBetween, codeActionsOf, symbolsOf } from './editing.ts';
import { hoverAt } from './hovering.ts';
import { definitionAt, referencesAt, renameableAt, renamingOf } from './navigation.ts';

/*
 * The language server: diagnostics, hover, definitions, references, renaming, completion, formatting, the outline. It
 * answers any request about any text; of a document that is not of the language there is nothing to say.
 */

const CAPABILITIES: InitializeResult['capabilities'] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  completionProvider: { triggerCharacters: ['.', '{', ':', ' ', '>', '[', ','] },
  documentFormattingProvider: true,
  documentSymbolProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
};

/** Milliseconds between an edit and its check: less than anybody sees, and longer than a burst of edits takes. */
const REST = 20;

/** Serves the client at the other end of two streams. Its `exit` ends the process: with 0 after `shutdown`, else with 1. */
export function serve(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  bundles: Bundles,
  version: string,
): void {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const desk = new Desk(documents, bundles);
  const diagnosing = new Diagnosing(
    desk,
    params => connection.sendDiagnostics(params),
    () => setTimeout(REST),
  );
  const touch = (uri: string): void => {
    diagnosing
      .touch(uri)
      .catch((error: unknown) => connection.console.error(`The check of ${uri} failed: ${String(error)}`));
  };
  const touchAll = (): void => {
    for (const document of desk.all()) touch(document.uri);
  };

  let watches = false;
  connection.onInitialize(({ capabilities }) => {
    watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return { capabilities: CAPABILITIES, serverInfo: { name: 'hearth', version } };
  });
  connection.onInitialized(async () => {
    if (!watches) return;
    const watchers = [{ globPattern: '**/*.{bot,iter,md,yaml}' }];
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  });
  connection.onDidChangeWatchedFiles(touchAll);

  documents.onDidChangeContent(({ document }) => touch(document.uri));
  documents.onDidSave(touchAll);
  documents.onDidClose(({ document }) => touch(document.uri));

  connection.onHover(
    atPlace(async ({ textDocument, position }) => {
      const open = await desk.open(textDocument.uri);
      return open === null
        ? null
        : hoverAt(open, open.document.offsetAt(position), diagnosing.saidOf(textDocument.uri));
    }),
  );
  connection.onDefinition(
    atPlace(async ({ textDocument, position }) => {
      const open = await desk.open(textDocument.uri);
      return open === null ? null : definitionAt(desk, open, open.document.offsetAt(position));
    }),
  );
  connection.onReferences(
    atPlace(async ({ textDocument, position, context }) => {
      const open = await desk.open(textDocument.uri);
      return open === null
        ? null
        : referencesAt(desk, open, open.document.offsetAt(position), context?.includeDeclaration === true);
    }),
  );
  connection.onPrepareRename(
    atPlace(async ({ textDocument, position }) => {
      const open = await desk.open(textDocument.uri);
      return open === null ? null : renameableAt(open, open.document.offsetAt(position));
    }),
  );
  connection.onRenameRequest(
    atPlace(async ({ textDocument, position, newName }) => {
      const open = await desk.open(textDocument.uri);
      if (open === null) return null;
      const renaming = renamingOf(desk, open, open.document.offsetAt(position), newName);
      return typeof renaming === 'string'
        ? new ResponseError(LSPErrorCodes.RequestFailed, renaming)
        : renaming;
    }),
  );
  connection.onCompletion(
    atPlace(async ({ textDocument, position }) => {
      const open = await desk.open(textDocument.uri);
      if (open === null) return null;
      const { document, graph, prompts, prompt } = open;
      const known = { source: graph.source, prompts: prompts.keys() };
      const offset = document.offsetAt(position);
      if (prompt === null) return [...completionsAt(known, offset)];
      return [...completionsInPrompt(known, prompt, document.getText().slice(0, offset))];
    }),
  );
  connection.onDocumentFormatting(
    ofDocument(({ textDocument }) => {
      const document = desk.get(textDocument.uri);
      if (document === undefined || !isGraph(document)) return null;
      const result = format(document.getText(), 'main.bot');
      return result.is === 'broken' ? [] : changeBetween(document, result.text);
    }),
  );
  connection.onDocumentSymbol(
    ofDocument(async ({ textDocument }) => {
      const open = await desk.open(textDocument.uri);
      return open === null || open.prompt !== null ? null : symbolsOf(open.graph);
    }),
  );
  connection.onCodeAction(
    ofDocument(({ textDocument, context }) => {
      const document = desk.get(textDocument.uri);
      return document === undefined ? null : codeActionsOf(document, context?.diagnostics ?? []);
    }),
  );

  documents.listen(connection);
  connection.listen();
}
