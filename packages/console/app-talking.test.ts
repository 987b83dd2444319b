import { until } from '@hearth/client/testing/service.ts';
import { describe, expect, it } from 'vitest';
import { ConsoleStage } from './testing/stage.ts';

const stage = new ConsoleStage();
const { greeted, commands, texts, start } = stage;

describe('talking', () => {
  it('sends a message that may steer, with the workspace', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    terminal.press('what next?', '<enter>');
    await terminal.shows('you\n  what next?', 'working');
    expect(commands('/messages')[0]?.body).toMatchObject({
      text: 'what next?',
      delivery: 'steer',
      workspace: '/home/ada/project',
    });
  });

  it('shows text while it is being written, and then the words once', async () => {
    greeted();
    stage.service.world.send('go on');
    const { terminal } = start();
    await terminal.shows('working');
    await until(() => stage.service.streams === 1);
    stage.service.publish({ frame: 'draft', turn: 't2', node: 'chat', sequence: 1, text: 'Three things' });
    await terminal.shows('Nexie (writing…)\n  Three things');
    stage.service.world.reply('Three things matter.');
    await terminal.shows('Nexie\n  Three things matter.');
    expect((await terminal.text()).split('Three things')).toHaveLength(2);
  });

  it('sends a quick reply by its number and Enter, and only from an empty composer', async () => {
    greeted('Show the board', 'What next?');
    const { terminal } = start();
    await terminal.shows('2 What next?', 'A number, then Enter, sends it');
    terminal.press('a2');
    await terminal.shows(' a2');
    terminal.press('<backspace>', '<backspace>', '2');
    await terminal.shows('› 2 What next?', 'Enter sends this');
    expect(texts()).toEqual([]);
    terminal.press('<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['What next?']);
    await terminal.hides('2 What next?');
  });

  it.each([
    ['words', ['2 tickets please', '<enter>'], '2 tickets please'],
    ['more digits', ['12 of them', '<enter>'], '12 of them'],
    ['a number that is no reply', ['27', '<enter>'], '27'],
    ['an arrow and words', ['2', '<up>', 'hello', '<enter>'], 'hello'],
    ['another number', ['2', '1', '<enter>'], 'Show the board'],
    ['an arrow and Enter', ['1', '<down>', '<enter>'], 'What next?'],
    ['Esc and words', ['2', '<escape>', 'hello', '<enter>'], 'hello'],
  ])('takes a number before %s for what it is', async (_name, keys, sent) => {
    greeted('Show the board', 'What next?');
    const { terminal } = start();
    await terminal.shows('2 What next?');
    terminal.press(...keys);
    await until(() => texts().length === 1);
    expect(texts()).toEqual([sent]);
  });

  it('takes a number before pasted words for their beginning', async () => {
    greeted('Show the board', 'What next?');
    const { terminal } = start();
    await terminal.shows('2 What next?');
    terminal.press('2');
    terminal.paste(' tickets');
    terminal.press('<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['2 tickets']);
  });

  it('sends nothing by Enter when the replies have changed since the number', async () => {
    greeted('Show the board', 'What next?');
    const { terminal } = start();
    await terminal.shows('2 What next?');
    terminal.press('2');
    await terminal.shows('› 2 What next?');
    stage.service.world.send('meanwhile');
    stage.service.world.reply('Done.', ['Keep it', 'Delete it']);
    await terminal.shows('2 Delete it');
    terminal.press('<enter>', 'no', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['no']);
  });

  it('takes a pasted number as text', async () => {
    greeted('Show the board');
    const { terminal } = start();
    await terminal.shows('1 Show the board');
    terminal.paste('1');
    await until(() => true);
    terminal.press('x', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['1x']);
  });

  it('shows what other surfaces say, live and with their names', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    stage.service.world.send('from the browser', { by: { kind: 'person', name: 'ada', surface: 'studio' } });
    stage.service.world.send('from a script', { by: { kind: 'caller', name: 'cron', surface: 'cli' } });
    await terminal.shows(
      'you (studio)\n  from the browser',
      'cron (cli)\n  from a script\n  (waits in the queue)',
      '1 queued',
    );
  });

  it('shows two consoles the same', async () => {
    greeted();
    const one = start().terminal;
    const two = start().terminal;
    await one.shows('idle');
    await two.shows('idle');
    one.press('hello from one', '<enter>');
    await two.shows('hello from one', 'working');
    two.press('and from two', '<enter>');
    await one.shows('and from two');
    stage.service.world.narrate('Reading both.');
    await one.shows('Reading both.');
    await two.shows('Reading both.');
    const words = (text: string) => text.split('────')[0]?.trim();
    expect(words(await one.text())).toBe(words(await two.text()));
  });
});
