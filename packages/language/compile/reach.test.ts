import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reachable } from './graph.ts';
import { Reach } from './reach.ts';

const edge = fc.record({
  from: fc.nat(9).map(n => `n${n}`),
  to: fc.nat(9).map(n => `n${n}`),
});

test('a node leads to what a walk from its edges finds', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 25 }), edges => {
      const reach = new Reach(edges);
      const nodes = Array.from({ length: 11 }, (_, n) => `n${n}`);
      for (const from of nodes) {
        const found = reachable(
          edges,
          edges.filter(one => one.from === from).map(one => one.to),
        );
        expect(nodes.filter(to => reach.leads(from, to))).toEqual(nodes.filter(to => found.has(to)));
      }
    }),
  );
});

test('a chain as long as a file is walked without recursion', () => {
  const edges = Array.from({ length: 100_000 }, (_, n) => ({ from: `n${n}`, to: `n${n + 1}` }));
  const reach = new Reach(edges);
  expect(reach.leads('n0', 'n100000')).toBe(true);
  expect(reach.leads('n1', 'n0')).toBe(false);
});

test('what is found out together is what is found one by one', () => {
  // Layers of nodes with edges that cross: much of it no numbering tells.
  const layer = 20;
  const edges = Array.from({ length: 10 * layer }, (_, n) => n).flatMap(n => [
    { from: `n${n}`, to: `n${n + layer - (n % layer) + ((n * 7) % layer)}` },
    { from: `n${n}`, to: `n${n + layer - (n % layer) + ((n * 3 + 1) % layer)}` },
  ]);
  const pairs = Array.from({ length: 4000 }, (_, n) => [`n${(n * 13) % 200}`, `n${(n * 31) % 230}`] as const);
  const alone = new Reach(edges);
  const together = new Reach(edges);
  together.prepare(pairs);
  const answers = pairs.map(([from, to]) => together.leads(from, to));
  expect(answers).toEqual(pairs.map(([from, to]) => alone.leads(from, to)));
  expect(new Set(answers).size).toBe(2);
});
