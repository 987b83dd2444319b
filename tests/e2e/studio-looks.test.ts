import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, type Look } from '../support/browser.ts';
import { chip, say, StudioStage, words } from '../support/studio-stage.ts';

/* The studio for every eye and on every screen. */

describe('how the studio looks', { timeout: 180_000 }, () => {
  let stage: StudioStage;

  beforeAll(async () => {
    stage = await StudioStage.start();
  }, 120_000);

  afterEach(async () => {
    expect(await stage.cleared()).toEqual([]);
  });

  afterAll(() => stage.close());

  const LOOKS: readonly [string, Look][] = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 320, height: 640 } }],
    ['narrow and dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
    ['low', { viewport: { width: 640, height: 320 } }],
  ];
  it.each(LOOKS)('is accessible and fits: %s', async (name, look) => {
    const page = await stage.studio(await stage.conversation(`Looks ${name}`), look);
    expect(await axeFindings(page)).toEqual([]);
    await say(page, 'close all tickets');
    await chip(page, 'No, change nothing').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
    const toggle = page.getByRole('button', { name: /^Conversations/ });
    if (await toggle.isVisible()) {
      await toggle.click();
      await page.getByRole('link', { name: /^Nexie/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await toggle.click();
    }
    // Leaves nothing waiting for the next look.
    await chip(page, 'No, change nothing').click();
    await words(page).getByText('Answered “No, change nothing”').waitFor();
  });
});
