import type { Diagnostic, Position } from '../diagnostic.ts';

/** Where a diagnostic belongs. The file is the main source unless another one is named. */
export interface Place {
  readonly at: Position;
  readonly file?: string | undefined;
  readonly node?: string | undefined;
  readonly edge?: string | undefined;
  readonly fix?: string | undefined;
}

/** Collects what the checks find, in the order they find it. */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  error(code: string, message: string, place: Place): void {
    this.#add(code, 'error', message, place);
  }

  warn(code: string, message: string, place: Place): void {
    this.#add(code, 'warning', message, place);
  }

  #add(code: string, severity: Diagnostic['severity'], message: string, place: Place): void {
    const { fix, at, node, edge } = place;
    this.diagnostics.push({
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
