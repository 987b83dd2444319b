import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallOrder } from './call-order.ts';

/* In which order the calls of a step run. */

/** Calls that end when they are told to. */
function stage() {
  const order = new CallOrder();
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (name: string, reads: boolean): Promise<string> =>
    order.run(reads, async () => {
      log.push(`${name} begins`);
      await new Promise<void>(resolve => ends.set(name, resolve));
      log.push(`${name} ends`);
      return name;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(resolve => setImmediate(resolve));
  };
  return { log, call, end, order };
}

test('calls that read run beside one another; one that changes something runs alone, at its place', async () => {
  const { log, call, end } = stage();
  const all = [call('r1', true), call('r2', true), call('w', false), call('r3', true), call('w2', false)];
  expect(log).toEqual(['r1 begins', 'r2 begins']);
  await end('r2');
  expect(log.at(-1)).toBe('r2 ends');
  await end('r1');
  expect(log.at(-1)).toBe('w begins');
  await end('w');
  expect(log.at(-1)).toBe('r3 begins');
  await end('r3');
  await end('w2');
  expect(await Promise.all(all)).toEqual(['r1', 'r2', 'w', 'r3', 'w2']);
});

test('one that fails keeps nobody back, and at most eight run at once', async () => {
  const { log, call, end, order } = stage();
  const bad = order.run(false, () => Promise.reject(new Error('bad')));
  const all = Array.from({ length: 20 }, (_, at) => call(`r${at}`, true));
  await expect(bad).rejects.toThrow('bad');
  await new Promise(resolve => setImmediate(resolve));
  expect(log).toHaveLength(8);
  for (let at = 0; at < 20; at += 1) await end(`r${at}`);
  expect(await Promise.all(all)).toHaveLength(20);
});

test('what comes of the calls is what would have come of them one after the other', async () => {
  const kinds = fc.array(fc.record({ reads: fc.boolean(), ticks: fc.nat(4) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(kinds, async calls => {
      const order = new CallOrder();
      let world = 0;
      const seen = await Promise.all(
        calls.map(({ reads, ticks }) =>
          order.run(reads, async () => {
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
            if (!reads) world += 1;
            return world;
          }),
        ),
      );
      let expected = 0;
      expect(seen).toEqual(calls.map(({ reads }) => (expected += reads ? 0 : 1)));
    }),
    { numRuns: 60 },
  );
});
