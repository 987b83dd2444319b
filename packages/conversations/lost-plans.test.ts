import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { expect, it } from 'vitest';
import { botOf, HOME, message, started } from './testing/sample-home.ts';

/* A plan beside a conversation that cannot be read any more. */

const damages = [
  ['cut in half', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
  ['garbage', () => new TextEncoder().encode('garbage')],
  ['gone', () => null],
] as const;

it.each(damages)(
  '%s: it is made again from the same bundle, and the conversation goes on',
  async (_name, damage) => {
    const home = await started();
    const id = await home.conversations.default();
    const lane = await home.conversations.lane(id);
    await lane.send(message('one'));
    await lane.settled();
    await home.conversations.closeAll();
    const plans = `${HOME}/conversations/${id}/epochs/1/plans`;
    const [name = ''] = await home.disk.list(plans);
    const damaged = damage((await home.disk.read(`${plans}/${name}`))!);
    if (damaged === null) await home.disk.remove(`${plans}/${name}`);
    else await home.disk.write(`${plans}/${name}`, damaged);

    const again = await started({ disk: home.disk });
    const opened = await again.conversations.lane(id);
    await opened.send(message('two'));
    await opened.settled();
    expect(opened.view().state).toBe('idle');
    expect((await opened.history(null, 10)).items.filter(item => item.is === 'said')).toHaveLength(2);
  },
);

it('is not made from a bundle that has changed: the conversation is set aside, and nothing in it is lost', async () => {
  const home = await started();
  const id = await home.conversations.default();
  const lane = await home.conversations.lane(id);
  await lane.send(message('one'));
  await lane.settled();
  await home.conversations.closeAll();
  const plans = `${HOME}/conversations/${id}/epochs/1/plans`;
  const [name = ''] = await home.disk.list(plans);
  await home.disk.write(`${plans}/${name}`, new TextEncoder().encode('garbage'));
  const again = await started({ disk: home.disk });
  again.bots.bots.set('whats-next', botOf(chatPlan({ cap: 7 })));
  await expect(again.conversations.lane(id)).rejects.toThrow();
  expect((await again.conversations.list({})).damaged).toHaveLength(1);
});
