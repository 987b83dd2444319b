import { TuiAltScreen } from '@earendil-works/pi-tui';
import xterm from '@xterm/headless';
import { beforeEach, describe, expect, it } from 'vitest';
import { Composer } from './composer.ts';
import { TestTerminal } from './testing/terminal.ts';
import { themeFor } from './theme.ts';

const HOSTILE = 'Close it\u001b]52;c;aGFjaw==\u0007 \u009b31mnow\u202e';
let composer: Composer;
beforeEach(() => {
  const screen = new xterm.Terminal({ cols: 60, rows: 10, allowProposedApi: true });
  composer = new Composer(new TuiAltScreen(new TestTerminal(screen)), themeFor({ NO_COLOR: '1' }));
});

const drawn = (): string => composer.render(60).join('\n');
/** The parts of what was handed in that a terminal would obey. */
const obeyed = (): string[] =>
  ['\u001b]52', 'aGFjaw', '\u009b', '\u202e'].filter(part => drawn().includes(part));

describe('the composer draws nothing that a terminal obeys', () => {
  it.each<[string, () => void, string]>([
    ['words that are given back', () => composer.giveBack(HOSTILE), 'Close it now'],
    ['text that is set', () => composer.setText(HOSTILE), 'Close it now'],
    ['text that is inserted', () => composer.insertTextAtCursor(HOSTILE), 'Close it now'],
    ['text that is pasted', () => composer.handleInput('\u001b[200~a\u009b31mb\u202ec\u001b[201~'), 'a31mbc'],
    ['keys', () => ['a', '\u009b', 'b'].forEach(key => composer.handleInput(key)), 'ab'],
  ])('of %s', (_name, act, text) => {
    act();
    expect(composer.getText()).toBe(text);
    expect(drawn()).toContain(text);
    expect(obeyed()).toEqual([]);
  });

  it('of its label', () => {
    composer.setLabel(`your ${HOSTILE}`);
    expect(drawn()).toContain('your Close it now');
    expect(obeyed()).toEqual([]);
  });
});

it('puts words that are given back in front of what was typed since', () => {
  composer.setText('second');
  composer.giveBack('first');
  expect(composer.getText()).toBe('first\n\nsecond');
});
