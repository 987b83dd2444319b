import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LAUNCHER } from '../support/hearth.ts';
import { chip, doing, say, StudioStage, transcriptOf, words } from '../support/studio-stage.ts';
import { Tmux } from '../support/tmux.ts';

/* The studio as a person meets it: the real service on the rehearsal, in a real browser. */

const OBSOLETE = 'HB-1';

interface Ticket {
  readonly state: string;
  readonly comments: readonly { readonly body: string }[];
}

describe('the studio, in a real browser', { timeout: 180_000 }, () => {
  let stage: StudioStage;
  let terminals: Tmux[] = [];

  beforeAll(async () => {
    stage = await StudioStage.start();
  }, 120_000);

  afterEach(async () => {
    // A console that is left over would start a service again that another test has ended.
    for (const terminal of terminals.splice(0)) terminal.end();
    expect(await stage.cleared()).toEqual([]);
  });

  afterAll(() => stage.close());

  it('holds the scenario by chips alone', async () => {
    const page = await stage.studio(await stage.conversation('Chips'));
    await chip(page, 'Which tickets are quick wins?').click();
    await expect.poll(() => transcriptOf(page)).toMatch(/My pick|I would take|My choice/);
    await chip(page, 'Are any tickets obsolete?').click();
    await words(page).getByText('One ticket looks done already').waitFor();
    await chip(page, 'Close the obsolete tickets').click();
    const yes = chip(page, new RegExp(`Yes: close ${OBSOLETE}`));
    await yes.waitFor();
    await expect.poll(() => page.title()).toBe('(1) Chips · Hearth');
    await page.getByRole('navigation').getByText('waits for you').waitFor();
    expect(await stage.hearth.json<Ticket>(['board', 'show', OBSOLETE])).toMatchObject({ state: 'ready' });

    // Nothing but the chip decides: neither Escape nor Enter, nor a message.
    await page.locator('#composer').press('Escape');
    await page.locator('#composer').press('Enter');
    await say(page, 'yes');
    await page.getByRole('list', { name: 'Queued messages' }).getByText('yes').waitFor();
    expect(await stage.hearth.json<Ticket>(['board', 'show', OBSOLETE])).toMatchObject({ state: 'ready' });
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => page.locator('#composer').inputValue()).toBe('yes');

    await yes.dblclick();
    await words(page)
      .getByText(/Answered “Yes: close HB-1/)
      .waitFor();
    await expect.poll(() => page.title()).toBe('Chips · Hearth');
    // The focus is where the next words are typed.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    const ticket = await stage.hearth.json<Ticket>(['board', 'show', OBSOLETE]);
    expect(ticket.state).toBe('done');
    expect(ticket.comments.at(-1)?.body).toMatch(/[0-9a-f]{7,}/);
  });

  it('agrees with a console while both type', async () => {
    const id = await stage.conversation('Both');
    // The same person on both surfaces, as the links of the command line have it.
    const page = await stage.studio(id, {}, await stage.printedLink([id]));
    const terminal = new Tmux(
      `both-${randomUUID().slice(0, 8)}`,
      { columns: 110, rows: 50 },
      [process.execPath, LAUNCHER, 'open', id],
      { cwd: stage.hearth.cwd, env: stage.hearth.env },
    );
    terminals.push(terminal);
    await terminal.shows('idle');
    await say(page, 'how many tickets are open?');
    await terminal.shows(/\(studio\)\s+how many tickets are open\?/);
    await terminal.shows(/tickets open|open tickets/);
    await expect.poll(() => doing(page).textContent()).toBe('idle');

    // What one types stays while the other's words come in.
    await page.locator('#composer').fill('half a thought');
    terminal.type('show HB-4');
    await say(page, 'show HB-5');
    await terminal.shows(/\(studio\)\s+show HB-5/);
    await terminal.shows('show HB-4');
    await page.locator('#composer').fill('half a thought');
    terminal.press('Enter');
    await words(page).getByText('show HB-4', { exact: true }).waitFor();
    expect(await page.locator('#composer').inputValue()).toBe('half a thought');
    await terminal.shows(/idle/);
    await expect.poll(() => doing(page).textContent()).toBe('idle');

    // Both at once: whoever is first, both show the same order.
    terminal.type('show HB-2');
    await page.locator('#composer').fill('show HB-3');
    terminal.press('Enter');
    await page.locator('#composer').press('Enter');
    await words(page).getByText('show HB-2', { exact: true }).waitFor();
    await terminal.shows('show HB-3');
    await expect.poll(() => doing(page).textContent()).toBe('idle');
    await terminal.shows(/idle/);
    const order = (text: string): number => Math.sign(text.indexOf('show HB-2') - text.indexOf('show HB-3'));
    expect(order(await transcriptOf(page))).toBe(order(terminal.screen()));

    // A question asked from the console is answered on the page, and the console says by whom.
    terminal.type('close all tickets');
    terminal.press('Enter');
    await chip(page, 'No, change nothing').click();
    await terminal.shows(/answered "No, change nothing" by you \(studio\)/);
    await words(page).getByText('Answered “No, change nothing” by you').waitFor();
    terminal.type('/quit');
    terminal.press('Enter');
    await terminal.shows('exit=0');
  });

  it('tells whoever answers second that somebody was first', async () => {
    const id = await stage.conversation('Twice');
    const [a, b] = [await stage.studio(id), await stage.studio(id)];
    await say(a, 'close all tickets');
    let release = (): void => {};
    const first = new Promise<void>(resolve => {
      release = resolve;
    });
    // The second page's answer takes long on its way.
    await b.route('**/decisions', async route => {
      await first;
      await route.continue();
    });
    await chip(b, /^Yes/).click();
    await chip(a, 'No, change nothing').click();
    await words(b).getByText('Answered “No, change nothing” by you').waitFor();
    release();
    await b.getByText(/Your answer to p\d+ was not taken/).waitFor();
    await words(a).getByText('Nothing was changed').waitFor();
    await b.getByRole('button', { name: 'Dismiss' }).click();
    await b.getByText(/was not taken/).waitFor({ state: 'detached' });
  });

  it('is used by keys alone', async () => {
    const page = await stage.studio(await stage.conversation('Keys'));
    await page.locator('body').press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the composer');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('composer');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    expect(await page.locator('#composer').inputValue()).toBe('one\ntwo');
    await page.keyboard.press('Enter');
    await page.locator('.item.said').filter({ hasText: 'two' }).waitFor();
    // The chips that came with the greeting go away with the message; those of the reply are meant.
    await words(page)
      .getByText(/understand/i)
      .waitFor();
    await page.locator('.chips button').first().waitFor();
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.className')).toContain('chip');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
  });

  it('holds the scenario by keys alone', async () => {
    const page = await stage.studio(await stage.conversation('Keys only'));
    await page.locator('body').press('Tab');
    await page.keyboard.press('Enter');
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
    /** Goes back from the composer to a button that begins so, and presses it. */
    const press = async (name: string): Promise<void> => {
      await chip(page, new RegExp(`^${name}`)).waitFor();
      for (let steps = 0; steps < 12 && !(await focused()).startsWith(name); steps += 1) {
        await page.keyboard.press('Shift+Tab');
      }
      expect(await focused()).toMatch(new RegExp(`^${name}`));
      await page.keyboard.press('Enter');
    };
    await press('Which tickets are quick wins');
    await expect.poll(() => transcriptOf(page)).toMatch(/My pick|I would take|My choice/);
    // The focus comes back to where the next words are typed.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    await page.keyboard.type('close HB-2, HB-5 and HB-6');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^A question/ }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('composer');
    await page.keyboard.press('Enter');
    await press('No, change nothing');
    await words(page).getByText('Answered “No, change nothing” by you').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    expect(await stage.hearth.json<Ticket>(['board', 'show', 'HB-2'])).toMatchObject({ state: 'ready' });
  });

  it('announces whole replies and questions, and nothing twice', async () => {
    const page = await stage.studio(await stage.conversation('Heard'));
    const heard = page.locator('.hidden[role="status"][aria-live="polite"]');
    expect(await heard.textContent()).not.toContain('quick win');
    await say(page, 'close all tickets');
    await expect.poll(() => heard.textContent()).toMatch(/^A question: Shall I do these/);
    await chip(page, 'No, change nothing').click();
    await expect.poll(() => heard.textContent()).toMatch(/^Nexie: .*(?:changed|Nothing)/);
  });

  it('keeps the list and the count up to date in every tab, whichever of them is closed', async () => {
    const [one, other] = [await stage.conversation('One'), await stage.conversation('Other')];
    const first = await stage.studio(one);
    const second = await first.context().newPage();
    stage.watch(second);
    await second.goto(`${stage.hearth.service().address}/#${other}`);
    await words(second).getByText('Rehearsal: no model is configured').waitFor();
    await say(first, 'close all tickets');
    await expect.poll(() => second.title()).toBe('(1) Other · Hearth');
    await first.close();
    await second.getByRole('link', { name: /^One/ }).click();
    await expect.poll(() => second.title()).toBe('(1) One · Hearth');
    await chip(second, 'No, change nothing').click();
    await expect.poll(() => second.title()).toBe('One · Hearth');
    await second.goBack();
    await second.getByRole('heading', { level: 1, name: 'Other' }).waitFor();
    const made = await stage.conversation('Made elsewhere');
    await second.locator(`nav a[href="#${made}"]`).waitFor();
  });
});
