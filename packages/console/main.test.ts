import { fileURLToPath } from 'node:url';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { afterEach, describe, expect, it } from 'vitest';
import { screenText } from './testing/terminal.ts';

const ENTRY = fileURLToPath(new URL('./testing/entry.ts', import.meta.url));

/** The console as a person has it: a process in a terminal. */
class Session {
  readonly #screen = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  readonly #process: pty.IPty;
  readonly exit: Promise<number>;
  raw = '';

  constructor(...args: string[]) {
    const env = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', TERM: 'xterm-256color' };
    this.#process = pty.spawn(process.execPath, [ENTRY, ...args], { cols: 80, rows: 24, env });
    this.#process.onData(data => {
      this.raw += data;
      this.#screen.write(data);
    });
    this.#screen.onData(data => this.#process.write(data));
    this.exit = new Promise(resolve => this.#process.onExit(({ exitCode }) => resolve(exitCode)));
  }

  text(): Promise<string> {
    return screenText(this.#screen);
  }

  async shows(word: string): Promise<void> {
    while (!(await this.text()).includes(word)) await new Promise(resolve => setTimeout(resolve, 10));
  }

  async isAlternate(): Promise<boolean> {
    await this.text();
    return this.#screen.buffer.active.type === 'alternate';
  }

  type(text: string): void {
    this.#process.write(text);
  }
  kill(signal: string): void {
    this.#process.kill(signal);
  }
  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#process.resize(columns, rows);
  }
}

const sessions: Session[] = [];
function session(...args: string[]): Session {
  const made = new Session(...args);
  sessions.push(made);
  return made;
}
afterEach(() => {
  for (const made of sessions.splice(0)) made.kill('SIGKILL');
});

/** Modes that must be off again: bracketed paste, mouse, and the other screen. */
const RESTORED = ['\u001b[?2004l', '\u001b[?1000l', '\u001b[?1049l', '\u001b[?25h'];

describe('a console in a real terminal', () => {
  it('starts, takes keys, follows the size of its window and leaves cleanly', async () => {
    const it = session();
    await it.shows('1 Show the board');
    expect(await it.isAlternate()).toBe(true);
    it.resize(40, 15);
    it.type('some words');
    await it.shows(' some words');
    await it.shows('────────────────────────────────────────\n');
    it.type('\u0003');
    it.type('/quit\r');
    expect(await it.exit).toBe(0);
    expect(await it.isAlternate()).toBe(false);
    expect(await it.text()).toBe('Left "Main". What runs there goes on.');
  });

  it.each([
    ['SIGTERM', 130],
    ['SIGHUP', 130],
  ])('gives the terminal back at %s', async (signal, code) => {
    const it = session();
    await it.shows('1 Show the board');
    it.kill(signal);
    expect(await it.exit).toBe(code);
    expect(await it.isAlternate()).toBe(false);
    for (const mode of RESTORED) expect(it.raw).toContain(mode);
  });

  it('gives the terminal back at a fault, says one sentence and no stack', async () => {
    const it = session('fault');
    expect(await it.exit).toBe(1);
    expect(await it.isAlternate()).toBe(false);
    const text = (await it.text()).replaceAll('\n', '');
    expect(text).toContain('hearth: the console failed (a fault in the test)');
    expect(text).not.toContain('entry.ts');
    for (const mode of RESTORED) expect(it.raw).toContain(mode);
  });
});
