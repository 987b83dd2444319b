import type { Diagnostic } from '../diagnostic.ts';

/** One code: what it means, how to mend it, and a source before and after. Tables, explanations and tests are made from this. */
export interface Code {
  readonly code: string;
  /** The severity it usually has. C018 is a warning for a router, which falls back to its first edge. */
  readonly severity: Diagnostic['severity'];
  /** What is wrong, as a noun: `a condition that is not a bool`. */
  readonly meaning: string;
  /** One sentence on what to write instead. */
  readonly mend: string;
  /** The smallest source that gets the code. */
  readonly wrong: string;
  /** The same source, mended: it does not get the code. */
  readonly right: string;
}

type Rest = Omit<Code, 'code' | 'severity'>;

/** A code that refuses the file. */
export function error(code: string, rest: Rest): Code {
  return { code, severity: 'error', ...rest };
}

/** A code that lets the file compile. */
export function warning(code: string, rest: Rest): Code {
  return { code, severity: 'warning', ...rest };
}
