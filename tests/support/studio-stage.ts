import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { Complaints, emptied, freshPage, type Look, launchBrowser, lookAt } from './browser.ts';
import { Hearth } from './hearth.ts';
import { makeProject, TWELVE_TICKETS } from './project.ts';
import { clientOf } from './service-process.ts';
import { removeTemps, tempDirectory } from './temp.ts';

/*
 * A stage for the studio: the real service on the rehearsal, a project with twelve tickets, and a real browser. What a
 * page complains about on its own, a fault or something that its policy refused, is kept for the end of each test.
 */
export class StudioStage {
  readonly hearth: Hearth;
  readonly #browser: Browser;
  #complaints: Complaints[] = [];
  /** The first page of a test, and what it became: empty, for the next test's first. */
  #first: Page | null = null;
  #empty: Page | null = null;

  private constructor(hearth: Hearth, browser: Browser) {
    this.hearth = hearth;
    this.#browser = browser;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<StudioStage> {
    const hearth = new Hearth(tempDirectory('home'), makeProject(), env);
    const imported = await hearth.run(['board', 'import', '-'], { input: JSON.stringify(TWELVE_TICKETS) });
    if (imported.code !== 0) throw new Error(imported.err);
    return new StudioStage(hearth, await launchBrowser());
  }

  /** Leaves no page behind but an empty one, which knows nothing of the test; what the pages complained about. */
  async cleared(): Promise<readonly string[]> {
    const first = this.#first;
    this.#first = null;
    const others = this.#browser.contexts().filter(context => context !== first?.context());
    await Promise.all(others.map(context => context.close()));
    const found = this.#complaints.splice(0).flatMap(one => one.all);
    this.#empty = first === null ? null : await emptied(first);
    return found;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.hearth.stop();
    removeTemps();
  }

  client(): HearthClient {
    return clientOf(this.hearth.service().address, this.hearth.token(), 'cli');
  }

  /** A conversation of its own that works in the project. */
  async conversation(title: string, bot?: string): Promise<ConversationId> {
    const scope = { kind: 'workspace', path: this.hearth.cwd } as const;
    const made = await this.client().create({ title, scope, ...(bot === undefined ? {} : { bot }) });
    return made.view.id;
  }

  /** A link as `hearth studio` prints it, asked for in the same way, but for a session that works nowhere. */
  async link(id: ConversationId): Promise<string> {
    const { code } = await this.client().loginCode();
    return `${this.hearth.service().address}/#login=${code}&conversation=${id}`;
  }

  /** What `hearth studio` prints. */
  async printedLink(words: readonly string[] = [], cwd = this.hearth.cwd): Promise<string> {
    const { code, out, err } = await this.hearth.run(['studio', ...words], { cwd });
    if (code !== 0) throw new Error(err);
    return out.trim();
  }

  /** A browser of its own at an address. A test's first was another test's before: a new one costs three times as much. */
  async openedBy(address: string, look: Look = {}): Promise<Page> {
    const page = this.#empty ?? (await freshPage(this.#browser));
    this.#empty = null;
    this.#first ??= page;
    await lookAt(page, look);
    this.watch(page);
    await page.goto(address);
    return page;
  }

  /** Listens to what a page complains about. */
  watch(page: Page): void {
    this.#complaints.push(new Complaints(page));
  }

  /** The studio on a conversation, greeted and signed in. */
  async studio(id: ConversationId, look: Look = {}, by?: string): Promise<Page> {
    const page = await this.openedBy(by ?? (await this.link(id)), look);
    await words(page).getByText('Rehearsal: no model is configured').waitFor();
    return page;
  }
}

/** Types a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('#composer').fill(text);
  await page.locator('#composer').press('Enter');
}

export const chip = (page: Page, name: RegExp | string): Locator =>
  page.locator('.chips').getByRole('button', { name });

export const words = (page: Page): Locator => page.getByRole('region', { name: 'Transcript' });

/** The words of the transcript, however they are laid out. */
export async function transcriptOf(page: Page): Promise<string> {
  return (await words(page).innerText()).replace(/\s+/g, ' ');
}

/** What the page says of a service that does not answer. */
export const lost = (page: Page): Locator => page.getByText('Connection lost, reconnecting');

/** What the page says that goes on. */
export const doing = (page: Page): Locator => page.locator('.status strong');
