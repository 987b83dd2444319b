import type { Spanned } from './parse/parser.ts';
import type { Value } from './value.ts';

/** The texts of a bot that the language reads. */
export interface BundleSource {
  /** The source of the graph. */
  readonly main: string;
  /** The name its diagnostics carry; `main.bot` unless given. */
  readonly mainName?: string;
  /** Prompts in files of their own, by the name they are used by: `reply` for `prompts/reply.md`. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Presets in files of their own; one of the graph comes before a file of its name. */
  readonly presets?: readonly BundlePreset[];
}

/** A preset in a file of its own, as whoever reads the bundle understood it. */
export interface BundlePreset {
  /** `deep` for `presets/deep.md`. */
  readonly name: string;
  /** The file inside the bundle, for diagnostics. */
  readonly file: string;
  /** What it is for, in one line; empty where nothing is said. */
  readonly note: string;
  readonly values: readonly { readonly name: Spanned<string>; readonly value: PresetValue }[];
}

/** A value and how it was written; `is` is also what diagnostics call it. Only the last three fit no var. */
export interface PresetValue extends Spanned<Value> {
  readonly is:
    | 'string'
    | 'int'
    | 'float'
    | 'bool'
    | 'list of strings'
    | 'list'
    | 'number out of range'
    | 'map'
    | 'null';
}
