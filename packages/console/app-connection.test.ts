import { HearthProblem, stopped } from '@hearth/client/problem.ts';
import { TestService, until } from '@hearth/client/testing/service.ts';
import { BOT } from '@hearth/client/testing/world.ts';
import { describe, expect, it } from 'vitest';
import { composer, ConsoleStage } from './testing/stage.ts';
import { terminalOf } from './testing/terminal-of.ts';

const stage = new ConsoleStage();
const { greeted, texts, start } = stage;

describe('a connection that fails', () => {
  it('is said plainly, and nothing is missing when it is back', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    await until(() => stage.service.streams === 1);
    let refusing = true;
    stage.service.refuse = ({ path }) =>
      refusing && path.endsWith('/stream') ? { status: 503, body: {} } : null;
    stage.service.cut();
    await terminal.shows('connection lost, reconnecting…');
    stage.service.world.send('meanwhile', { by: { ...BOT, kind: 'person', name: 'bob', surface: 'studio' } });
    refusing = false;
    await terminal.shows('bob (studio)\n  meanwhile');
    await terminal.hides('connection lost');
  });

  it('gives words that were not sent back to their writer, and cannot double them', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    await until(() => stage.service.streams === 1);
    stage.service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    stage.service.cut();
    stage.service.swallow = 5;
    terminal.press('precious words', '<enter>');
    await terminal.shows('back in the composer');
    expect(await composer(terminal)).toContain('precious words');
    terminal.press('<enter>');
    await until(() => stage.service.swallow === 0);
    stage.service.refuse = () => null;
    await terminal.shows('you\n  precious words');
    expect(texts()).toEqual(['precious words']);
    expect(
      stage.service.world.log.filter(
        ({ event }) => event.type === 'message' && event.text === 'precious words',
      ),
    ).toHaveLength(1);
  });

  it('takes words out of the composer that had arrived after all', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    await until(() => stage.service.streams === 1);
    stage.service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    stage.service.cut();
    stage.service.swallow = 99;
    terminal.press('precious words', '<enter>');
    await terminal.shows('back in the composer');
    stage.service.refuse = () => null;
    await terminal.shows('had arrived after all');
    expect(await composer(terminal)).not.toContain('precious');
  });

  it('gives refused words back in front of what was typed since', async () => {
    greeted();
    let answer: () => void = () => {};
    const client = stage.service.client();
    const terminal = terminalOf();
    client.send = () =>
      new Promise((_resolve, reject) => {
        answer = () => reject(new HearthProblem({ code: 'too_large', status: 413, detail: 'Too long.' }));
      });
    start({ client, terminal });
    await terminal.shows('idle');
    terminal.press('first', '<enter>');
    await terminal.shows('you (sending…)\n  first');
    terminal.press('second');
    answer();
    await terminal.shows('That was not sent: Too long.');
    expect(await composer(terminal)).toMatch(/first[^]*second/);
  });

  it('moves to a service that was started again', async () => {
    greeted();
    const other = await TestService.start();
    other.world.send('');
    other.world.reply('Hello, I am Nexie.');
    const { terminal } = start({ reconnect: () => Promise.resolve(other.client()) });
    await terminal.shows('idle');
    await stage.service.stop();
    terminal.press('still there?', '<enter>');
    await terminal.shows('you\n  still there?');
    expect(other.received.map(({ body }) => body['text'])).toEqual(['still there?']);
    await other.stop();
  });

  it('to a service that was stopped is said plainly, and made again only when the person sends something', async () => {
    greeted();
    let started = 0;
    const again = async () => {
      started++;
      await stage.renew();
      greeted();
      return stage.service.client();
    };
    const reconnect = () =>
      started === 0 ? Promise.reject(stopped()) : Promise.resolve(stage.service.client());
    const { terminal } = start({ reconnect, start: again });
    await terminal.shows('idle');
    await stage.service.stop();
    await terminal.shows('The service was stopped; send something to start it again.');
    terminal.press('/conversation', '<enter>');
    await terminal.shows('error: The service was stopped');
    expect(started).toBe(0);
    terminal.press('go on', '<enter>');
    await terminal.shows('you\n  go on', 'working');
    await terminal.hides('; send something to start it again. ·');
    expect(started).toBe(1);
    expect(texts()).toEqual(['go on']);
  });

  it('that is over for good does not claim to reconnect', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('idle');
    await until(() => stage.service.streams === 1);
    stage.service.refuse = ({ path }) => {
      if (!path.endsWith('/stream')) return null;
      const detail = 'There is no such conversation.';
      const code = 'unknown_conversation';
      return { status: 404, body: { type: 'x', title: 'x', status: 404, code, detail } };
    };
    stage.service.cut();
    await terminal.shows('There is no such conversation.', 'not connected any more');
    expect(await terminal.text()).not.toContain('reconnecting');
  });
});
