import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askerBundle } from '../support/asker.ts';
import { axeFindings } from '../support/browser.ts';
import { calls, FakeProvider, replies, says, status } from '../support/fake-provider.ts';
import { chip, doing, say, StudioStage, words } from '../support/studio-stage.ts';
import { writerBundle } from '../support/writer.ts';

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

  it('draws questions that nobody waits for beside those that are waited for, and lets messages go on their way', async () => {
    const colour = { question: 'Which colour?', options: ['red', 'blue'] };
    provider.plays(
      calls([{ name: 'ask_user_async', args: colour }]),
      calls([
        { name: 'ask_user', args: { question: 'Which size?', options: ['small', 'large'] } },
        { name: 'ask_user', args: { question: 'Which name?' } },
      ]),
    );
    const page = await stage.openedBy(
      await stage.link(await stage.conversation('Several', askerBundle('async'))),
    );
    const panel = page.locator('.panel');
    // First come, first served: what came later waits behind it.
    await panel.getByText(/^p1, 2 more after it$/).waitFor();
    await panel.getByText('a message typed now goes on its way').waitFor();
    for (const text of ['Which colour?', 'Which size?', 'Which name?'])
      await words(page).getByText(text).first().waitFor();
    await page.reload();
    await panel.getByText(/^p1, 2 more after it$/).waitFor();
    await chip(page, 'blue').click();
    await panel.getByText(/^p2, 1 more after it$/).waitFor();
    await panel.getByText('a message typed now waits until this is answered').waitFor();
    await chip(page, 'large').click();
    provider.plays(
      calls([{ name: 'ask_user_async', args: { question: 'Which smell?' } }]),
      replies('Noted.'),
    );
    await chip(page, 'Type an answer…').click();
    await panel.getByRole('textbox').fill('Ada');
    await chip(page, 'Send as the answer').click();
    await words(page).getByText('Noted.').waitFor();
    // The turn is over, and the question is still there.
    await panel.getByText(/^p\d+$/).waitFor();
    provider.plays(replies('On its way.'));
    await say(page, 'go on');
    await words(page).getByText('On its way.').waitFor();
    await panel.getByText('a message typed now goes on its way').waitFor();
    expect(provider.requests.at(-1)?.text).toContain('Which colour?');
  });

  it('has files go with the next message, chosen, dropped or left out again', async () => {
    const page = await greeted('Files');
    const files = page.getByRole('list', { name: 'Files that go with the message' });
    const choose = async (...names: string[]): Promise<void> => {
      const opening = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Attach files to the message' }).press('Enter');
      const chosen = names.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Rent: due.') }));
      await (await opening).setFiles(chosen);
    };
    await choose('notes.txt', 'other.txt');
    await files.getByText('Attached: notes.txt (10 bytes)').waitFor();
    await files.getByText('other.txt').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await files.getByRole('button', { name: 'Leave out: other.txt' }).press('Enter');
    await files.getByText('other.txt').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    // They are there in the next life of the page too, and go with the words.
    await page.reload();
    await files.getByText('notes.txt').waitFor();
    provider.plays(replies('I have read it.'));
    await say(page, 'read this');
    await words(page).getByText('I have read it.').waitFor();
    await words(page).getByText('Attached: notes.txt (10 bytes)').waitFor();
    await files.waitFor({ state: 'detached' });
    const told = provider.requests.at(-1)?.text ?? '';
    expect(told).toContain('Attached: notes.txt (text/plain, 10 bytes), at ');
    expect(told).not.toContain('other.txt');
    await page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(33 * 1024 * 1024)], 'huge.iso'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.getElementById('composer').dispatchEvent(drop);
    `);
    await page.getByText('"huge.iso" is larger than 32 MiB').waitFor();
  });

  it('lists what was allowed for good and takes it back, and shows the run in figures', async () => {
    provider.plays(replies('Welcome.'));
    const page = await stage.openedBy(await stage.link(await stage.conversation('Rules', writerBundle())));
    await words(page).getByText('Welcome.').waitFor();
    provider.plays(calls([{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }]), replies('Done.'));
    await say(page, 'write');
    await chip(page, /^Always allow/).click();
    await words(page).getByText('Done.').waitFor();
    const summary = page.locator('summary', { hasText: '1 rule of this conversation' });
    await summary.press('Enter');
    const rules = page.getByRole('list', { name: 'Rules of this conversation' });
    await rules.getByText('write_file(a.txt)').waitFor();
    const figures = page.locator('summary', { hasText: 'The run in figures' });
    await figures.press('Enter');
    await page.locator('.figures dd', { hasText: /^r1, / }).waitFor();
    await page.locator('.figures dd', { hasText: / in 2 turns/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page)).toEqual([]);
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
    await rules.getByRole('button', { name: 'Take back: write_file(a.txt)' }).press('Enter');
    await rules.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    provider.plays(replies('And again.'));
    await say(page, 'more');
    // The figures that are open follow.
    await page.locator('.figures dd', { hasText: / in 3 turns/ }).waitFor();
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
