import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { StudioStage, transcriptOf, words } from '../support/studio-stage.ts';

/* What was said before a reset, read back on the page of the real service. */

let stage: StudioStage;

beforeAll(async () => {
  stage = await StudioStage.start();
}, 120_000);

afterEach(async () => {
  expect(await stage.cleared()).toEqual([]);
});

afterAll(() => stage.close());

it('reads back through resets, and keeps in its place what is on the screen', {
  timeout: 180_000,
}, async () => {
  const id = await stage.conversation('Long ago');
  const page = await stage.studio(id);
  await page.setViewportSize({ width: 900, height: 520 });
  const before = page.getByRole('button', { name: 'Show what was before' });
  const told = async (text: string): Promise<void> => {
    await stage.client().send(id, { text, delivery: 'queue' });
    await words(page).getByText(text, { exact: true }).waitFor();
    await expect.poll(async () => (await stage.client().get(id)).turn).toBe(null);
  };
  for (const [at, text] of ['show HB-2', 'show HB-3', 'show HB-4'].entries()) {
    if (at > 0) {
      await stage.client().reset(id);
      await words(page).getByText('A fresh context begins here.').waitFor();
      // Only one border: what lies behind it is read when somebody asks for it.
      await expect.poll(() => words(page).getByText('A fresh context begins here.').count()).toBe(1);
    }
    await told(text);
  }
  // More than the page has room for, so that there is something to keep in its place.
  for (const text of ['show HB-5', 'show HB-6', 'show HB-7']) await told(text);
  expect(await transcriptOf(page)).not.toContain('show HB-3');

  const top = (): Promise<number> =>
    words(page)
      .getByText('show HB-4', { exact: true })
      .evaluate(node => node.getBoundingClientRect().top);
  await before.scrollIntoViewIfNeeded();
  const stood = await top();
  await before.click();
  await words(page).getByText('show HB-3', { exact: true }).waitFor();
  expect(Math.abs((await top()) - stood)).toBeLessThan(2);

  await before.click();
  await words(page).getByText('show HB-2', { exact: true }).waitFor();
  await words(page).getByText('Here it began.').waitFor();
  expect(await before.count()).toBe(0);
  expect(await words(page).getByText('A fresh context begins here.').count()).toBe(2);
  const text = await transcriptOf(page);
  expect(text.indexOf('show HB-2')).toBeLessThan(text.indexOf('show HB-3'));
  expect(text.indexOf('show HB-3')).toBeLessThan(text.indexOf('show HB-4'));
});
