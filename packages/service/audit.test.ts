import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, serve } from './testing/served.ts';

/* What changed nothing, over the API. */

afterEach(endAll);

test('the audit tells what was refused and repeated, by ids and digests and without words, over a restart', async () => {
  const served = await serve(() => [reply('So.')]);
  const c = await served.conversation();
  const commandId = 'a-command-of-this-test';
  const message = { text: 'a word that is said', delivery: 'queue' as const, commandId };
  await served.client.send(c, message);
  await served.client.send(c, message);
  await served.until(c, view => view.state === 'idle' && view.turn === null);
  const decided = {
    act: { do: 'act', action: 'confirm', feedback: 'a secret wish' },
    artifact: 'plan',
    version: 3,
  };
  const refused = await served.post(`/v1/conversations/${c}/decisions`, { pause: 'p77', ...decided });
  expect(refused.status).toBe(404);
  const { lines } = await served.client.audit(c);
  expect(lines).toMatchObject([
    { code: 'replayed', command: 'message', commandId, by: { name: 'ada' } },
    {
      code: 'unknown_pause',
      command: 'decision',
      pause: 'p77',
      action: 'confirm',
      shown: { artifact: 'plan', version: 3 },
    },
  ]);
  expect(lines[1]?.payload).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(JSON.stringify(lines)).not.toMatch(/a word that is said|a secret wish/);
  await served.service.stop();
  const again = await serve(() => [], { home: served.home });
  expect((await again.client.audit(c)).lines).toEqual(lines);
});
