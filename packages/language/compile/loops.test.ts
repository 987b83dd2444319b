import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../parse/file.ts';
import { loopBodies } from '../plan/loop-bodies.ts';
import { compileBundle } from './compile.ts';
import { reachable } from './graph.ts';
import { loopsOf } from './loops.ts';
import { modelOf } from './model.ts';

const edge = (nodes: number) =>
  fc.record({
    from: fc.nat(nodes).map(n => `n${n}`),
    to: fc.nat(nodes).map(n => `n${n}`),
    loop: fc.option(fc.constantFrom('a', 'b'), { freq: 2 }),
  });

type Drawn = { readonly from: string; readonly to: string; readonly loop: string | null };

const edgesOf = (edges: readonly Drawn[]) => edges.map(one => ({ ...one, when: null, with: [] }));

/** Few nodes with many ways, and loops of more ends than are looked at one by one. */
const graph = fc.oneof(
  fc.array(edge(7), { maxLength: 20 }),
  fc.array(edge(60), { minLength: 100, maxLength: 200 }),
);

/** A chain of agents, and a loop from each of its latter half back to one of its first. */
function nested(loops: number): string {
  const nodes = Array.from({ length: 2 * loops }, (_, n) => n);
  const last = nodes.length - 1;
  const edges = nodes.flatMap(n => [
    ...(n < loops ? [] : [`n${n} -> n${last - n} when "x == ${n}" as l${n}(2)`]),
    `n${n} -> ${n === last ? 'done' : `n${n + 1}`}`,
  ]);
  const agents = nodes.map(n => `agent n${n}:\n  model: "m"\n\n`).join('');
  return `${agents}workflow w:\n  entry: n0\n${edges.map(one => `  ${one}\n`).join('')}`;
}

test('a plan is as long as its source, however many loops lie in one another', () => {
  const ratios = [10, 100, 1000].map(loops => {
    const main = nested(loops);
    const { plan } = compileBundle({ main });
    expect(Object.keys(plan?.loops ?? {})).toHaveLength(loops);
    return JSON.stringify(plan).length / main.length;
  });
  expect(Math.max(...ratios)).toBeLessThan(2 * Math.min(...ratios));
});

test('who reads a plan gets the same bodies, written or not', () => {
  const { plan } = compileBundle({ main: nested(4) });
  if (plan === null) throw new Error('it compiles');
  const bare = { ...plan, edges: [...plan.edges] };
  bare.loops = Object.fromEntries(
    Object.values(plan.loops).map(({ name, cap, entries }) => [name, { name, cap, entries }]),
  );
  for (const { name, body, entries } of Object.values(plan.loops)) {
    expect(body).toContain('n3');
    expect([...loopBodies(plan).of(name)].toSorted()).toEqual(body);
    expect([...loopBodies(bare).of(name)].toSorted()).toEqual(body);
    for (const entry of entries) expect([...loopBodies(bare).enteredAt(entry)]).toEqual([name]);
  }
  expect(loopBodies(bare).of('no such loop').size).toBe(0);
});

test('what a stored plan says of its bodies counts', () => {
  const loops = { l: { name: 'l', cap: 2, body: ['a', 'old'], entries: ['a'] } };
  const edge = { from: 'b', to: 'a', when: null, loop: 'l', with: [] };
  expect([...loopBodies({ edges: [edge], loops }).of('l')]).toEqual(['a', 'old']);
});

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
        const found = loopBodies({ edges: edgesOf(edges), loops: {} }).of(name);
        expect([...found].toSorted()).toEqual(body);
        expect(body).toEqual([...new Set([...targets, ...sources, ...between])].toSorted());
      }
    }),
  );
});
