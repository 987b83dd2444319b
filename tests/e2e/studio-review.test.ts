import type { ConversationId } from '@hearth/protocol/ids.ts';
import { cardIn, reviewBundle, reviewScript, shows } from '@hearth/service/testing/review.ts';
import { endAll, serve, type Served } from '@hearth/service/testing/served.ts';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, Complaints, freshPage, launchBrowser } from '../support/browser.ts';

/* Reviews on the page, in a real browser: a card with its text, words and actions, and what becomes of late presses. */

describe('a review in the studio', { timeout: 120_000 }, () => {
  let served: Served;
  let browser: Browser;
  let bundle: string;
  let complaints: Complaints[] = [];

  beforeAll(async () => {
    served = await serve(
      reviewScript((node, count) =>
        node === 'draft_task' && count > 1
          ? { text: '```\nDO it\n```', refused: false }
          : node === 'execute'
            ? { status: count % 2 === 1 ? 'request_input' : 'done', reply: 'It is done.' }
            : null,
      ),
    );
    bundle = reviewBundle();
    browser = await launchBrowser();
  }, 120_000);

  afterEach(async () => {
    await Promise.all(browser.contexts().map(context => context.close()));
    expect(complaints.splice(0).flatMap(one => one.all)).toEqual([]);
  });

  afterAll(async () => {
    await browser.close();
    await endAll();
  });

  async function opened(c: ConversationId, options: BrowserContextOptions = {}): Promise<Page> {
    const { code } = await served.client.loginCode();
    const page = await freshPage(browser, options);
    complaints.push(new Complaints(page));
    await page.goto(`${served.service.address}/#login=${code}&conversation=${c}`);
    await panel(page).waitFor();
    return page;
  }

  async function reviewed(): Promise<ConversationId> {
    const c = (await served.client.create({ bot: bundle, title: 'Trains' })).view.id;
    await served.client.send(c, { text: 'please', delivery: 'queue' });
    await served.until(c, shows('task', 1));
    return c;
  }

  const panel = (page: Page): Locator => page.locator('.panel');
  const action = (page: Page, name: string): Locator =>
    panel(page).getByRole('button', { name, exact: true });
  const body = (page: Page): Locator =>
    panel(page)
      .getByRole('region', { name: /^Text of/ })
      .first();
  const field = (page: Page): Locator => panel(page).getByRole('textbox', { name: /^Your words/ });
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.tagName');
  const decided = async (c: ConversationId): Promise<readonly string[]> => {
    const { items } = await served.client.history(c, null, 20);
    return items.flatMap(line =>
      line.is === 'decided' ? [`${line.option} ${line.shown?.artifact}@${line.shown?.version}`] : [],
    );
  };

  it('is read, revised, compared and confirmed, with the words never lost, and then data is given', async () => {
    const c = await reviewed();
    const page = await opened(c);
    await panel(page)
      .getByRole('heading', { name: /For review: The task/ })
      .waitFor();
    await expect.poll(() => body(page).innerText()).toContain('AS draft_task says');
    expect(await panel(page).getByRole('status').innerText()).toMatch(
      /^version 1, [0-9a-f]{8}, not confirmed yet$/,
    );
    expect(
      await panel(page).getByRole('list', { name: 'Actions' }).getByRole('button').allInnerTexts(),
    ).toEqual(['Confirm the task', 'Revise the task', 'Stop']);
    // Nothing is focused that a key would decide with, and nothing is decided by keys that were meant for the composer.
    await page.locator('#composer').focus();
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Enter');
    expect(await decided(c)).toEqual([]);
    // A revision needs words, and the field is beside the text.
    await action(page, 'Revise the task').click();
    await panel(page).getByText('Say first what to change, then choose “Revise the task”.').waitFor();
    await page.keyboard.type('for two people');
    expect(await axeFindings(page)).toEqual([]);
    // What is typed is there in the next life of the page.
    await page.reload();
    await panel(page).waitFor();
    expect(await field(page).inputValue()).toBe('for two people');
    await action(page, 'Revise the task').click();
    await panel(page)
      .getByText(/^version 2 \(2 so far\)/)
      .waitFor();
    await expect.poll(() => body(page).innerText()).toContain('DO it');
    expect(await field(page).inputValue()).toBe('');
    await panel(page).getByRole('heading', { name: 'Found in it' }).waitFor();
    await panel(page).getByText('asked for with: “for two people”').waitFor();
    await panel(page).getByText('Earlier versions and what changed').click();
    await page.getByRole('button', { name: 'Version 1' }).click();
    await panel(page)
      .getByText(/3 lines added and 3 removed since version 1/)
      .waitFor();
    await panel(page).getByRole('region', { name: 'Text of task, version 1' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    // A double click confirms one card, and never the next one.
    await action(page, 'Confirm the task').dblclick();
    await panel(page)
      .getByRole('heading', { name: /For review: The plan/ })
      .waitFor();
    expect(await focused(page)).not.toBe('BUTTON');
    expect(await decided(c)).toEqual(['revise task@1', 'confirm task@2']);
    // Words beside a confirmation are a revision; which one, the page asks, and the words stay.
    await field(page).fill('slower');
    await action(page, 'Confirm standard').click();
    await page
      .getByText('With words that is a revision, and there is more than one kind: choose which.')
      .waitFor();
    expect(await field(page).inputValue()).toBe('slower');
    await action(page, 'Revise the plan').click();
    await panel(page)
      .getByText(/^version 2 \(2 so far\)/)
      .waitFor();
    // A plain "ok" in the composer means what the card says.
    await panel(page).getByText('A plain "ok" means "Confirm standard".').waitFor();
    await page.locator('#composer').fill('ok');
    await page.locator('#composer').press('Enter');
    await panel(page)
      .getByRole('heading', { name: /Data is needed/ })
      .waitFor();
    await panel(page).getByRole('button', { name: 'Send the data' }).click();
    await panel(page).getByText('“data” is needed.').waitFor();
    await panel(page).getByRole('textbox', { name: 'data' }).fill('42');
    expect(await axeFindings(page)).toEqual([]);
    await panel(page).getByRole('button', { name: 'Send the data' }).click();
    await page.getByRole('region', { name: 'Transcript' }).getByText('It is done.').waitFor();
    // What was confirmed can still be read.
    await page.getByText('The text of version 2').first().click();
    await page.getByRole('region', { name: 'Text of The task, version 2' }).getByText('DO it').waitFor();
  });

  it('refuses a press for a version that has gone, shows the one that is there, and keeps the words', async () => {
    const c = await reviewed();
    const [one, other] = [await opened(c), await opened(c, { reducedMotion: 'reduce', colorScheme: 'dark' })];
    // The other page does not hear of anything for now, and its decision is late.
    let release = (): void => {};
    const later = new Promise<void>(resolve => {
      release = resolve;
    });
    await other.route('**/decisions', async route => {
      await later;
      await route.continue();
    });
    await field(other).fill('my long wish');
    await action(other, 'Revise the task').click();
    await field(one).fill('first');
    await action(one, 'Revise the task').click();
    await panel(one)
      .getByText(/^version \d \(2 so far\)/)
      .waitFor();
    await served.until(c, shows('task', 2));
    release();
    await other.getByText(/was not taken: task is at version 2 now.*Your words are kept/).waitFor();
    await panel(other)
      .getByText(/^version 2 \(2 so far\)/)
      .waitFor();
    expect(await field(other).inputValue()).toBe('my long wish');
    expect(await axeFindings(other)).toEqual([]);
    // Closed by somebody else, the words go where they can be taken from.
    const { id, shown } = cardIn(await served.client.get(c));
    await served.client.decide(c, id, { do: 'act', action: 'stop' }, shown);
    await other.getByText(/was closed while you were typing; your words are in the composer/).waitFor();
    expect(await other.locator('#composer').inputValue()).toBe('my long wish');
    expect(await decided(c)).toEqual(['revise task@1', 'stop task@2']);
  });

  it.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { colorScheme: 'light', viewport: { width: 360, height: 760 } }],
  ])('fits a %s page', async (name, look) => {
    const page = await opened(await reviewed(), look);
    await expect.poll(() => body(page).innerText()).toContain('DO');
    const pictures = process.env['PICTURES'];
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/review-${name}.png` });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
  });
});
