import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DispatchStatus } from '@hearth/protocol/dispatch.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import { afterAll, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* Work that is handed over in words, done by another bot, and told where it was handed over. In real processes. */

const hearth = new Hearth(tempDirectory('home'), makeProject());

afterAll(async () => {
  await hearth.stop();
  removeTemps();
});

async function until(fits: (ticket: Ticket) => boolean): Promise<Ticket> {
  for (;;) {
    const ticket = await hearth.json<Ticket>(['board', 'show', '1']);
    if (fits(ticket)) return ticket;
  }
}

it('a ticket goes from a sentence to review, and the conversation tells of it', async () => {
  expect(await hearth.run(['board', 'add', 'Greet the newcomers', '--priority', '1'])).toMatchObject({
    code: 0,
  });
  const report = await hearth.json<TurnReport>(['send', 'dispatch HB-1 to hello']);
  expect(report).toMatchObject({ exit: 0, state: 'settled' });
  expect(await hearth.json<DispatchStatus>(['dispatch', 'status'])).toMatchObject({
    exit: 0,
    on: false,
    tickets: [{ ticket: 'HB-1', bot: 'hello', is: 'ready', why: 'off', priority: 1 }],
  });
  const told = await hearth.run(['dispatch', 'status']);
  expect(told.out).toContain('The dispatcher is off');
  expect(told.out).toContain('waits until the dispatcher is on');

  expect((await hearth.run(['dispatch', 'on'])).out).toContain('The dispatcher is on');
  const ticket = await until(one => one.state === 'review');
  const c = ticket.dispatch?.conversation ?? '';
  expect(ticket.comments.at(-1)?.body).toContain(`Done in ${c}`);
  const shown = await hearth.run(['show']);
  expect(shown.out).toContain('Watching HB-1 (review): Greet the newcomers');
  const work = await hearth.run(['show', c]);
  expect(work.out).toContain('HB-1: Greet the newcomers');

  // What is written into the settings by hand holds without a restart.
  const settings = join(hearth.home, 'settings.json');
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ dispatch: { on: true } });
  writeFileSync(settings, JSON.stringify({ dispatch: { on: false, concurrency: 7 } }));
  expect(await hearth.json(['dispatch', 'status'])).toMatchObject({ on: false, concurrency: 7 });
  writeFileSync(settings, '{"dispatch": {"on": 3}}');
  const broken = await hearth.run(['dispatch', 'status']);
  expect(broken.code).toBe(1);
  expect(broken.err).toContain('settings.json');
});
