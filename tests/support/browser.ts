import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type ViewportSize,
} from 'playwright-core';

/**
 * Where a Chromium may be; `scripts/test-tools.mjs` installs one where root runs the tests. The one without windows comes
 * first: it draws and runs a page as the others do, for less than half of their work.
 */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function findChromium(): string {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  for (const command of COMMANDS) {
    const found = spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' });
    const path = found.stdout.trim();
    if (found.status === 0 && existsSync(path)) return path;
  }
  throw new Error('No Chromium on the path: run "node scripts/test-tools.mjs", or name one in CHROMIUM.');
}

/** A browser of its own, with a profile of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: FLAGS,
    // Chromium refuses its sandbox to root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

/** What a page complained about: faults of its script, and whatever its policy refused. */
export class Complaints {
  readonly #found: string[] = [];

  constructor(page: Page) {
    page.on('pageerror', error => this.#found.push(`fault: ${error.message}`));
    page.on('console', message => {
      // That nobody answers is what some tests are about.
      if (message.type() !== 'error' || /Failed to load resource/.test(message.text())) return;
      this.#found.push(message.text());
    });
  }

  get all(): readonly string[] {
    return this.#found;
  }
}

const VIEWPORT = { width: 1100, height: 800 };

/** A new page in a context of its own: as a person who never was here. */
export async function freshPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

/** How a person looks at a page; as `freshPage` has it where nothing is said. */
export interface Look {
  readonly viewport?: ViewportSize;
  readonly colorScheme?: 'light' | 'dark';
}

/** Shows an open page as this person has it. */
export async function lookAt(page: Page, { viewport = VIEWPORT, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: colorScheme ?? null });
}

/**
 * The studio's page of somebody who was here, as one who never was: alone, at a file of the same service, signed out,
 * with nothing kept. Only what the browser made of the script stays. `null`, and the page is closed, where a test took away more.
 */
export async function emptied(page: Page): Promise<Page | null> {
  const context = page.context();
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(new URL('/favicon.svg', page.url()).href);
    await page.evaluate('sessionStorage.clear(); localStorage.clear()');
    await context.clearCookies();
    // Whoever listened was of the test.
    for (const event of ['pageerror', 'console'] as const) page.removeAllListeners(event);
    return page;
  } catch {
    await context.close();
    return null;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong with a page as it stands: every rule, best practices included. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // The browser's own hand puts it there: the page's policy lets no page do that.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run().then(found => found.violations)')) as readonly Finding[];
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html}: ${failureSummary}`),
  );
}
