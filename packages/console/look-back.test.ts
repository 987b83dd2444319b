import { expect, it } from 'vitest';
import { ConsoleStage } from './testing/stage.ts';
import { terminalOf } from './testing/terminal-of.ts';

const stage = new ConsoleStage();

function turn(text: string): void {
  stage.service.world.send(text);
  stage.service.world.reply(`You said ${text}.`);
}

it('reads back through resets, each behind its border, up to where it began', async () => {
  turn('alpha');
  stage.service.world.reset();
  turn('beta');
  stage.service.world.reset();
  turn('gamma');
  const { terminal } = stage.start({ terminal: terminalOf(80, 50) });
  await terminal.shows('There is more before this', 'A fresh context begins here.', 'gamma');
  expect(await terminal.text()).not.toContain('beta');
  terminal.press('<pageup>');
  await terminal.shows('you\n  beta');
  terminal.press('<pageup>');
  await terminal.shows('you\n  alpha', 'Here it began.');
  const text = await terminal.text();
  expect(text.match(/A fresh context begins here/g)).toHaveLength(2);
});

it('goes back page by page and leaves nothing out where more comes above what is read', async () => {
  const words = Array.from({ length: 60 }, (_, at) => `word${at + 1}x`);
  for (const word of words) turn(word);
  stage.service.world.trim(60);
  const { terminal } = stage.start();
  await terminal.shows('word60x');
  const seen = new Set<string>();
  for (let text = ''; !text.includes('Here it began.'); ) {
    const before = text;
    while (text === before || text.includes('Reading what was before')) text = await terminal.text();
    for (const [word] of text.matchAll(/word\d+x/g)) seen.add(word);
    terminal.press('<pageup>');
  }
  expect([...seen].sort()).toEqual([...words].sort());
});

it('says why what was before could not be read, and reads it when asked again', async () => {
  turn('alpha');
  stage.service.world.reset();
  let broken = true;
  stage.service.refuse = ({ path }) => {
    if (!broken || !path.includes('/history')) return null;
    const detail = 'The disk does not answer.';
    return { status: 500, body: { type: 'x', title: 'x', status: 500, code: 'disk_failed', detail } };
  };
  const { terminal } = stage.start();
  await terminal.shows('There is more before this');
  terminal.press('<pageup>');
  await terminal.shows('The disk does not answer. PageUp tries again.');
  broken = false;
  terminal.press('<pageup>');
  await terminal.shows('you\n  alpha', 'Here it began.');
});
