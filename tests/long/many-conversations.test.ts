import { afterAll, expect, it } from 'vitest';
import { expectAllKept } from '../support/owing-conversations.ts';
import { removeTemps } from '../support/temp.ts';

afterAll(removeTemps);

it('B29: 10 000 conversations that each owe an answer are all kept, at rest', async () => {
  await expectAllKept(10_000);
  expect.hasAssertions();
});
