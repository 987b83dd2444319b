import type { Pause } from '@hearth/protocol/pause.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttachmentOptions } from './attachment.ts';
import { Attachment } from './attachment.ts';
import type { HearthClient } from './http.ts';
import { stopped } from './problem.ts';
import { TestService, until } from './testing/service.ts';
import type { Model } from './view.ts';
import { shownPause } from './view.ts';

let service: TestService;
const open: Attachment[] = [];
beforeEach(async () => {
  service = await TestService.start();
  service.world.send('');
  service.world.reply('Hello.');
});
afterEach(async () => {
  for (const attachment of open.splice(0)) attachment.close();
  await service.stop();
});

/** A surface on the conversation, live. */
async function attached(options: Partial<AttachmentOptions> = {}): Promise<Attachment> {
  const nothing = (): void => {};
  const attachment = new Attachment({
    client: service.client(),
    onChange: nothing,
    onReachable: nothing,
    onGone: nothing,
    onArrived: nothing,
    ...options,
  });
  open.push(attachment);
  await attachment.open(null);
  await until(() => service.streams === 1);
  return attachment;
}

const texts = (of = service): unknown[] =>
  of.received.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body['text']);

describe('words without an answer', () => {
  it('are sent again under their own ids, however many were lost', async () => {
    const attachment = await attached();
    service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.cut();
    service.swallow = 99;
    await expect(attachment.send('first')).rejects.toMatchObject({ code: 'unreachable' });
    await expect(attachment.send('second')).rejects.toMatchObject({ code: 'unreachable' });
    service.swallow = 0;
    await attachment.send('first');
    await attachment.send('second');
    expect(texts()).toEqual(['first', 'second']);
  });

  it('keep their id in a new life of the surface', async () => {
    const attachment = await attached();
    attachment.remember(attachment.model!.id, 'command-of-before', 'once');
    await attachment.send('once');
    await attachment.send('once');
    const ids = service.received
      .filter(({ path }) => path.endsWith('/messages'))
      .map(({ body }) => body.commandId);
    expect(ids[0]).toBe('command-of-before');
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('with a file are others than the same words without it', async () => {
    const file = { blob: `sha256:${'0'.repeat(64)}`, bytes: 1, name: 'a.txt', mime: 'text/plain' } as const;
    const attachment = await attached();
    attachment.remember(attachment.model!.id, 'command-of-before', 'once', [file]);
    await attachment.send('once');
    await attachment.send('once', [file]);
    const sent = service.received.filter(({ path }) => path.endsWith('/messages'));
    expect(sent.map(({ body }) => body['attachments'])).toEqual([undefined, [file]]);
    expect(sent.map(({ body }) => body.commandId === 'command-of-before')).toEqual([false, true]);
  });

  it('are told of when they had arrived', async () => {
    const arrived: string[] = [];
    const attachment = await attached({ onArrived: text => arrived.push(text) });
    service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.cut();
    service.swallow = 99;
    await attachment.send('first').catch(() => {});
    await attachment.send('second').catch(() => {});
    service.swallow = 0;
    service.refuse = () => null;
    await until(() => arrived.length === 2);
    expect(arrived).toEqual(['first', 'second']);
  });
});

describe('a service that was stopped', () => {
  /** How a surface finds a service; `found` is the one that runs again, `starts` counts what it started itself. */
  function finding(): {
    readonly options: Pick<AttachmentOptions, 'reconnect' | 'start'>;
    readonly found: HearthClient[];
    starts: number;
  } {
    const found: HearthClient[] = [];
    const its = { found, starts: 0, options: {} };
    const reconnect = (): Promise<HearthClient> =>
      found[0] === undefined ? Promise.reject(stopped()) : Promise.resolve(found[0]);
    const start = async (): Promise<HearthClient> => {
      its.starts++;
      service = await TestService.start();
      service.world.send('tidy up');
      service.world.ask();
      found.push(service.client());
      return reconnect();
    };
    its.options = { reconnect, start };
    return its;
  }

  it('is not started again by looking, and is said to be stopped', async () => {
    const its = finding();
    const attachment = await attached(its.options);
    await service.stop();
    await until(() => attachment.model?.link.is === 'stopped');
    expect(attachment.model?.link).toEqual({
      is: 'stopped',
      why: 'The service was stopped; send something to start it again.',
    });
    await expect(attachment.call(client => client.status())).rejects.toMatchObject({ code: 'stopped' });
    await expect(attachment.interrupt()).resolves.toBe(false);
    expect(its.starts).toBe(0);
    service = await TestService.start();
  });

  it('is attached to when somebody else has started it', async () => {
    const its = finding();
    const attachment = await attached(its.options);
    await service.stop();
    await until(() => attachment.model?.link.is === 'stopped');
    service = await TestService.start();
    service.world.send('from elsewhere');
    service.world.reply('Here.');
    its.found.push(service.client());
    await until(() => attachment.model?.link.is === 'connected');
    expect(its.starts).toBe(0);
  });

  it.each<[string, (attachment: Attachment) => Promise<void>, string]>([
    ['a message', attachment => attachment.send('go on'), '/messages'],
    [
      'an answer',
      attachment =>
        attachment.decide(shownPause(attachment.model as Model) as Pause, { do: 'answer', option: 'yes' }),
      '/decisions',
    ],
  ])('is started for %s', async (_name, act, path) => {
    service.world.send('tidy up');
    service.world.ask();
    const its = finding();
    const attachment = await attached(its.options);
    await service.stop();
    await until(() => attachment.model?.link.is === 'stopped');
    await act(attachment);
    expect(its.starts).toBe(1);
    expect(service.received.filter(one => one.path.endsWith(path))).toHaveLength(1);
  });
});

describe('a conversation that cannot be followed any longer', () => {
  it('is said to be lost for good', async () => {
    const gone: string[] = [];
    const attachment = await attached({ onGone: problem => gone.push(problem.code) });
    service.refuse = ({ path }) => {
      if (!path.endsWith('/stream')) return null;
      const detail = 'There is no such conversation.';
      return {
        status: 404,
        body: { type: 'x', title: 'x', status: 404, code: 'unknown_conversation', detail },
      };
    };
    service.cut();
    await until(() => gone.length === 1);
    expect(attachment.model?.link).toEqual({
      is: 'lost',
      why: 'There is no such conversation.',
      final: true,
    });
  });
});

describe('a surface that nobody looks at', () => {
  it('gives its stream back, and catches up when it is looked at again', async () => {
    const attachment = await attached();
    attachment.suspend();
    await until(() => service.streams === 0);
    const { turn } = service.world.send('while nobody looked');
    service.world.reply('An answer.');
    expect(attachment.model?.items.some(item => item.is === 'said' && item.turn === turn)).toBe(false);
    attachment.resume();
    attachment.resume();
    await until(() => attachment.model?.items.at(-1)?.is === 'replied');
    await until(() => attachment.model?.link.is === 'connected');
    expect(service.streams).toBe(1);
    const said = attachment.model?.items.filter(
      item => item.is === 'said' && item.text === 'while nobody looked',
    );
    expect(said).toHaveLength(1);
  });
});
