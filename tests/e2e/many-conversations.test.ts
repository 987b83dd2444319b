import { afterAll, expect, it } from 'vitest';
import { expectAllKept } from '../support/owing-conversations.ts';
import { removeTemps } from '../support/temp.ts';

afterAll(removeTemps);

it('B29: 1 000 conversations that each owe an answer are all kept, at rest', {
  timeout: 300_000,
}, async () => {
  await expectAllKept(1000);
  expect.hasAssertions();
});
