import type { Terminal } from '@earendil-works/pi-tui';

/** What is used of a terminal emulator. */
export interface Screen {
  readonly cols: number;
  readonly rows: number;
  write(data: string, done?: () => void): void;
  resize(columns: number, rows: number): void;
  readonly buffer: {
    readonly active: {
      readonly type: string;
      readonly baseY: number;
      getLine(row: number): { translateToString(trimRight: boolean): string } | undefined;
    };
  };
}

/** The rows of a screen as text, once everything written so far is on it. */
export async function screenText(screen: Screen): Promise<string> {
  await new Promise<void>(resolve => screen.write('', resolve));
  const { active } = screen.buffer;
  const rows = Array.from({ length: screen.rows }, (_, at) =>
    active.getLine(active.baseY + at)?.translateToString(true),
  );
  return rows.join('\n').trimEnd();
}

/** For tests: a terminal whose screen can be read and whose keys can be pressed. */
export class TestTerminal implements Terminal {
  readonly #screen: Screen;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  /** All that was written. */
  raw = '';
  title = '';
  started = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
    this.started = true;
  }
  stop(): void {
    this.started = false;
  }
  async drainInput(): Promise<void> {}
  write(data: string): void {
    this.raw += data;
    this.#screen.write(data);
  }
  get columns(): number {
    return this.#screen.cols;
  }
  get rows(): number {
    return this.#screen.rows;
  }
  get kittyProtocolActive(): boolean {
    return false;
  }
  moveBy(lines: number): void {
    this.write(lines > 0 ? `\u001b[${lines}B` : `\u001b[${-lines}A`);
  }
  hideCursor(): void {
    this.write('\u001b[?25l');
  }
  showCursor(): void {
    this.write('\u001b[?25h');
  }
  clearLine(): void {
    this.write('\u001b[2K');
  }
  clearFromCursor(): void {
    this.write('\u001b[J');
  }
  clearScreen(): void {
    this.write('\u001b[2J');
  }
  setTitle(title: string): void {
    this.title = title;
  }
  setProgress(): void {}
  setProgramStatus(): void {}

  /** Presses keys, one after the other: characters one by one, and named ones. */
  press(...keys: string[]): void {
    for (const key of keys) {
      const named = KEYS[key];
      if (named !== undefined) this.#onInput(named);
      else for (const character of key) this.#onInput(character);
    }
  }

  paste(text: string): void {
    this.#onInput(`\u001b[200~${text}\u001b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#onResize();
  }

  /** What is on the screen now. */
  text(): Promise<string> {
    return screenText(this.#screen);
  }

  /** Whether the screen is the one that is kept for full-screen programs. */
  async isAlternate(): Promise<boolean> {
    await this.text();
    return this.#screen.buffer.active.type === 'alternate';
  }

  /** Resolves when the screen shows the words; the test's own guard ends it otherwise. */
  async shows(...words: string[]): Promise<void> {
    for (;;) {
      const text = await this.text();
      if (words.every(word => text.includes(word))) return;
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }

  async hides(word: string): Promise<void> {
    while ((await this.text()).includes(word)) await new Promise(resolve => setTimeout(resolve, 5));
  }
}

const KEYS: Record<string, string> = {
  '<enter>': '\r',
  '<alt-enter>': '\u001b\r',
  '<up>': '\u001b[A',
  '<down>': '\u001b[B',
  '<pageup>': '\u001b[5~',
  '<pagedown>': '\u001b[6~',
  '<escape>': '\u001b',
  '<ctrl-c>': '\u0003',
  '<ctrl-d>': '\u0004',
  '<backspace>': '\u007f',
};
