import type { Notice } from './sheet.ts';

/** The lines for this page alone, oldest first; `draw` hears of each change. */
export class Notices {
  readonly #draw: (notices: readonly Notice[]) => void;
  #all: readonly Notice[] = [];
  #told = 0;

  constructor(draw: (notices: readonly Notice[]) => void) {
    this.#draw = draw;
  }

  /** The same words again are the same line, come last. One that is `unsent` holds until a message was taken. */
  tell(severity: Notice['severity'], text: string, { unsent = false } = {}): void {
    this.#told++;
    const others = this.#all.filter(notice => notice.text !== text);
    this.#show([...others, { id: this.#told, severity, text, ...(unsent ? { unsent } : {}) }]);
  }

  dismiss(id: number): void {
    this.#show(this.#all.filter(notice => notice.id !== id));
  }

  /** A message was taken: what was said of words that were not is past. */
  taken(): void {
    if (this.#all.some(({ unsent }) => unsent)) this.#show(this.#all.filter(({ unsent }) => !unsent));
  }

  clear(): void {
    this.#show([]);
  }

  #show(notices: readonly Notice[]): void {
    this.#all = notices;
    this.#draw(notices);
  }
}
