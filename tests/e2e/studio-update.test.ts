import { afterAll, beforeAll, expect, it } from 'vitest';
import { StudioStage } from '../support/studio-stage.ts';

/* A page that is open while another version of Hearth takes the place of the one that it came from. */

let stage: StudioStage;
beforeAll(async () => {
  stage = await StudioStage.start();
}, 120_000);
afterAll(() => stage.close());

it('is told to reload once the other version answers', { timeout: 120_000 }, async () => {
  const page = await stage.studio(await stage.conversation('Updated'));
  const told = page.getByText('Hearth was updated to 99.0.0: reload this page to use it.');
  await page.route('**/v1/status', async route => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), version: '99.0.0' } });
  });
  expect(await told.count()).toBe(0);
  await stage.hearth.stop();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect((await stage.hearth.run(['list'])).code).toBe(0);
  await told.waitFor();
});
