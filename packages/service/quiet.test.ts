import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { Quiet } from './quiet.ts';

/** Whether a quiet moment has come by now, asked again whenever it is called. */
function waiting(quiet: Quiet): () => Promise<boolean> {
  let come = false;
  void quiet.moment().then(() => {
    come = true;
  });
  return async () => {
    await new Promise(resolve => setImmediate(resolve));
    return come;
  };
}

test('is at once while nothing is answered, and comes with the end of the last answer, also of one that failed', async () => {
  const quiet = new Quiet(new SimClock());
  expect(await waiting(quiet)()).toBe(true);
  const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answers = [quiet.during(() => one.promise), quiet.during(() => other.promise)];
  const come = waiting(quiet);
  expect(await come()).toBe(false);
  one.resolve('answered');
  expect([await answers[0], await come()]).toEqual(['answered', false]);
  other.reject(new Error('not answered'));
  await expect(answers[1]).rejects.toThrow('not answered');
  expect([await come(), await waiting(quiet)()]).toEqual([true, true]);
});

test('comes after a while where there is none', async () => {
  const clock = new SimClock();
  const quiet = new Quiet(clock);
  void quiet.during(() => new Promise(() => undefined));
  const come = waiting(quiet);
  clock.advance(49);
  expect(await come()).toBe(false);
  clock.advance(1);
  expect(await come()).toBe(true);
});
