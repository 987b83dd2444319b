import { execFileSync } from 'node:child_process';

/** A real terminal that a test types into and reads, on a tmux server of its own. */
export class Tmux {
  readonly #socket: string;
  readonly #name: string;

  constructor(
    name: string,
    size: { columns: number; rows: number },
    command: readonly string[],
    options: { cwd: string; env: NodeJS.ProcessEnv },
  ) {
    this.#socket = `hearth-test-${process.pid}`;
    this.#name = name;
    const env = Object.entries(options.env).flatMap(([key, value]) =>
      value === undefined || key === 'TMUX' ? [] : ['-e', `${key}=${value}`],
    );
    const quoted = command.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const size_ = ['-x', String(size.columns), '-y', String(size.rows)];
    // The exit code stays readable on the screen after the program has ended.
    this.#tmux(
      'new-session',
      '-d',
      '-s',
      name,
      ...size_,
      '-c',
      options.cwd,
      ...env,
      `${quoted}; echo "exit=$?"; sleep 600`,
    );
  }

  /** Types text as it stands. */
  type(text: string): void {
    this.#tmux('send-keys', '-t', this.#name, '-l', text);
  }

  /** Presses keys by tmux' names: `Enter`, `C-c`, `Down`. */
  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', '-t', this.#name, ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-t', this.#name, '-x', String(columns), '-y', String(rows));
  }

  /** The screen as text; `escapes` keeps colours. */
  screen(escapes = false): string {
    return this.#tmux('capture-pane', '-p', ...(escapes ? ['-e'] : []), '-t', this.#name);
  }

  /** Waits until the screen shows it; rejects with the screen when it never does. */
  async shows(wanted: RegExp | string): Promise<string> {
    for (let tries = 0; tries < 300; tries += 1) {
      const screen = this.screen();
      if (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)) return screen;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    throw new Error(`the screen never showed ${String(wanted)}:\n${this.screen()}`);
  }

  end(): void {
    try {
      this.#tmux('kill-session', '-t', this.#name);
    } catch {
      // It has ended.
    }
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
