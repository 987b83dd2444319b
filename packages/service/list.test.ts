import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, serve } from './testing/served.ts';

afterEach(endAll);

test('the list tells each time how every conversation is now, and is narrowed as it is asked', async () => {
  const served = await serve(() => [reply('so')]);
  const { client } = served;
  const [first, second] = [await served.conversation('“First”\n'), await served.conversation('Second')];
  const told = async (filter: object = {}) =>
    (await client.list(filter)).conversations.map(({ id, title, pinned }) => ({ id, title, pinned }));
  const plain = { id: first, title: '“First”\n', pinned: false };
  expect(await told({ text: 'FIRST' })).toEqual([plain]);
  expect(await told()).toContainEqual(plain);
  await client.patch(first, { title: 'Third', pinned: true });
  expect(await told()).toContainEqual({ id: first, title: 'Third', pinned: true });
  expect(await told({ scope: 'workspace' })).toEqual([]);
  await client.close(second);
  expect((await told()).map(({ id }) => id)).not.toContain(second);
  expect((await client.list()).damaged).toEqual([]);
});
