import { until } from '@hearth/client/testing/service.ts';
import { describe, expect, it } from 'vitest';
import { composer, ConsoleStage } from './testing/stage.ts';

const stage = new ConsoleStage();
const { greeted, asked, commands, texts, start } = stage;

describe('answering', () => {
  it('decides by number and Enter, naming the pause', async () => {
    asked();
    const { terminal } = start();
    await terminal.shows('Close HB-4?', '1 Close it', '2 Leave it');
    terminal.press('2');
    await terminal.shows('Enter chooses "Leave it"');
    expect(stage.service.received).toEqual([]);
    terminal.press('<enter>');
    await terminal.shows('answered "Leave it" by you', 'working');
    expect(commands('/decisions')[0]?.body).toMatchObject({
      pause: 'p2',
      act: { do: 'answer', option: 'no' },
    });
    expect(texts()).toEqual([]);
  });

  it('decides by arrows and Enter', async () => {
    asked();
    const { terminal } = start();
    await terminal.shows('1 Close it');
    terminal.press('<down>', '<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body['act']).toEqual({ do: 'answer', option: 'no' });
  });

  it('decides nothing by a stray Enter, Esc, Ctrl-C or by leaving', async () => {
    asked();
    const { terminal, code } = start();
    await terminal.shows('1 Close it');
    terminal.press('<enter>', '<enter>', '<enter>');
    await terminal.shows('Number or arrows, then Enter');
    terminal.press('<escape>', '<ctrl-c>', '<ctrl-c>');
    expect(await code).toBe(0);
    expect(stage.service.received).toEqual([]);
    expect(stage.service.world.open).toHaveLength(1);
  });

  it('sends what is typed plainly as a message, and says that it waits', async () => {
    asked({ allowFreeText: true });
    const { terminal } = start();
    await terminal.shows('a message typed now waits until this is answered');
    terminal.press('12 or 2?', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['12 or 2?']);
    expect(commands('/decisions')).toEqual([]);
    await terminal.shows('12 or 2?\n  (waits in the queue)');
  });

  it('takes typed words as the answer only when the person asked for that', async () => {
    asked({ allowFreeText: true });
    const { terminal } = start();
    await terminal.shows('3 Type an answer…');
    terminal.press('3', '<enter>', 'only the old ones');
    await terminal.shows('your answer, for p2');
    terminal.press('<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body).toMatchObject({
      pause: 'p2',
      act: { do: 'answer', text: 'only the old ones' },
    });
    expect(texts()).toEqual([]);
  });

  it('keeps a refused answer an answer, so that corrected it is no message', async () => {
    asked({ allowFreeText: true });
    const { terminal } = start();
    await terminal.shows('3 Type an answer…');
    stage.service.refuse = ({ path }) =>
      path.endsWith('/decisions')
        ? {
            status: 409,
            body: {
              type: 'about:blank',
              title: 'Conflict',
              status: 409,
              code: 'invalid_choice',
              detail: 'Say more.',
            },
          }
        : null;
    terminal.press('3', '<enter>', 'only');
    await terminal.shows('your answer, for p2');
    terminal.press('<enter>');
    await terminal.shows('Say more.');
    await terminal.shows('your answer, for p2');
    stage.service.refuse = () => null;
    terminal.press(' the old ones', '<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body).toMatchObject({
      act: { do: 'answer', text: 'only the old ones' },
    });
    expect(texts()).toEqual([]);
  });

  it('goes back from typing an answer with the words kept', async () => {
    asked({ allowFreeText: true });
    const { terminal } = start();
    await terminal.shows('3 Type');
    terminal.press('3', '<enter>', 'only');
    await terminal.shows('your answer, for p2');
    terminal.press('<escape>');
    await terminal.hides('your answer, for p2');
    terminal.press('<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['only']);
    expect(commands('/decisions')).toEqual([]);
  });

  it('keeps the words of an answer whose question was answered elsewhere', async () => {
    asked({ allowFreeText: true });
    const { terminal } = start();
    await terminal.shows('3 Type');
    terminal.press('3', '<enter>', 'my long answer');
    await terminal.shows('my long answer');
    stage.service.world.answer('no', undefined, { kind: 'person', name: 'bob', surface: 'studio' });
    await terminal.shows('closed by bob (studio)');
    expect(await composer(terminal)).toContain('my long answer');
    expect(stage.service.received).toEqual([]);
  });

  it('sends the words of an answer nowhere when its question is gone after a recovery', async () => {
    asked({ allowFreeText: true });
    const { terminal } = start();
    await terminal.shows('3 Type');
    await until(() => stage.service.streams === 1);
    terminal.press('3', '<enter>', 'my long answer');
    await terminal.shows('my long answer');
    let away = true;
    stage.service.refuse = ({ path }) =>
      away && path.endsWith('/stream') ? { status: 503, body: {} } : null;
    stage.service.cut();
    stage.service.world.answer('no', undefined, { kind: 'person', name: 'bob', surface: 'studio' });
    stage.service.world.reply('Left alone.');
    stage.service.world.trim(1);
    away = false;
    await terminal.shows('closed by someone');
    expect(await composer(terminal)).toContain('my long answer');
    expect(stage.service.received).toEqual([]);
  });

  it('answers the version of a card that was shown when the person began to type', async () => {
    greeted();
    stage.service.world.send('plan it');
    const digest = `sha256:${'0'.repeat(64)}` as const;
    const action = {
      name: 'revise',
      label: 'Revise',
      needs: 'feedback',
      confirms: false,
      enabled: true,
      button: true,
    };
    const card = (version: number) => ({
      kind: 'card',
      status: 'shown',
      shown: { artifact: 'plan', version, digest },
      actions: [action],
      from: [],
      findings: [],
      earlier: [],
    });
    stage.service.world.ask({ text: 'The plan', ...card(1) } as never);
    const { terminal } = start();
    await terminal.shows('1 Revise');
    await until(() => stage.service.streams === 1);
    terminal.press('1', '<enter>', 'shorter');
    await terminal.shows('shorter');
    stage.service.world.redraft(card(2));
    await terminal.shows('version 2');
    terminal.press('<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body).toMatchObject({
      version: 1,
      act: { do: 'act', action: 'revise', feedback: 'shorter' },
    });
  });

  it('takes a key that was meant for a question now gone for no answer to the next one', async () => {
    asked();
    const { terminal } = start();
    await terminal.shows('1 Close it');
    terminal.press('1');
    await terminal.shows('Enter chooses "Close it"');
    stage.service.world.answer('no', undefined, { kind: 'person', name: 'bob', surface: 'studio' });
    stage.service.world.ask({ text: 'Delete the board?', options: [{ id: 'all', label: 'Delete all' }] });
    await terminal.shows('Delete all');
    terminal.press('<enter>', '<enter>');
    await terminal.shows('Number or arrows, then Enter');
    expect(commands('/decisions')).toEqual([]);
    terminal.press('1');
    await terminal.shows('Enter chooses "Delete all"');
    terminal.press('<enter>');
    await until(() => commands('/decisions').length === 1);
  });

  it('offers the choices of a recovery and shows why the work stopped', async () => {
    asked({
      kind: 'recovery',
      cause: 'failed',
      code: 'auth',
      detail: 'The key was refused.',
      text: 'The model did not answer.',
      choices: [{ id: 'again', label: 'Try again' }],
      unseen: [],
    });
    const { terminal } = start();
    await terminal.shows(
      '! The work stopped (p2)',
      'The model did not answer.',
      'The key was refused.',
      '1 Try again',
    );
    terminal.press('1', '<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body['act']).toEqual({ do: 'answer', option: 'again' });
  });

  it('says who was faster when a decision is refused', async () => {
    asked();
    const { terminal } = start();
    await terminal.shows('1 Close it');
    stage.service.refuse = ({ path }) => {
      if (!path.endsWith('/decisions')) return null;
      const detail = 'p2 was answered by bob.';
      return { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'closed', detail } };
    };
    terminal.press('1', '<enter>');
    await terminal.shows('Your answer to p2 was not taken: p2 was answered by bob.');
  });
});
