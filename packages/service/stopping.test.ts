import { reply, gate } from '@hearth/backends/testing/scripted/step.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, serve } from './testing/served.ts';

afterEach(endAll);

test('a turn under way settles at a stop, and nothing new is accepted meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = await serve(() => [gate(promise), reply('I am done.')], { settleMs: 60_000 });
  const c = await first.conversation();
  await first.client.send(c, { text: 'go', delivery: 'queue' });
  await first.until(c, view => view.state === 'working');
  const stopped = first.service.stop();
  const refused = await first.post(`/v1/conversations/${c}/messages`, { text: 'more' });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'stopping']);
  resolve();
  await stopped;

  const again = await serve(() => [reply('x')], { home: first.home });
  const view = await again.client.get(c);
  expect([view.state, view.pauses.map(pause => pause.kind)]).toEqual(['idle', ['chat']]);
  const { items } = HistoryPage.parse(await (await again.fetch(`/v1/conversations/${c}/history`)).json());
  expect(JSON.stringify(items)).toContain('I am done.');
});

test.each([
  ['its time is over', { settleMs: 30 }, {}],
  ['the stop shall be now', { settleMs: 60_000 }, { now: true }],
])('a turn that does not settle is parked when %s, and waits for a person once', async (_, options, how) => {
  const first = await serve(() => [gate(new Promise(() => undefined))], options);
  const c = await first.conversation();
  await first.client.send(c, { text: 'go', delivery: 'queue' });
  await first.until(c, view => view.state === 'working');
  await first.service.stop(how);

  for (const boot of [1, 2]) {
    const again = await serve(() => [reply('x')], { home: first.home });
    const { pauses } = await again.client.get(c);
    expect(pauses).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
    expect([boot, pauses[0]?.id]).toEqual([boot, 'p1']);
    await again.service.stop();
  }
});
