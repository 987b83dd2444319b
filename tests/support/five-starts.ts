import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import { screenText } from '@hearth/console/testing/terminal.ts';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { expect } from 'vitest';
import { Hearth } from './hearth.ts';
import { clientOf } from './service-process.ts';
import { tempDirectory } from './temp.ts';

/** The processes that serve a home: their command names it. */
function serving(home: string): readonly string[] {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return all.split('\n').filter(line => line.includes('serve-entry') && line.endsWith(home));
}

/** A console in a terminal that answers what programs ask of terminals. */
class Console {
  readonly #screen = new xterm.Terminal({ cols: 100, rows: 30, allowProposedApi: true });
  readonly #process: pty.IPty;
  #ended: number | null = null;

  constructor(hearth: Hearth, launcher: string) {
    const env = { ...hearth.env, TERM: 'xterm-256color' };
    this.#process = pty.spawn(process.execPath, [launcher], { cols: 100, rows: 30, cwd: hearth.cwd, env });
    this.#process.onData(data => this.#screen.write(data));
    this.#process.onExit(({ exitCode }) => {
      this.#ended = exitCode;
    });
    this.#screen.onData(data => this.#process.write(data));
  }

  /** Waits until it is attached to the service; rejects with its screen when it ends instead. */
  async attached(): Promise<void> {
    for (;;) {
      const screen = await screenText(this.#screen);
      if (/\bidle\b/.test(screen)) return;
      if (this.#ended !== null) throw new Error(`the console ended (${this.#ended}): ${screen}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  end(): void {
    if (this.#ended === null) this.#process.kill('SIGKILL');
  }
}

/** Two consoles and three commands on a home that is not there yet, all at once: one service, one default, no word lost. */
export async function expectOneHome(launcher: string, cwd: string): Promise<void> {
  const hearth = new Hearth(tempDirectory('home'), cwd, {}, launcher);
  const said = ['hello one', 'hello two', 'hello three'];
  const consoles = [new Console(hearth, launcher), new Console(hearth, launcher)];
  try {
    const reports = await Promise.all(said.map(text => hearth.json<TurnReport>(['send', text])));
    await Promise.all(consoles.map(one => one.attached()));
    expect(reports.map(report => report.exit)).toEqual([0, 0, 0]);
    expect(serving(hearth.home)).toHaveLength(1);

    const client = clientOf(hearth.service().address, hearth.token());
    const { conversations: rows } = await client.list();
    expect(rows.map(row => row.isDefault)).toEqual([true]);
    expect(new Set(reports.map(report => report.conversation))).toEqual(new Set(rows.map(row => row.id)));
    const { items } = await client.history((await client.default()).id, null, 100);
    const heard = items.flatMap(line => (line.is === 'said' && line.text !== '' ? [line.text] : []));
    expect(heard).toHaveLength(said.length);
    expect(new Set(heard)).toEqual(new Set(said));
  } finally {
    for (const one of consoles) one.end();
    await hearth.stop();
    rmSync(hearth.home, { recursive: true, force: true });
  }
}
