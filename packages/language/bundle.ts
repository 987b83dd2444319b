/** The texts of a bot that the language reads. */
export interface BundleSource {
  /** The source of the graph. */
  readonly main: string;
  /** The name its diagnostics carry; `main.bot` unless given. */
  readonly mainName?: string;
  /** Prompts in files of their own, by the name they are used by: `reply` for `prompts/reply.md`. */
  readonly prompts?: Readonly<Record<string, string>>;
}
