import type { Diagnostic, Position } from '../diagnostic.ts';
import type { PassedDeclaration } from './later-declaration.ts';
import type { Spanned } from './parser.ts';

/** The likely fix, or how to find it: looking for the nearest name takes its time. */
export type Fix = string | undefined | (() => string | undefined);

/** A property of the wider language that was passed over: its word, what is written for it, and what it belongs to. */
export interface PassedOver {
  readonly word: string;
  readonly at: Position;
  /** The words of its line behind the colon, without what is between them. */
  readonly value: Spanned<string>;
  /** The name of the declaration around it. */
  readonly owner: string;
}

/** How many errors of one file are told one by one. */
const MOST = 500;

/** What is said of a file while it is read. A hopeless file gets a bounded number of errors. */
export class Complaints {
  /** Features of the wider language that were passed over, each told as H003. */
  readonly unsupported: Spanned<string>[] = [];
  readonly passedOver: PassedOver[] = [];
  readonly passedDeclarations: PassedDeclaration[] = [];
  readonly #file: string;
  readonly #diagnostics: Diagnostic[] = [];
  #errors = 0;

  constructor(file: string) {
    this.#file = file;
  }

  error(code: string, at: Position, message: string, fix?: Fix): void {
    this.#errors += 1;
    if (this.#errors > MOST) return;
    const text = typeof fix === 'function' ? fix() : fix;
    const place = { severity: 'error', file: this.#file, at } as const;
    this.#diagnostics.push({ code, message, ...place, ...(text === undefined ? {} : { fix: text }) });
  }

  later(at: Position, feature: string): void {
    if (this.unsupported.length >= MOST) return;
    this.unsupported.push({ value: feature, at });
    const message = `${feature} are not supported yet`;
    this.#diagnostics.push({ code: 'H003', severity: 'warning', message, file: this.#file, at });
  }

  passOver(property: PassedOver): void {
    if (this.passedOver.length < MOST) this.passedOver.push(property);
  }

  /** All diagnostics, once the file is read; the last error of too many says how many follow. */
  finish(): readonly Diagnostic[] {
    const more = this.#errors - MOST;
    const last = this.#diagnostics.findLastIndex(one => one.severity === 'error');
    const one = this.#diagnostics[last];
    if (more <= 0 || one === undefined) return this.#diagnostics;
    return this.#diagnostics.with(last, { ...one, message: `${one.message}; ${more} more errors follow` });
  }
}
