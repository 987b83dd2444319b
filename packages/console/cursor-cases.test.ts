import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@hearth/client/testing/service.ts';
import { expect, it } from 'vitest';
import { ConsoleStage } from './testing/stage.ts';
import { terminalOf } from './testing/terminal-of.ts';

/* The cases of a console's place in the log, 41 to 43, by their numbers. */

const stage = new ConsoleStage();
const { greeted, start } = stage;
const seqOf = (cursor: string | null | undefined): number => Number((cursor ?? '').split('.')[1] ?? 0);

function turns(from: number, to: number): void {
  for (let at = from; at <= to; at += 1) {
    stage.service.world.send(`word${at}x`);
    stage.service.world.reply(`reply${at}x`);
  }
}

/** How often each of these words stands on the screen. */
function counts(text: string, words: readonly string[]): number[] {
  return words.map(word => text.split(word).length - 1);
}

it('41: a console keeps no cursors, so none can be too many, too old or unreadable: it reads from the boundary', async () => {
  const sources = readdirSync(new URL('.', import.meta.url)).filter(name => /^[a-z-]+\.ts$/.test(name));
  for (const name of sources) {
    expect(readFileSync(new URL(name, import.meta.url), 'utf8')).not.toMatch(/from '(node:)?(fs|sqlite)/);
  }
  turns(1, 6);
  stage.service.world.trim(12);
  for (let again = 0; again < 2; again += 1) {
    const terminal = terminalOf(80, 60);
    const { code } = start({ terminal });
    await terminal.shows('reply6x', 'There is more before this');
    expect(counts(await terminal.text(), ['reply5x', 'reply6x'])).toEqual([1, 1]);
    terminal.press('/quit', '<enter>');
    expect(await code).toBe(0);
  }
});

it('42: two consoles each have a place of their own, and neither’s goes back', async () => {
  greeted();
  const [one, other] = [start({ terminal: terminalOf(80, 60) }), start({ terminal: terminalOf(80, 60) })];
  await one.terminal.shows('idle');
  await other.terminal.shows('idle');
  await until(() => stage.service.streams === 2);
  for (let cut = 1; cut <= 3; cut += 1) {
    turns(cut, cut);
    await one.terminal.shows(`reply${cut}x`);
    await other.terminal.shows(`reply${cut}x`);
    const before = seqOf(stage.service.world.head);
    stage.service.cut();
    await until(() => stage.service.streams === 2);
    // Both come back to where they were, not to where they once began.
    expect(stage.service.resumedAfter.slice(-2).map(seqOf)).toEqual([before, before]);
  }
  for (const { terminal } of [one, other]) {
    expect(counts(await terminal.text(), ['reply1x', 'reply2x', 'reply3x'])).toEqual([1, 1, 1]);
  }
});

it('43: what happens while a conversation is read comes once, and nothing is left out at the seam', async () => {
  turns(1, 2);
  let next = 3;
  stage.service.refuse = ({ path }) => {
    // Between the state and the page, and between the page and the stream.
    if (next <= 5 && /\/(events|stream)$/.test(path)) turns(next, next++);
    return null;
  };
  const terminal = terminalOf(80, 70);
  start({ terminal });
  await terminal.shows('reply4x');
  turns(6, 6);
  await terminal.shows('reply6x');
  const said = Array.from({ length: 6 }, (_, at) => `word${at + 1}x`).filter(
    word => word < `word${next}x` || word === 'word6x',
  );
  expect(counts(await terminal.text(), said)).toEqual(said.map(() => 1));
});
