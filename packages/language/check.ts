import type { BundleSource } from './bundle.ts';
import { compileBundle } from './compile/compile.ts';
import type { Diagnostic } from './diagnostic.ts';

/** All that is to be said about a bundle, without its plan. */
export function checkBundle(source: BundleSource): readonly Diagnostic[] {
  return compileBundle(source).diagnostics;
}
