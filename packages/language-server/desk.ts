import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Bundle, Bundles, File } from './bundles.ts';
import { type Name, namesIn, namesInPrompt } from './names.ts';
import { Shapes } from './shapes.ts';
import { Source } from './source.ts';

/*
 * The documents that are open, and the bundle around each. A document is a graph or a prompt in a file of its own; of
 * any other kind there is nothing to say.
 */

/** A graph with all its names. */
export interface Graph {
  readonly document: TextDocument;
  readonly source: Source;
  readonly names: readonly Name[];
}

/** A document that somebody asks about. */
export interface Open {
  readonly document: TextDocument;
  readonly graph: Graph;
  /** Prompts in files of their own. */
  readonly prompts: ReadonlyMap<string, File>;
  /** The name of the prompt that the document is; `null` when it is the graph. */
  readonly prompt: string | null;
  /** The names in the document itself. */
  readonly names: readonly Name[];
}

const NONE: ReadonlyMap<string, File> = new Map();

/** The open documents of one editor. What was parsed is kept for as long as its text is the latest. */
export class Desk {
  readonly #documents: TextDocuments<TextDocument>;
  readonly #bundles: Bundles;
  readonly #graphs = new WeakMap<TextDocument, { readonly version: number; readonly graph: Graph }>();

  constructor(documents: TextDocuments<TextDocument>, bundles: Bundles) {
    this.#documents = documents;
    this.#bundles = bundles;
  }

  get(uri: string): TextDocument | undefined {
    return this.#documents.get(uri);
  }

  all(): readonly TextDocument[] {
    return this.#documents.all();
  }

  /** The bundle that a document belongs to, with what is not saved. */
  async bundleOf(uri: string): Promise<Bundle | null> {
    const path = pathOf(uri);
    return path === null ? null : this.#bundles.read(path, at => this.#at(at)?.getText());
  }

  /** The document with what is around it; `null` when there is nothing to say of it. */
  async open(uri: string): Promise<Open | null> {
    const document = this.get(uri);
    if (document === undefined) return null;
    const bundle = await this.bundleOf(uri);
    const prompts = bundle?.prompts ?? NONE;
    if (isGraph(document)) {
      const graph = this.#graph(document);
      return { document, graph, prompts, prompt: null, names: graph.names };
    }
    const path = pathOf(uri);
    const [prompt] = [...prompts].find(([, file]) => file.path === path) ?? [];
    if (bundle === null || prompt === undefined) return null;
    const graph = this.#graph(this.documentOf(bundle.main));
    const names = namesInPrompt(document.getText(), prompt, new Shapes(graph.source.parsed.file));
    return { document, graph, prompts, prompt, names };
  }

  /** A file as a document: the open one, or one made of its text. */
  documentOf({ path, text }: File): TextDocument {
    return this.#at(path) ?? TextDocument.create(pathToFileURL(path).href, 'bot', 0, text);
  }

  #graph(document: TextDocument): Graph {
    const known = this.#graphs.get(document);
    if (known?.version === document.version) return known.graph;
    const source = new Source(document.getText(), 'main.bot');
    const graph = { document, source, names: namesIn(source) };
    this.#graphs.set(document, { version: document.version, graph });
    return graph;
  }

  #at(path: string): TextDocument | undefined {
    return this.#documents.all().find(one => pathOf(one.uri) === path);
  }
}

/** Whether a document is a graph, by its language or its name. */
export function isGraph({ languageId, uri }: TextDocument): boolean {
  return languageId === 'bot' || /\.(?:bot|iter)$/.test(uri);
}

function pathOf(uri: string): string | null {
  if (!uri.startsWith('file:')) return null;
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
