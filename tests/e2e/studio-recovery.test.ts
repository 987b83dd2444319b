import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/browser.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { chip, doing, lost, say, StudioStage, words } from '../support/studio-stage.ts';

/* What the studio does when the service dies, is stopped, or does not know the browser any more. */

const stopped = (page: Page) => page.getByText('The service was stopped');

describe('the studio, when something breaks', { timeout: 180_000 }, () => {
  let stage: StudioStage;

  beforeAll(async () => {
    stage = await StudioStage.start();
  }, 120_000);

  afterEach(async () => {
    expect(await stage.cleared()).toEqual([]);
  });

  afterAll(() => stage.close());

  it('goes on after a SIGKILL of the service without a reload', async () => {
    const page = await stage.studio(await stage.conversation('Killed'));
    await say(page, 'close all tickets');
    await chip(page, 'No, change nothing').waitFor();
    await page.evaluate('window.untouched = true');
    process.kill(stage.hearth.service().pid, 'SIGKILL');
    await lost(page).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    // What cannot be sent comes back to its writer.
    await say(page, 'typed while nobody answers');
    await page.getByText('That may not have been sent').waitFor();
    expect(await page.locator('#composer').inputValue()).toBe('typed while nobody answers');

    await stage.hearth.run(['list']);
    await lost(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('window.untouched')).toBe(true);
    await chip(page, 'No, change nothing').click();
    await words(page).getByText('Answered “No, change nothing” by you').waitFor();
    await page.locator('#composer').press('Enter');
    await expect
      .poll(() => page.locator('.item.said:not(.sending)').last().innerText())
      .toContain('typed while');
    expect(await page.locator('.item.said').filter({ hasText: 'typed while' }).count()).toBe(1);
    // What was said of them is past.
    await page.getByText('That may not have been sent').waitFor({ state: 'detached' });
  });

  const CHOICES: readonly [string, (page: Page) => Promise<void>, (page: Page) => Promise<void>][] = [
    [
      'again',
      page => chip(page, 'Try again').click(),
      page => words(page).getByText('Mon choix est').waitFor(),
    ],
    [
      'it happened',
      async page => {
        await chip(page, 'It happened…').click();
        await page.getByLabel('It happened: what the bot would have replied').fill('Done by hand.');
        await page.getByRole('button', { name: 'Send as the answer' }).click();
      },
      page => words(page).locator('.replied').getByText('Done by hand.').waitFor(),
    ],
    [
      'stop',
      page => chip(page, /^Stop/).click(),
      page => words(page).getByText('Answered “Stop” by you').waitFor(),
    ],
  ];
  it.each(CHOICES)('offers a turn that was cut off as a recovery: %s', async (name, choose, shown) => {
    const page = await stage.studio(await stage.conversation(`Cut off, ${name}`));
    await stage.hearth.stop();
    await stopped(page).waitFor();
    const dying = await ServiceProcess.start(stage.hearth.home, { at: 'narration', nth: 1 });
    await stopped(page).waitFor({ state: 'detached' });
    await say(page, 'indique-moi les tickets les plus pertinents pour un quickwin');
    expect(await dying.ended).toBe('SIGKILL');
    await stage.hearth.run(['list']);
    await page.getByRole('heading', { name: /^The work stopped/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await choose(page);
    await shown(page);
    await expect.poll(() => doing(page).textContent()).toBe('idle');
  });

  it('says that the service was stopped, and goes on without a reload when somebody starts it', async () => {
    const page = await stage.studio(await stage.conversation('Stopped'));
    await page.evaluate('window.untouched = true');
    await page.locator('#composer').fill('kept');
    expect(await stage.hearth.run(['stop'])).toMatchObject({ code: 0 });
    await stopped(page).waitFor();
    expect(await lost(page).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service still does not answer').waitFor();
    expect(await stopped(page).count()).toBe(1);
    await stage.hearth.run(['list']);
    await stopped(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('window.untouched')).toBe(true);
    await page.locator('#composer').press('Enter');
    await words(page).getByText('kept', { exact: true }).waitFor();
  });

  it('says that a conversation is gone, and does not look for it any longer', async () => {
    const id = await stage.conversation('Closed elsewhere');
    const page = await stage.studio(id);
    await page.locator('#composer').fill('never sent');
    await expect.poll(() => doing(page).textContent()).toBe('idle');
    await stage.client().close(id);
    await page.getByText('Choose another conversation, or try again').waitFor();
    expect(await lost(page).count()).toBe(0);
    expect(await page.locator('#composer').inputValue()).toBe('never sent');
    await page.getByRole('link', { name: /^Nexie/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Nexie' }).waitFor();
    await page.getByText('Choose another conversation').waitFor({ state: 'detached' });
  });
});
