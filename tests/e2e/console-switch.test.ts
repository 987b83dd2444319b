import { gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import { runConsole } from '@hearth/console/main.ts';
import { terminalOf } from '@hearth/console/testing/terminal-of.ts';
import { endAll, serve } from '@hearth/service/testing/served.ts';
import { afterEach, expect, it } from 'vitest';

/* Case 44: a console that goes to another conversation while a turn runs. */

afterEach(endAll);

it('44: a turn stays with its conversation when its console goes elsewhere, and the next words go there', async () => {
  const held = Promise.withResolvers<void>();
  const served = await serve(turn =>
    // The console asks a fresh conversation for a greeting too.
    turn.prompt.user.includes('to A') ? [gate(held.promise), reply('the answer of A')] : [reply('heard')],
  );
  const [a, b] = [await served.conversation('Alpha'), await served.conversation('Beta')];
  const terminal = terminalOf();
  const code = runConsole({
    client: served.client,
    conversation: a,
    workspace: served.home,
    env: { NO_COLOR: '1' },
    terminal,
  });
  await terminal.shows('Alpha');
  terminal.press('to A', '<enter>');
  await served.until(a, view => view.turn?.status === 'running');
  terminal.press(`/conversation ${b}`, '<enter>');
  await terminal.shows('Beta');
  expect((await served.client.get(a)).turn?.status).toBe('running');
  held.resolve();
  await served.until(a, view => view.turn === null);
  expect(await terminal.text()).not.toContain('the answer of A');
  terminal.press('to B', '<enter>');
  await terminal.shows('you\n  to B');
  await served.until(b, view => view.turn === null);
  terminal.press('/quit', '<enter>');
  expect(await code).toBe(0);

  const said = async (c: typeof a): Promise<unknown[]> =>
    (await served.client.history(c, null, 20)).items.flatMap(line =>
      line.is === 'said' && line.text !== '' ? [line.text] : [],
    );
  expect([await said(a), await said(b)]).toEqual([['to A'], ['to B']]);
  expect(JSON.stringify((await served.client.history(a, null, 20)).items)).toContain('the answer of A');
});
