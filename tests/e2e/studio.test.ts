import { randomUUID } from 'node:crypto';
import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, Complaints, freshPage, launchBrowser } from '../support/browser.ts';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { makeProject, TWELVE_TICKETS } from '../support/project.ts';
import { clientOf, ServiceProcess } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import { Tmux } from '../support/tmux.ts';

/* The studio as a person meets it: the real service on the rehearsal, in a real browser. */

const OBSOLETE = 'HB-1';

interface Ticket {
  readonly state: string;
  readonly comments: readonly { readonly body: string }[];
}

describe('the studio, in a real browser', { timeout: 180_000 }, () => {
  const hearth = new Hearth(tempDirectory('home'), makeProject());
  let terminals: Tmux[] = [];
  let browser: Browser;
  let complaints: Complaints[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    const imported = await hearth.run(['board', 'import', '-'], { input: JSON.stringify(TWELVE_TICKETS) });
    expect(imported).toMatchObject({ code: 0 });
  }, 120_000);

  afterEach(async () => {
    await Promise.all(browser.contexts().map(context => context.close()));
    expect(complaints.flatMap(one => one.all)).toEqual([]);
    complaints = [];
  });

  // A console that is left over would start a service again that another test has ended.
  afterEach(() => {
    for (const terminal of terminals) terminal.end();
    terminals = [];
  });

  afterAll(async () => {
    await browser.close();
    await hearth.stop();
    removeTemps();
  });

  const client = (): HearthClient => clientOf(hearth.service().address, hearth.token(), 'cli');

  /** A conversation of its own that works in the project. */
  async function conversation(title: string): Promise<ConversationId> {
    const made = await client().create({ title, scope: { kind: 'workspace', path: hearth.cwd } });
    return made.view.id;
  }

  /** The link that `hearth studio` prints, asked for in the same way. */
  async function link(id: ConversationId): Promise<string> {
    const { code } = await client().loginCode();
    return `${hearth.service().address}/#login=${code}&conversation=${id}`;
  }

  async function printedLink(words: readonly string[] = []): Promise<string> {
    const { code, out, err } = await hearth.run(['studio', ...words]);
    expect([code, err]).toEqual([0, 'The link signs one browser in, once, within five minutes.\n']);
    return out.trim();
  }

  async function openedBy(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await freshPage(browser, options);
    complaints.push(new Complaints(page));
    await page.goto(address);
    return page;
  }

  /** The studio on a conversation, greeted and signed in. */
  async function studio(id: ConversationId, options: BrowserContextOptions = {}, by?: string): Promise<Page> {
    const page = await openedBy(by ?? (await link(id)), options);
    await words(page).getByText('Rehearsal: no model is configured').waitFor();
    return page;
  }

  async function say(page: Page, text: string): Promise<void> {
    await page.locator('#composer').fill(text);
    await page.locator('#composer').press('Enter');
  }

  const chip = (page: Page, name: RegExp | string) => page.locator('.chips').getByRole('button', { name });

  const words = (page: Page) => page.getByRole('region', { name: 'Transcript' });

  /** The words of the transcript, however they are laid out. */
  const transcriptOf = async (page: Page): Promise<string> =>
    (await words(page).innerText()).replace(/\s+/g, ' ');

  const lost = (page: Page) => page.getByText('Connection lost, reconnecting');

  it('signs in by a link that works once, and keeps the code out of the address', async () => {
    const address = await printedLink();
    const page = await openedBy(address);
    await page.locator('#composer').waitFor();
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#c_[0-9a-z]{26}$/);
    expect(await page.title()).toBe('Nexie · Hearth');
    const [cookie, ...others] = await page.context().cookies(`${hearth.service().address}/v1/`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1' });
    expect(others).toEqual([]);
    await page.reload();
    await page.locator('#composer').waitFor();

    const other = await openedBy(address);
    await other.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
    expect(await other.locator('main').innerText()).toMatch(/used already[\s\S]*hearth studio/);
    expect(await axeFindings(other)).toEqual([]);
    await other.goto(await printedLink());
    await other.locator('#composer').waitFor();
  });

  it('lets nobody else ask', async () => {
    const page = await openedBy(await printedLink());
    await page.locator('#composer').waitFor();
    const { address } = hearth.service();
    const [{ name, value } = { name: '', value: '' }] = await page.context().cookies(`${address}/v1/`);
    const cookie = `${name}=${value}`;
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${address}/v1/status`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ cookie })).toBe(200);
    expect(await status({ cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await status({ cookie, origin: 'http://127.0.0.1:1' })).toBe(403);
    const policy = (await fetch(address)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'");
  });

  it('holds the scenario by chips alone', async () => {
    const page = await studio(await conversation('Chips'));
    await chip(page, 'Which tickets are quick wins?').click();
    await expect.poll(() => transcriptOf(page)).toMatch(/My pick|I would take|My choice/);
    await chip(page, 'Are any tickets obsolete?').click();
    await words(page).getByText('One ticket looks done already').waitFor();
    await chip(page, 'Close the obsolete tickets').click();
    const yes = chip(page, new RegExp(`Yes: close ${OBSOLETE}`));
    await yes.waitFor();
    await expect.poll(() => page.title()).toBe('(1) Chips · Hearth');
    await page.getByRole('navigation').getByText('waits for you').waitFor();
    expect(await hearth.json<Ticket>(['board', 'show', OBSOLETE])).toMatchObject({ state: 'ready' });

    // Nothing but the chip decides: neither Escape nor Enter, nor a message.
    await page.locator('#composer').press('Escape');
    await page.locator('#composer').press('Enter');
    await say(page, 'yes');
    await page.getByRole('list', { name: 'Queued messages' }).getByText('yes').waitFor();
    expect(await hearth.json<Ticket>(['board', 'show', OBSOLETE])).toMatchObject({ state: 'ready' });
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => page.locator('#composer').inputValue()).toBe('yes');

    await yes.dblclick();
    await words(page)
      .getByText(/Answered “Yes: close HB-1/)
      .waitFor();
    await expect.poll(() => page.title()).toBe('Chips · Hearth');
    // The focus is where the next words are typed.
    expect(await page.evaluate('document.activeElement.id')).toBe('composer');
    const ticket = await hearth.json<Ticket>(['board', 'show', OBSOLETE]);
    expect(ticket.state).toBe('done');
    expect(ticket.comments.at(-1)?.body).toMatch(/[0-9a-f]{7,}/);
  });

  it('agrees with a console while both type', async () => {
    const id = await conversation('Both');
    // The same person on both surfaces, as the links of the command line have it.
    const page = await studio(id, {}, await printedLink([id]));
    const terminal = new Tmux(
      `both-${randomUUID().slice(0, 8)}`,
      { columns: 110, rows: 50 },
      [process.execPath, LAUNCHER, 'open', id],
      { cwd: hearth.cwd, env: hearth.env },
    );
    terminals.push(terminal);
    await terminal.shows('idle');
    await say(page, 'how many tickets are open?');
    await terminal.shows(/\(studio\)\s+how many tickets are open\?/);
    await terminal.shows(/tickets open|open tickets/);
    await expect.poll(() => page.locator('.status strong').textContent()).toBe('idle');

    // Both at once: whoever is first, both show the same order.
    terminal.type('show HB-2');
    await page.locator('#composer').fill('show HB-3');
    terminal.press('Enter');
    await page.locator('#composer').press('Enter');
    await words(page).getByText('show HB-2', { exact: true }).waitFor();
    await terminal.shows('show HB-3');
    await expect.poll(() => page.locator('.status strong').textContent()).toBe('idle');
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

  it('goes on after a SIGKILL of the service without a reload', async () => {
    const page = await studio(await conversation('Killed'));
    await say(page, 'close all tickets');
    await chip(page, 'No, change nothing').waitFor();
    await page.evaluate('window.untouched = true');
    process.kill(hearth.service().pid, 'SIGKILL');
    await lost(page).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    // What cannot be sent comes back to its writer.
    await say(page, 'typed while nobody answers');
    await page.getByText('That may not have been sent').waitFor();
    expect(await page.locator('#composer').inputValue()).toBe('typed while nobody answers');

    await hearth.run(['list']);
    await lost(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('window.untouched')).toBe(true);
    await chip(page, 'No, change nothing').click();
    await words(page).getByText('Answered “No, change nothing” by you').waitFor();
    await page.locator('#composer').press('Enter');
    await expect
      .poll(() => page.locator('.item.said:not(.sending)').last().innerText())
      .toContain('typed while');
    expect(await page.locator('.item.said').filter({ hasText: 'typed while' }).count()).toBe(1);
  });

  it('offers a turn that was cut off as a recovery, with its choices', async () => {
    const page = await studio(await conversation('Cut off'));
    await hearth.stop();
    await lost(page).waitFor();
    const dying = await ServiceProcess.start(hearth.home, { at: 'narration', nth: 1 });
    await lost(page).waitFor({ state: 'detached' });
    await say(page, 'indique-moi les tickets les plus pertinents pour un quickwin');
    expect(await dying.ended).toBe('SIGKILL');
    await hearth.run(['list']);
    await page.getByRole('heading', { name: /^The work stopped/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.locator('.panel .chip').count()).toBeGreaterThan(1);
    await page.locator('.panel .chip').filter({ hasText: /again/i }).click();
    await words(page).getByText('Mon choix est').waitFor();
  });

  it('tells whoever answers second that somebody was first', async () => {
    const id = await conversation('Twice');
    const [a, b] = [await studio(id), await studio(id)];
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
    const page = await studio(await conversation('Keys'));
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

  it('announces whole replies and questions, and nothing twice', async () => {
    const page = await studio(await conversation('Heard'));
    const heard = page.locator('.hidden[role="status"][aria-live="polite"]');
    expect(await heard.textContent()).not.toContain('quick win');
    await say(page, 'close all tickets');
    await expect.poll(() => heard.textContent()).toMatch(/^A question: Shall I do these/);
    await chip(page, 'No, change nothing').click();
    await expect.poll(() => heard.textContent()).toMatch(/^Nexie: .*(?:changed|Nothing)/);
  });

  it('keeps the list and the count up to date in every tab, whichever of them is closed', async () => {
    const [one, other] = [await conversation('One'), await conversation('Other')];
    const first = await studio(one);
    const second = await first.context().newPage();
    complaints.push(new Complaints(second));
    await second.goto(`${hearth.service().address}/#${other}`);
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
    const made = await conversation('Made elsewhere');
    await second.locator(`nav a[href="#${made}"]`).waitFor();
  });

  const LOOKS: readonly [string, BrowserContextOptions][] = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 320, height: 640 } }],
    ['narrow and dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
    ['low', { viewport: { width: 640, height: 320 } }],
  ];
  it.each(LOOKS)('is accessible and fits: %s', async (name, options) => {
    const page = await studio(await conversation(`Looks ${name}`), options);
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
