import { TestService, until } from '@hearth/client/testing/service.ts';
import { describe, expect, it } from 'vitest';
import { ConsoleStage } from './testing/stage.ts';

const stage = new ConsoleStage();
const { greeted, commands, texts, start } = stage;

describe('opening', () => {
  it('opens the default conversation with its retained words, its backend and the workspace', async () => {
    greeted('Show the board');
    const { terminal } = start();
    await terminal.shows(
      'Nexie\n  Hello, I am Nexie.',
      '1 Show the board',
      'rehearsal: no model is configured',
      '~/project',
      'Main',
    );
    expect(terminal.title).toContain('Main');
    expect(stage.service.received).toEqual([]);
  });

  it('asks to be greeted when nothing was ever said', async () => {
    const { terminal } = start();
    await until(() => texts().length === 1);
    expect(commands('/messages')[0]?.body).toMatchObject({
      text: '',
      expects: 0,
      workspace: '/home/ada/project',
    });
    stage.service.world.reply('Hello, I am Nexie.');
    await terminal.shows('Hello, I am Nexie.');
    expect(await terminal.text()).not.toContain('you\n');
  });

  it('says nothing when another console was greeted first', async () => {
    stage.service.refuse = ({ path }) => {
      if (!path.endsWith('/messages')) return null;
      const detail = 'Somebody was faster.';
      return { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'revision_conflict', detail } };
    };
    const { terminal } = start();
    await terminal.shows('Main');
    stage.service.world.send('');
    stage.service.world.reply('Hello, both of you.');
    await terminal.shows('Hello, both of you.');
    expect(await terminal.text()).not.toContain('faster');
  });

  it('shows what to do when there is no default conversation', async () => {
    stage.service.refuse = ({ path }) => {
      if (path !== '/conversations/default') return null;
      const detail = 'There is no default conversation: run "hearth default c_…" to choose one.';
      return { status: 404, body: { type: 'x', title: 'x', status: 404, code: 'default_missing', detail } };
    };
    const { terminal } = start();
    await terminal.shows('run "hearth default c_…"');
    expect(stage.service.received).toEqual([]);
  });

  it('waits for a service that does not answer yet', async () => {
    greeted();
    const client = stage.service.client();
    let found = 0;
    const dead = await TestService.start();
    const lost = dead.client();
    await dead.stop();
    const reconnect = () => (++found < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(client));
    const { terminal } = start({ client: lost, reconnect });
    await terminal.shows('Hello, I am Nexie.');
    expect(found).toBe(3);
  });
});
