import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/browser.ts';
import { makeProject } from '../support/project.ts';
import { say, StudioStage, transcriptOf, words } from '../support/studio-stage.ts';

/* Who may use the studio, and where what they say works. */

describe('a session of the studio', { timeout: 180_000 }, () => {
  let stage: StudioStage;

  beforeAll(async () => {
    stage = await StudioStage.start();
  }, 120_000);

  afterEach(async () => {
    expect(await stage.cleared()).toEqual([]);
  });

  afterAll(() => stage.close());

  it('signs in by a link that works once, and keeps the code out of the address', async () => {
    const address = await stage.printedLink();
    const page = await stage.openedBy(address);
    await page.locator('#composer').waitFor();
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#c_[0-9a-z]{26}$/);
    expect(await page.title()).toBe('Nexie · Hearth');
    const [cookie, ...others] = await page.context().cookies(`${stage.hearth.service().address}/v1/`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1' });
    expect(others).toEqual([]);
    await page.reload();
    await page.locator('#composer').waitFor();

    const other = await stage.openedBy(address);
    await other.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
    expect(await other.locator('main').innerText()).toMatch(/used already[\s\S]*hearth studio/);
    expect(await axeFindings(other)).toEqual([]);
    await other.goto(await stage.printedLink());
    await other.locator('#composer').waitFor();
  });

  it('lets nobody else ask', async () => {
    const page = await stage.openedBy(await stage.printedLink());
    await page.locator('#composer').waitFor();
    const { address } = stage.hearth.service();
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

  it('works where its link was made, in a conversation that works anywhere', async () => {
    const global = async (title: string) => (await stage.client().create({ title })).view.id;
    const [here, there] = [await global('Here'), await global('There')];
    const page = await stage.studio(here, {}, await stage.printedLink([here]));
    await page.locator('.status').getByText(`in ${stage.hearth.cwd}`).waitFor();
    await say(page, 'how many tickets are open?');
    await expect.poll(() => transcriptOf(page)).toMatch(/\b11 (?:tickets are )?open/);

    // Another project, another link, the same browser: that tab works there, and this one goes on where it was.
    const other = makeProject();
    const second = await page.context().newPage();
    stage.watch(second);
    await second.goto(await stage.printedLink([there], other));
    await second.locator('.status').getByText(`in ${other}`).waitFor();
    await words(second).getByText('Rehearsal: no model is configured').waitFor();
    await say(second, 'how many tickets are open?');
    await expect.poll(() => transcriptOf(second)).toMatch(/board is empty|no tickets|\b0 /i);
    await page.reload();
    await page.locator('.status').getByText(`in ${stage.hearth.cwd}`).waitFor();
    await say(page, 'show HB-2');
    await expect.poll(() => transcriptOf(page)).toContain('Add a favicon');

    // Whoever opens the address by hand goes on with the last link.
    const third = await page.context().newPage();
    stage.watch(third);
    await third.goto(`${stage.hearth.service().address}/#${here}`);
    await third.locator('.status').getByText(`in ${other}`).waitFor();
    const view = await stage.client().get(here);
    expect(view.scope).toEqual({ kind: 'global' });
  });

  it('takes no folder from an address', async () => {
    const id = await stage.conversation('Address');
    const { code } = await stage.client().loginCode();
    const address = `${stage.hearth.service().address}/?workspace=/etc#login=${code}&conversation=${id}&workspace=/etc`;
    const page = await stage.openedBy(address);
    await page.locator('#composer').waitFor();
    expect(await page.locator('.status').innerText()).not.toContain('/etc');
    expect(await page.evaluate('sessionStorage.getItem("hearth.session")')).not.toContain('/etc');
  });

  it('says that it has ended, keeps what was typed, and goes on once the browser is signed in again', async () => {
    const id = await stage.conversation('Ended');
    const page = await stage.studio(id);
    await page.context().clearCookies();
    await say(page, 'half a thought');
    await page.getByText('This browser is not signed in any more').waitFor();
    await expect.poll(() => page.locator('#composer').inputValue()).toBe('half a thought');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This browser is still not signed in').waitFor();

    const other = await page.context().newPage();
    stage.watch(other);
    await other.goto(await stage.link(id));
    await other.locator('#composer').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This browser is not signed in any more').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('#composer').inputValue()).toBe('half a thought');
    await page.locator('#composer').press('Enter');
    await words(page).getByText('half a thought', { exact: true }).waitFor();
    expect(await page.locator('.item.said').filter({ hasText: 'half a thought' }).count()).toBe(1);
  });
});
