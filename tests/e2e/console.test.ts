import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { makeProject, TWELVE_TICKETS } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import { Tmux } from '../support/tmux.ts';

const hearth = new Hearth(tempDirectory('home'), makeProject());
const open = (name: string, size = { columns: 100, rows: 40 }): Tmux =>
  new Tmux(`${name}-${randomUUID().slice(0, 8)}`, size, [process.execPath, LAUNCHER], {
    cwd: hearth.cwd,
    env: hearth.env,
  });

/** What both consoles must agree on: the words of the transcript, whatever the width. */
const words = (screen: string): string => {
  const upTo = screen.indexOf('────');
  return (upTo < 0 ? screen : screen.slice(0, upTo)).replace(/\s+/g, ' ').trim();
};

describe('the console, in real terminals', () => {
  const terminals: Tmux[] = [];
  afterAll(async () => {
    for (const terminal of terminals) terminal.end();
    await hearth.stop();
    removeTemps();
  });

  it('holds the scenario, beside a second console that shows the same, over a SIGKILL and a stop of the service', {
    timeout: 180_000,
  }, async () => {
    await hearth.run(['board', 'import', '-'], { input: JSON.stringify(TWELVE_TICKETS) });
    const a = open('a');
    terminals.push(a);
    await a.shows('Rehearsal');
    await a.shows('idle');
    const b = open('b');
    terminals.push(b);
    await b.shows('idle');

    a.type('indique-moi les tickets les plus pertinents pour un quickwin');
    a.press('Enter');
    const shortlist = await a.shows(/1 .*\n[\s\S]*A number, then Enter, sends it/);
    expect(shortlist).toMatch(/HB-\d+/);
    await b.shows('indique-moi les tickets');
    await b.shows('A number, then Enter, sends it');

    b.type('ferme les tickets obsolètes');
    b.press('Enter');
    await a.shows(/Answer p\d+/);
    await b.shows(/Answer p\d+/);

    process.kill(hearth.service().pid, 'SIGKILL');
    await a.shows(/connection lost|reconnecting/i);
    // Either console starts the service again; the question is still open in both.
    await a.shows(/waits for your answer/);
    await b.shows(/waits for your answer/);
    a.press('1', 'Enter');
    await a.shows(/est fermé[\s\S]*idle/);
    await b.shows(/est fermé[\s\S]*idle/);
    expect(words(b.screen()).slice(-200)).toBe(words(a.screen()).slice(-200));

    expect((await hearth.run(['stop'])).out).toBe('Stopped.\n');
    // Both have looked for the service and left it stopped.
    await a.shows('The service was stopped; send something to start it again.');
    await b.shows('The service was stopped; send something to start it again.');
    expect((await hearth.run(['status'])).code).toBe(1);
    a.type('combien de tickets sont ouverts ?');
    a.press('Enter');
    await a.shows(/combien de tickets[\s\S]*tickets ouverts :[\s\S]*idle/);
    await b.shows(/combien de tickets[\s\S]*tickets ouverts :[\s\S]*idle/);
    expect((await hearth.run(['status'])).code).toBe(0);

    for (const terminal of [a, b]) {
      terminal.type('/quit');
      terminal.press('Enter');
      await terminal.shows('exit=0');
    }
  });

  it('fits a narrow terminal, follows a resize, and has no colour under NO_COLOR', {
    timeout: 120_000,
  }, async () => {
    const narrow = open('narrow', { columns: 40, rows: 20 });
    terminals.push(narrow);
    await narrow.shows('idle');
    expect(
      narrow
        .screen()
        .split('\n')
        .every(line => Array.from(line).length <= 40),
    ).toBe(true);
    // Colours are SGR 3x, 4x, 9x and 10x.
    const colour = new RegExp(
      `${String.fromCharCode(27)}\\[(?:\\d+;)*(?:3[0-8]|4[0-8]|9\\d|10\\d)(?:;\\d+)*m`,
    );
    expect(narrow.screen(true)).not.toMatch(colour);
    narrow.resize(80, 24);
    narrow.type('/help');
    narrow.press('Enter');
    await narrow.shows('/quit: leave');
    narrow.type('/nonsense');
    narrow.press('Enter');
    await narrow.shows(/no command|unknown command/i);
    narrow.press('C-c');
    narrow.press('C-c', 'C-c');
    await narrow.shows('exit=0');
  });
});
