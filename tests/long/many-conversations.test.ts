import { afterAll, expect, it } from 'vitest';
import { expectAllKept } from '../support/owing-conversations.ts';
import { progress } from '../support/progress.ts';
import { removeTemps } from '../support/temp.ts';

/** How many; `HEARTH_CONVERSATIONS` overrides it. */
const COUNT = Number(process.env['HEARTH_CONVERSATIONS'] ?? 10_000);
/** Most of the time goes into making and removing so many directories. */
const TIMEOUT = 30 * 60_000;

afterAll(removeTemps, TIMEOUT);

it(`B29: ${COUNT} conversations that each owe an answer are all kept, at rest`, {
  timeout: TIMEOUT,
}, async () => {
  await expectAllKept(COUNT, progress);
  expect.hasAssertions();
});
