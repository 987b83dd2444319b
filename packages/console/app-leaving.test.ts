import { describe, expect, it } from 'vitest';
import { OPTIONS, composer, ConsoleStage } from './testing/stage.ts';

const stage = new ConsoleStage();
const { greeted, start } = stage;

describe('leaving', () => {
  it('needs Ctrl-C twice in an empty composer; with text it clears that first', async () => {
    greeted();
    const { terminal, code } = start();
    await terminal.shows('idle');
    terminal.press('half a thought', '<ctrl-c>');
    await terminal.hides('half a thought');
    terminal.press('<ctrl-c>');
    await terminal.shows('Ctrl-C again quits');
    terminal.press('x', '<backspace>');
    await terminal.hides('Ctrl-C again quits');
    terminal.press('<ctrl-c>', '<ctrl-c>');
    expect(await code).toBe(0);
    expect(stage.service.received).toEqual([]);
  });

  it('by a signal gives the terminal back and exits 130', async () => {
    greeted();
    const { terminal, code } = start();
    await terminal.shows('idle');
    process.emit('SIGTERM', 'SIGTERM');
    expect(await code).toBe(130);
    expect(await terminal.isAlternate()).toBe(false);
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });
});

describe('the screen', () => {
  it('fits forty columns and every other size', async () => {
    greeted('A quick reply that is much too long for so narrow a terminal', 'B');
    stage.service.world.send('tidy up');
    stage.service.world.ask({ text: 'Close HB-4, the ticket with the very long name?', options: OPTIONS });
    const { terminal } = start();
    await terminal.shows('1 Close it');
    for (const [columns, rows] of [
      [40, 16],
      [20, 10],
      [120, 40],
      [40, 12],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.shows('1 Close it');
    }
    terminal.press('still typing');
    await terminal.shows('still typing');
  });

  it('has no colours with NO_COLOR, and some without', async () => {
    greeted('Go on');
    const plain = start().terminal;
    await plain.shows('1 Go on');
    const colour = start({ env: { TERM: 'xterm' } }).terminal;
    await colour.shows('1 Go on');
    const colours = ['31m', '33m', '36m', '38;', '48;'].map(code => `\u001b[${code}`);
    expect(colours.filter(code => plain.raw.includes(code))).toEqual([]);
    expect(colours.filter(code => colour.raw.includes(code))).not.toEqual([]);
  });

  it('gives a refused quick reply back without what could act on the terminal', async () => {
    greeted('Close it\u001b]52;c;aGFjaw==\u0007 \u009b31mnow');
    const { terminal } = start();
    await terminal.shows('1 Close it now');
    stage.service.refuse = ({ path }) => {
      if (!path.endsWith('/messages')) return null;
      const detail = 'Not now.';
      return { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'turn_active', detail } };
    };
    terminal.press('1', '<enter>');
    await terminal.shows('That was not sent: Not now.');
    expect(await composer(terminal)).toContain('Close it now');
    expect(['\u001b]52', 'aGFjaw', '\u009b'].filter(part => terminal.raw.includes(part))).toEqual([]);
  });

  it('passes on nothing that could act on the terminal', async () => {
    stage.service.world.send('');
    stage.service.world.tool('look\u001b]0;pwned\u0007');
    stage.service.world.narrate('narr\u001b[2Jation');
    stage.service.world.reply('rep\u001b]52;c;cHduZWQ=\u0007ly \u009b31m\u202Egnp', ['qu\u001b[5mick']);
    stage.service.world.rename('ti\u001b]0;pwned\u0007tle');
    const { terminal } = start();
    await terminal.shows('narration', 'reply', 'quick', 'title');
    const acting = ['pwned', 'cHduZWQ', '\u001b[5m', '\u009b', '\u202e'];
    expect(acting.filter(sequence => terminal.raw.includes(sequence))).toEqual([]);
    expect(terminal.title).not.toContain('pwned');
  });
});
