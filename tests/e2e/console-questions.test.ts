import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { askerBundle } from '../support/asker.ts';
import { calls, FakeProvider, replies } from '../support/fake-provider.ts';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import { Tmux } from '../support/tmux.ts';

/* Several open questions in a real terminal: those that the turn waits for, and one that it does not. */

const provider = await FakeProvider.start();
const hearth = new Hearth(tempDirectory('home'), makeProject(), provider.env('anthropic', 'sk-fake'));
let terminal: Tmux | null = null;

afterAll(async () => {
  terminal?.end();
  await hearth.stop();
  await provider.close();
  removeTemps();
});

it('shows the oldest first, over a SIGKILL of the service, and lets messages pass what nobody waits for', {
  timeout: 180_000,
}, async () => {
  const made = await hearth.run(['new', '--bot', askerBundle('async')]);
  expect(made.code).toBe(0);
  provider.plays(
    calls([{ name: 'ask_user_async', args: { question: 'Which colour?', options: ['red', 'blue'] } }]),
    calls([
      { name: 'ask_user', args: { question: 'Which size?', options: ['small', 'large'] } },
      { name: 'ask_user', args: { question: 'Which shape?', options: ['round', 'square'] } },
    ]),
  );
  terminal = new Tmux(
    `q-${randomUUID().slice(0, 8)}`,
    { columns: 100, rows: 40 },
    [process.execPath, LAUNCHER, 'open', made.out.trim()],
    { cwd: hearth.cwd, env: hearth.env },
  );
  await terminal.shows('Answer p1, 2 more after it');
  await terminal.shows('waits for 3 answers');
  await terminal.shows('a message typed now goes on its way');

  process.kill(hearth.service().pid, 'SIGKILL');
  await terminal.shows(/connection lost|reconnecting/i);
  await terminal.shows('waits for 3 answers');
  await terminal.shows('Answer p1, 2 more after it');

  terminal.press('2', 'Enter');
  await terminal.shows('Answer p2, 1 more after it');
  await terminal.shows('a message typed now waits until this is answered');
  terminal.press('1', 'Enter');
  await terminal.shows(/Answer p3(?!,)/);
  provider.plays(calls([{ name: 'ask_user_async', args: { question: 'Which smell?' } }]), replies('Noted.'));
  terminal.press('1', 'Enter');
  await terminal.shows('Noted.');
  // The turn is over; its last question is not.
  await terminal.shows(/Answer p\d+[\s\S]*waits for your answer/);

  provider.plays(replies('On its way.'));
  terminal.type('go on');
  terminal.press('Enter');
  await terminal.shows('On its way.');
  await terminal.shows(/Which smell\?[\s\S]*waits for your answer/);
  terminal.type('/quit');
  terminal.press('Enter');
  await terminal.shows('exit=0');
});
