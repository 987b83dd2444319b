import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { freshPage, launchBrowser } from '../tests/support/browser.ts';
import { Hearth } from '../tests/support/hearth.ts';
import { makeProject, TWELVE_TICKETS } from '../tests/support/project.ts';
import { removeTemps, tempDirectory } from '../tests/support/temp.ts';

/*
 * Photographs the studio as it is, in a real browser on the rehearsal, into `docs/images`: to be looked at, and for the
 * README. Each look is the same conversation, with a question open.
 */

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url));

const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['studio-light', { colorScheme: 'light', viewport: { width: 1100, height: 760 } }],
  ['studio-dark', { colorScheme: 'dark', viewport: { width: 1100, height: 760 } }],
  ['studio-narrow', { colorScheme: 'light', viewport: { width: 360, height: 760 } }],
];

/** Takes one picture; resolves to its path. */
async function picture(
  browser: Browser,
  hearth: Hearth,
  name: string,
  look: BrowserContextOptions,
): Promise<string> {
  const { out } = await hearth.run(['studio']);
  const page = await freshPage(browser, { locale: 'en-GB', ...look });
  // A folder as people have it, in place of a temporary one.
  await page.route('**/login', async route => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), workspace: '/home/ada/orchard' } });
  });
  await page.goto(out.trim());
  await page.locator('.panel .chip').first().waitFor();
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path });
  await page.context().close();
  return path;
}

const hearth = new Hearth(tempDirectory('home'), makeProject());
let browser: Browser | null = null;
try {
  await mkdir(IMAGES, { recursive: true });
  await hearth.run(['new', '--title', 'Release notes']);
  await hearth.run(['board', 'import', '-'], { input: JSON.stringify(TWELVE_TICKETS) });
  for (const text of ['are any tickets obsolete?', 'close the obsolete tickets'])
    await hearth.run(['send', text]);
  browser = await launchBrowser();
  for (const [name, look] of LOOKS) console.log(await picture(browser, hearth, name, look));
} finally {
  await browser?.close();
  await hearth.stop();
  removeTemps();
}
