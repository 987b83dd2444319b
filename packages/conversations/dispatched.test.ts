import { expect, test } from 'vitest';
import { ada, started } from './testing/sample-home.ts';

test('what is dispatched is judged apart by retention, at once and after a restart', async () => {
  const home = await started();
  const command = { actor: ada, scope: { kind: 'global' } } as const;
  const own = await home.conversations.create({ ...command, commandId: 'a-person-makes-1', title: 'Own' });
  const sent = await home.conversations.create(
    { ...command, commandId: 'dispatch-makes-it-1', title: 'Sent' },
    'dispatch',
  );
  const origins = async (one: typeof home): Promise<Record<string, string>> => {
    const { choices } = await one.conversations.plan();
    return Object.fromEntries(choices.map(({ conversation, origin }) => [conversation, origin]));
  };
  const expected = { [own.view.id]: 'person', [sent.view.id]: 'dispatch' };
  expect(await origins(home)).toMatchObject(expected);
  await home.conversations.closeAll();
  expect(await origins(await started({ disk: home.disk.crash({ seed: 1 }) }))).toMatchObject(expected);
});
