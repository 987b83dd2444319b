import type { Diagnostic, Position } from '../diagnostic.ts';

/** Where a diagnostic belongs, and the likely fix. The file is the main source unless another one is named. */
export interface Place {
  readonly at: Position;
  readonly file?: string | undefined;
  readonly node?: string | undefined;
  readonly edge?: string | undefined;
  /** A function is only asked when the diagnostic is told: looking for the nearest name takes time. */
  readonly fix?: string | (() => string | undefined) | undefined;
}

/** So many errors, and so many warnings, are told of a source; nobody reads more. */
const MOST = 1000;

/** Collects what the checks find, in the order they find it. */
export class Report {
  readonly #file: string;
  readonly #found: Diagnostic[] = [];
  readonly #counts = { error: 0, warning: 0 };

  constructor(file: string) {
    this.#file = file;
  }

  /** What was found. The last of too many says how many more there are. */
  get diagnostics(): readonly Diagnostic[] {
    return (['error', 'warning'] as const).reduce<readonly Diagnostic[]>((found, severity) => {
      const more = this.#counts[severity] - MOST;
      const last = found.findLastIndex(one => one.severity === severity);
      const one = found[last];
      if (more <= 0 || one === undefined) return found;
      return found.with(last, { ...one, message: `${one.message}; ${more} more ${severity}s follow` });
    }, this.#found);
  }

  error(code: string, message: string, place: Place): void {
    this.#add(code, 'error', message, place);
  }

  warn(code: string, message: string, place: Place): void {
    this.#add(code, 'warning', message, place);
  }

  #add(code: string, severity: Diagnostic['severity'], message: string, place: Place): void {
    this.#counts[severity] += 1;
    if (this.#counts[severity] > MOST) return;
    const { at, node, edge } = place;
    const fix = typeof place.fix === 'function' ? place.fix() : place.fix;
    this.#found.push({
      code,
      severity,
      message,
      ...(fix === undefined ? {} : { fix }),
      file: place.file ?? this.#file,
      at,
      ...(node === undefined ? {} : { node }),
      ...(edge === undefined ? {} : { edge }),
    });
  }
}
