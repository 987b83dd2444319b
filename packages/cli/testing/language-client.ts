import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type Range,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';

const LAUNCHER = fileURLToPath(new URL('../../../bin/hearth.js', import.meta.url));

/** An editor, as far as the protocol goes, that talks to a `hearth lsp` of its own. */
export class LanguageClient {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  /** The exit code, once the server has ended. */
  readonly ended: Promise<number | null>;
  /** How often diagnostics have come, of whatever document. */
  heard = 0;
  readonly #versions = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  readonly #said = new Map<string, PublishDiagnosticsParams>();
  #hear: () => void = () => undefined;

  constructor() {
    const child = spawn(process.execPath, [LAUNCHER, 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.process = child;
    this.ended = new Promise(resolve => child.once('exit', resolve));
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.connection.onNotification(PublishDiagnosticsNotification.type, params => {
      this.heard += 1;
      this.#said.set(params.uri, params);
      this.#hear();
    });
    this.connection.listen();
  }

  async start(): Promise<InitializeResult> {
    const asked = this.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    const result = await Promise.race([asked, this.ended]);
    if (result === null || typeof result === 'number') throw new Error(`the server ended with ${result}`);
    await this.connection.sendNotification(InitializedNotification.type, {});
    return result;
  }

  /** Opens a file with the text that it has, or with another; answers its address. */
  async open(path: string, text: string = readFileSync(path, 'utf8'), languageId = 'bot'): Promise<string> {
    const uri = path.includes(':') ? path : pathToFileURL(path).href;
    this.#versions.set(uri, 1);
    this.#texts.set(uri, text);
    this.#said.delete(uri);
    const textDocument = { uri, languageId, version: 1, text };
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    return uri;
  }

  /** Replaces a range, or all of a document. */
  async change(uri: string, text: string, range?: Range): Promise<void> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    const contentChanges = [range === undefined ? { text } : { range, text }];
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  async close(uri: string): Promise<void> {
    this.#said.delete(uri);
    this.#versions.delete(uri);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** What the server says of the document's latest version, or, of one that is not open, next. */
  async diagnostics(uri: string): Promise<readonly Diagnostic[]> {
    for (;;) {
      const said = this.#said.get(uri);
      const version = this.#versions.get(uri);
      if (said !== undefined && said.version === version) {
        return said.diagnostics;
      }
      await new Promise<void>(resolve => {
        this.#hear = resolve;
      });
    }
  }

  /** The place of a piece of the text that was opened, in UTF-16 units; `|` marks the place inside of it. */
  place(uri: string, piece: string): Position {
    const [before = '', after = ''] = piece.split('|');
    const text = this.#texts.get(uri) ?? '';
    const offset = text.indexOf(before + after) + before.length;
    const lines = text.slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }

  async stop(): Promise<number | null> {
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    return this.ended;
  }
}
