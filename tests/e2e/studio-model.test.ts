import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { calls, FakeProvider, replies, says, status } from '../support/fake-provider.ts';
import { chip, doing, say, StudioStage, words } from '../support/studio-stage.ts';

/* The studio while a model works: what grows, what is said meanwhile, and what a provider's refusal looks like. */

describe('the studio on a model', { timeout: 180_000 }, () => {
  let stage: StudioStage;
  let provider: FakeProvider;

  beforeAll(async () => {
    provider = await FakeProvider.start();
    stage = await StudioStage.start(provider.env('anthropic', 'sk-fake'));
  }, 120_000);

  afterEach(async () => {
    expect(await stage.cleared()).toEqual([]);
  });

  afterAll(async () => {
    await stage.close();
    await provider.close();
  });

  async function greeted(title: string) {
    provider.plays(replies('Welcome.', { quick_replies: ['What is next?'] }));
    const page = await stage.openedBy(await stage.link(await stage.conversation(title)));
    await words(page).getByText('Welcome.').waitFor();
    return page;
  }

  it('shows what is said while it works, its tools, and a reply that grows', async () => {
    const page = await greeted('Grows');
    const gate = Promise.withResolvers<void>();
    provider.plays(
      calls([{ name: 'list_issues', args: {} }], 'I look at the board.'),
      says('Let me think about', { hold: gate.promise }),
      replies('Take **HB-2**.'),
    );
    await chip(page, 'What is next?').click();
    await words(page).locator('.narrated').getByText('I look at the board.').waitFor();
    await words(page)
      .locator('.tools')
      .getByText(/\(done\)/)
      .waitFor();
    const draft = words(page).locator('.draft');
    await draft.getByText('Let me think about').waitFor();
    await draft.getByText('is writing…').waitFor();
    await expect.poll(() => doing(page).textContent()).toMatch(/^working/);
    gate.resolve();
    await words(page).locator('.replied:not(.draft) strong').getByText('HB-2').waitFor();
    await draft.waitFor({ state: 'detached' });
  });

  it('tells how long a provider asks to wait, and tries again whenever the person wants', async () => {
    const page = await greeted('Busy');
    provider.plays(status(429, { 'retry-after': '90' }), replies('There we are.'));
    await say(page, 'what is next?');
    await page.getByRole('heading', { name: /^The work stopped/ }).waitFor();
    await words(page)
      .getByText(/its limit for this account is reached.*wait 90 s/)
      .waitFor();
    await page
      .locator('.panel')
      .getByText(/^You can try again in (?:90|8\d) s\.$/)
      .waitFor();
    await chip(page, 'Try again').click();
    await words(page).getByText('There we are.').waitFor();
  });

  it('stays there whatever a model says, also after a reload', async () => {
    const page = await greeted('Hostile');
    provider.plays(replies(`${'>'.repeat(5000)} deep`));
    await say(page, 'what is next?');
    const shown = words(page).locator('.replied:not(.draft) .plain');
    await shown.getByText(/>{5000} deep/).waitFor();
    await page.reload();
    await shown.getByText(/>{5000} deep/).waitFor();
    await page.locator('#composer').fill('still here');
  });

  it('interrupts, and takes the work up with the next words', async () => {
    const page = await greeted('Interrupted');
    provider.plays({ is: 'silence', after: 'Hmm' }, replies('Quicker then.'));
    await say(page, 'what is next?');
    await words(page).locator('.draft').getByText('Hmm').waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await page.getByRole('heading', { name: /^The work stopped/ }).waitFor();
    await page.locator('.panel').getByText('a message typed now takes the work up again').waitFor();
    await say(page, 'but be quick');
    await words(page).getByText('Quicker then.').waitFor();
  });
});
