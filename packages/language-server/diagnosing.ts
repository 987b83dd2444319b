import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Diagnostic as Found, Position } from '@hearth/language/diagnostic.ts';
import {
  type Diagnostic,
  DiagnosticSeverity,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Desk, isGraph } from './desk.ts';
import { rangesIn, Source } from './source.ts';

/*
 * Diagnostics as one types. Only the latest text counts: what changes before a bundle is checked, or meanwhile, is checked
 * once, however often it changed. Nothing is said any more of a bundle of which nothing is open.
 */

/** Checks what changed and publishes what differs from what was said last. */
export class Diagnosing {
  readonly #desk: Desk;
  readonly #publish: (params: PublishDiagnosticsParams) => Promise<void>;
  readonly #rest: () => Promise<void>;
  readonly #due = new Set<string>();
  /** What was said last, by document. */
  readonly #said = new Map<string, readonly Diagnostic[]>();
  /** The documents of which a check spoke, by the document that it began with. */
  readonly #spoken = new Map<string, ReadonlySet<string>>();
  #running = false;

  /** `rest` gives the edits that have arrived already the time to be taken, since a check gives none. */
  constructor(
    desk: Desk,
    publish: (params: PublishDiagnosticsParams) => Promise<void>,
    rest: () => Promise<void>,
  ) {
    this.#desk = desk;
    this.#publish = publish;
    this.#rest = rest;
  }

  /** What was said last about a document. */
  saidOf(uri: string): readonly Diagnostic[] {
    return this.#said.get(uri) ?? [];
  }

  /** A document was opened, changed or closed. */
  async touch(uri: string): Promise<void> {
    this.#due.add(uri);
    if (this.#running) return;
    this.#running = true;
    try {
      for (const next of this.#due) {
        await this.#rest();
        this.#due.delete(next);
        await this.#check(next);
      }
    } finally {
      this.#running = false;
    }
  }

  async #check(uri: string): Promise<void> {
    const document = this.#desk.get(uri);
    const said =
      document === undefined ? new Map<string, readonly Diagnostic[]>() : await this.#diagnose(document);
    const before = this.#spoken.get(uri) ?? new Set();
    this.#spoken.set(uri, new Set(said.keys()));
    if (document === undefined) this.#spoken.delete(uri);
    for (const [about, diagnostics] of said) await this.#say(about, diagnostics);
    for (const about of before) {
      if (said.has(about) || [...this.#spoken.values()].some(one => one.has(about))) continue;
      await this.#say(about, []);
    }
  }

  async #say(uri: string, diagnostics: readonly Diagnostic[]): Promise<void> {
    this.#said.set(uri, diagnostics);
    if (diagnostics.length === 0 && this.#desk.get(uri) === undefined) this.#said.delete(uri);
    const version = this.#desk.get(uri)?.version;
    await this.#publish({
      uri,
      diagnostics: [...diagnostics],
      ...(version === undefined ? {} : { version }),
    });
  }

  async #diagnose(document: TextDocument): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const bundle = await this.#desk.bundleOf(document.uri);
    if (bundle === null) {
      if (!isGraph(document)) return new Map();
      const { diagnostics } = compileBundle({ main: document.getText() });
      return new Map([[document.uri, placed(document, diagnostics)]]);
    }
    const files = [bundle.main, ...bundle.prompts.values()];
    const texts = new Map(files.map(file => [file.path, this.#desk.documentOf(file)]));
    const found = new Map<TextDocument, Found[]>(Array.from(texts.values(), one => [one, []]));
    for (const { path, diagnostic } of bundle.diagnostics) {
      const about = texts.get(path) ?? this.#desk.documentOf({ path, text: '' });
      texts.set(path, about);
      const list = found.get(about) ?? [];
      found.set(about, list);
      list.push(diagnostic);
    }
    return new Map(Array.from(found, ([about, list]) => [about.uri, placed(about, list)]));
  }
}

/** Diagnostics as an editor takes them. */
function placed(document: TextDocument, found: readonly Found[]): readonly Diagnostic[] {
  if (found.length === 0) return [];
  const text = document.getText();
  const source = isGraph(document) ? new Source(text, 'main.bot') : null;
  const rangeOf = source === null ? rangesIn(text) : (at: Position) => source.rangeAt(at);
  return found.map(({ code, severity, message, fix, at }) => {
    const { start, end } = rangeOf(at);
    return {
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      code,
      source: 'hearth',
      message: fix === undefined ? message : `${message}\n${fix}`,
    };
  });
}
