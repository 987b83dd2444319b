import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read } from '../parse/file.ts';
import { LoopBodies } from '../plan/loop-bodies.ts';
import { loopsWithPersons } from './loop-persons.ts';
import { modelOf } from './model.ts';

const edge = fc.record({
  from: fc.nat(7).map(n => `n${n}`),
  to: fc.nat(7).map(n => `n${n}`),
  loop: fc.option(fc.constantFrom('a', 'b'), { freq: 2 }),
});

test('a loop holds a person when its body does', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), fc.uniqueArray(fc.nat(7)), (edges, persons) => {
      const lines = edges.map(({ from, to, loop }) => `  ${from} -> ${to}${loop ? ` as ${loop}(2)` : ''}\n`);
      const humans = persons.map(n => `human n${n}:\n  pause: input\n\n`);
      const source = `${humans.join('')}workflow w:\n  entry: n0\n${lines.join('')}`;
      const model = modelOf(read(source, 'main.bot').file, {});
      if (model === null) throw new Error('there is a workflow');
      const bodies = new LoopBodies(edges);
      const holds = loopsWithPersons(model);
      for (const loop of ['a', 'b']) {
        expect(holds(loop)).toBe([...bodies.of(loop)].some(node => persons.some(n => node === `n${n}`)));
      }
    }),
  );
});
