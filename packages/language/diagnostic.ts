/** A place in a source: 1-based line and column, counted in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What the language has to say about a source. Codes are stable: E = syntax, C = compile, H = Hearth's own. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** One sentence: what is wrong and where; the likely fix is in `fix`. */
  readonly message: string;
  readonly fix?: string;
  /** The file inside the bundle, for example `main.bot` or `prompts/reply.md`. */
  readonly file: string;
  readonly at: Position;
  /** The node the diagnostic is about. */
  readonly node?: string;
  /** The edge it is about, written `a -> b`. */
  readonly edge?: string;
}
