import type { Code } from './code.ts';

/** A diagnostic of a whole bundle; it has no single source as its example. */
export interface BundleCode extends Omit<Code, 'wrong' | 'right'> {
  /** A file of a bundle before and after, beside `BUNDLE_MAIN`; absent where no text shows the fault. */
  readonly example?: { readonly file: string; readonly wrong: string; readonly right: string };
}

/** What a code says beside its name and severity. */
export type Rest = Pick<Code, 'meaning' | 'mend'>;

/** A code that a manifest gets. */
export const manifest = (
  severity: Code['severity'],
  code: string,
  rest: Rest,
  wrong: string,
  right: string,
): BundleCode => ({ code, severity, ...rest, example: { file: 'manifest.yaml', wrong, right } });

/** A code that a skill gets. */
export const skill = (code: string, rest: Rest, wrong: string, right: string): BundleCode => ({
  code,
  severity: 'warning',
  ...rest,
  example: { file: 'skills/listen/SKILL.md', wrong, right },
});

/** A code that a preset in a file of its own gets. */
export const preset = (
  severity: Code['severity'],
  code: string,
  rest: Rest,
  wrong: string,
  right: string,
): BundleCode => ({ code, severity, ...rest, example: { file: 'presets/deep.md', wrong, right } });

/** A code whose fault no single file beside the graph shows. */
export const unseen = (severity: Code['severity'], code: string, rest: Rest): BundleCode => ({
  code,
  severity,
  ...rest,
});
