import xterm from '@xterm/headless';
import { TestTerminal } from './terminal.ts';

/** For tests: a terminal of that size that nobody draws. */
export function terminalOf(cols = 80, rows = 24): TestTerminal {
  return new TestTerminal(new xterm.Terminal({ cols, rows, allowProposedApi: true }));
}
