import type { Diagnostic } from '@hearth/language/diagnostic.ts';

/*
 * What lies around a source. The server asks for it through this port, so that whoever starts it decides how bundles
 * are found and what is checked beside the graph.
 */

/** A file as the editor or the disk has it. */
export interface File {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** A bundle, and what is wrong with it beside the graph. */
export interface Bundle {
  readonly main: File;
  /** Prompts in files of their own, by the name they are used by. */
  readonly prompts: ReadonlyMap<string, File>;
  readonly diagnostics: readonly { readonly path: string; readonly diagnostic: Diagnostic }[];
}

/** How the server finds what lies around a source. */
export interface Bundles {
  /**
   * The bundle that a file belongs to, as it would be with the texts that editors have not saved. `null` when the file
   * belongs to none. Rejects never.
   */
  read(path: string, unsaved: (path: string) => string | undefined): Promise<Bundle | null>;
}
