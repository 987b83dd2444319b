import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { say, StudioStage, words } from '../support/studio-stage.ts';

/* What is typed in the studio is nowhere else until the service has it, so nothing may lose it or send it twice. */

describe('what is typed in the studio', { timeout: 180_000 }, () => {
  let stage: StudioStage;

  beforeAll(async () => {
    stage = await StudioStage.start();
  }, 120_000);

  afterEach(async () => {
    expect(await stage.cleared()).toEqual([]);
  });

  afterAll(() => stage.close());

  it('is kept for each conversation over a reload, until it is accepted', async () => {
    const [one, other] = [await stage.conversation('One'), await stage.conversation('Other')];
    const page = await stage.studio(one);
    const composer = page.locator('#composer');
    await composer.fill('for the one');
    await page.getByRole('link', { name: /^Other/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Other' }).waitFor();
    expect(await composer.inputValue()).toBe('');
    await composer.fill('for the other');
    await page.reload();
    await expect.poll(() => composer.inputValue()).toBe('for the other');
    await page.goto(`${stage.hearth.service().address}/#${one}`);
    await expect.poll(() => composer.inputValue()).toBe('for the one');
    await composer.press('Enter');
    await words(page).getByText('for the one', { exact: true }).waitFor();
    await page.reload();
    await words(page).getByText('for the one', { exact: true }).waitFor();
    expect(await composer.inputValue()).toBe('');
    await page.goto(`${stage.hearth.service().address}/#${other}`);
    await expect.poll(() => composer.inputValue()).toBe('for the other');
  });

  it('is back after a reload when the service never got it, and then goes out once', async () => {
    const page = await stage.studio(await stage.conversation('Never sent'));
    await page.route('**/messages', route => route.abort());
    await say(page, 'on its way');
    await words(page).getByText('sending…').waitFor();
    // While nobody knows yet what became of it.
    await page.reload();
    const composer = page.locator('#composer');
    await expect.poll(() => composer.inputValue()).toBe('on its way');
    await page.unroute('**/messages');
    await composer.press('Enter');
    await words(page).getByText('on its way', { exact: true }).waitFor();
    await page.reload();
    await words(page).getByText('on its way', { exact: true }).waitFor();
    expect(await composer.inputValue()).toBe('');
    expect(await page.locator('.item.said').filter({ hasText: 'on its way' }).count()).toBe(1);
  });

  it('is not sent again when it had arrived and only the answer was lost', async () => {
    const id = await stage.conversation('Answer lost');
    const page = await stage.studio(id);
    await page.route('**/messages', async route => {
      await route.fetch();
      await route.abort();
    });
    await page.route('**/stream**', route => route.abort());
    await say(page, 'once and only once');
    await expect
      .poll(async () => (await stage.client().history(id, null, 5)).items.length)
      .toBeGreaterThan(2);
    await page.reload();
    await words(page).getByText('once and only once', { exact: true }).waitFor();
    expect(await page.locator('#composer').inputValue()).toBe('');
    const { items } = await stage.client().history(id, null, 20);
    expect(items.filter(item => item.is === 'said' && item.text === 'once and only once')).toHaveLength(1);
  });
});
