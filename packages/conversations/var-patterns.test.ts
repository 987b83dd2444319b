import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { expect, test } from 'vitest';
import { outsidePattern } from './var-patterns.ts';
import { message, SampleBots, started } from './testing/sample-home.ts';

const plan = {
  ...chatPlan(),
  vars: [
    ...chatPlan().vars,
    { name: 'branch', type: 'string', matching: '^[a-z]+$' },
    { name: 'size', type: 'string', enum: ['small', 'large'], default: 'small' },
    { name: 'slow', type: 'string', matching: '^(a+)+$' },
  ],
  presets: { odd: { branch: 'Main' }, huge: { size: 'huge' }, fine: { branch: 'main', size: 'large' } },
} as const;

test('a value is held to the pattern of its var, and a pattern that takes too long holds up nobody', () => {
  expect(outsidePattern(plan, { branch: 'main' })).toBeNull();
  expect(outsidePattern(plan, {})).toBeNull();
  expect(outsidePattern(plan, { branch: 'Main' })).toMatch(
    /"branch" of .* must match \^\[a-z\]\+\$, and "Main" does not\.$/,
  );
  expect(outsidePattern(plan, { slow: `${'a'.repeat(64)}!` })).toMatch(/takes too long/);
});

test.each<[string, object, string | null]>([
  ['vars that fit', { vars: { branch: 'main', size: 'large' } }, null],
  ['a preset that fits', { preset: 'fine' }, null],
  ['vars that mend a preset', { preset: 'odd', vars: { branch: 'main' } }, null],
  ['a var outside its pattern', { vars: { branch: 'a b' } }, 'must match'],
  ['a var outside its enum', { vars: { size: 'huge' } }, 'is one of small, large, and this is "huge"'],
  ['a preset outside a pattern', { preset: 'odd' }, 'must match'],
  ['a preset outside an enum', { preset: 'huge' }, 'The preset "huge" gives it.'],
])('a run begins with %s, or not at all', async (_, given, why) => {
  const { conversations } = await started({ bots: new SampleBots(plan) });
  const lane = await conversations.lane(await conversations.default());
  const { refused } = await lane.send(message('hi', given));
  expect(refused?.code ?? null).toBe(why === null ? null : 'invalid_vars');
  if (why !== null) expect(refused?.message).toContain(why);
  await lane.settled();
  await conversations.closeAll();
});
