import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../parse/file.ts';
import { reachable } from './graph.ts';
import { loopsOf } from './loops.ts';
import { modelOf } from './model.ts';

const edge = (nodes: number) =>
  fc.record({
    from: fc.nat(nodes).map(n => `n${n}`),
    to: fc.nat(nodes).map(n => `n${n}`),
    loop: fc.option(fc.constantFrom('a', 'b'), { freq: 2 }),
  });

/** Few nodes with many ways, and loops of more ends than are looked at one by one. */
const graph = fc.oneof(
  fc.array(edge(7), { maxLength: 20 }),
  fc.array(edge(60), { minLength: 100, maxLength: 200 }),
);

test('a body holds the ends of the edges, and what lies between their targets and their sources', () => {
  fc.assert(
    fc.property(graph, edges => {
      const lines = edges.map(({ from, to, loop }) => `  ${from} -> ${to}${loop ? ` as ${loop}(2)` : ''}\n`);
      const model = modelOf(parse(`workflow w:\n  entry: n0\n${lines.join('')}`, 'main.bot').file, {});
      const plain = edges.filter(one => one.loop === null);
      const backwards = plain.map(({ from, to }) => ({ from: to, to: from }));
      for (const { name, body } of model === null ? [] : loopsOf(model).values()) {
        const own = edges.filter(one => one.loop === name);
        const [targets, sources] = [own.map(one => one.to), own.map(one => one.from)];
        const before = reachable(backwards, sources);
        const between = [...reachable(plain, targets)].filter(node => before.has(node));
        expect(body).toEqual([...new Set([...targets, ...sources, ...between])].toSorted());
      }
    }),
  );
});
