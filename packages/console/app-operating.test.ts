import { until } from '@hearth/client/testing/service.ts';
import { CONVERSATION } from '@hearth/client/testing/world.ts';
import { describe, expect, it } from 'vitest';
import { composer, ConsoleStage } from './testing/stage.ts';
import { terminalOf } from './testing/terminal-of.ts';

const stage = new ConsoleStage();
const { greeted, commands, texts, start } = stage;

describe('commands', () => {
  it('that are unknown are said to be, kept, and never sent', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press('/frobnicate now', '<enter>');
    await terminal.shows('There is no command /frobnicate');
    expect(await composer(terminal)).toContain('/frobnicate now');
    expect(stage.service.received).toEqual([]);
  });

  it('are not needed to send a slash', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press('//etc is missing', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['/etc is missing']);
  });

  it('/help lists them all', async () => {
    greeted();
    const terminal = terminalOf(80, 40);
    start({ terminal });
    await terminal.shows('idle');
    terminal.press('/help', '<enter>');
    await terminal.shows('/new [title]', '/conversation [id]', '/stop', '/quit', 'Ctrl-C');
  });

  it('/quit leaves, and gives the terminal back', async () => {
    greeted();
    const { terminal, code } = start();
    await terminal.shows('idle');
    expect(await terminal.isAlternate()).toBe(true);
    terminal.press('/quit', '<enter>');
    expect(await code).toBe(0);
    expect(await terminal.isAlternate()).toBe(false);
    expect(await terminal.text()).toBe('Left "Main". What runs there goes on.');
    expect(terminal.started).toBe(false);
  });

  it('/new makes a conversation in the same scope and opens it', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press('/new Release notes', '<enter>');
    await until(() => commands('/conversations').length === 1);
    expect(commands('/conversations')[0]?.body).toMatchObject({
      title: 'Release notes',
      scope: { kind: 'global' },
    });
  });

  it('/conversation opens a picker that Esc leaves, and text survives', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press('/conversation', '<enter>');
    await terminal.shows('Conversations', 'open here · default');
    terminal.press('<escape>');
    await terminal.hides('Arrows and Enter');
    terminal.press('typed after', '<enter>');
    await until(() => texts().length === 1);
  });

  it.each([
    ['a wrong id', '/conversation c_zz', 'There is no conversation "c_zz"'],
    ['an id in part', `/conversation ${CONVERSATION.slice(0, 8)}`, 'Hello, I am Nexie.'],
    ['a title', '/conversation main', 'Hello, I am Nexie.'],
  ])('/conversation takes %s', async (_name, line, shown) => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press(line, '<enter>');
    await terminal.shows(shown);
  });

  it('/stop interrupts the turn that runs, and says so when none does', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press('/stop', '<enter>');
    await terminal.shows('No turn is running.');
    stage.service.world.send('work');
    await terminal.shows('working');
    terminal.press('/stop', '<enter>');
    await until(() => commands('/interrupt').length === 1);
    expect(commands('/interrupt')[0]?.body['turn']).toBe('t2');
  });
});
