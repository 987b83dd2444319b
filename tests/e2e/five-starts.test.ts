import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectOneHome } from '../support/five-starts.ts';
import { packedLauncher } from '../support/packed.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps } from '../support/temp.ts';

const ROUNDS = 20;

let launcher = '';
const project = makeProject();
beforeAll(async () => {
  launcher = await packedLauncher();
});
afterAll(removeTemps);

it('B30: five starts at once on an empty home make one service and one default', {
  timeout: 600_000,
}, async () => {
  for (let round = 1; round <= ROUNDS; round += 1) await expectOneHome(launcher, project);
  expect.hasAssertions();
});
