import type { Loop } from '../plan.ts';
import { LoopBodies } from '../plan/loop-bodies.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import { grouped } from './grouping.ts';
import type { Model } from './model.ts';

/** Bodies are written into a plan as long as walking once over its edges for each loop is no more than so many steps. */
const MOST_STEPS = 20_000;

/**
 * The loops of a model by name. Where there are many over many edges their bodies are left out, since together they may
 * be as long as the square of the source; `LoopBodies` works them out for who reads the plan.
 */
export function loopsOf(model: Model): ReadonlyMap<string, Loop> {
  const edges = model.edges.map(({ from, to, loop }) => ({ from, to, loop: loop?.name ?? null }));
  const bodies = new LoopBodies(edges);
  const byName = grouped(
    model.edges.flatMap(({ loop }) => (loop ? [loop] : [])),
    loop => loop.name,
  );
  const written = byName.size * edges.length <= MOST_STEPS;
  return new Map(
    sortedNames(byName.keys()).map(name => {
      const cap = byName.get(name)?.[0]?.cap ?? 0;
      const loop: Loop = {
        name,
        cap: typeof cap === 'number' ? cap : capOf(cap),
        ...(written ? { body: sortedNames(bodies.of(name)) } : {}),
        entries: sortedNames(bodies.entriesOf(name)),
      };
      return [name, loop];
    }),
  );
}

/** Distinct names in the order of their code units, which depends on no locale. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
}

/** A cap in quotes: the one reference that it is, or the number that it spells; other text counts as 0. */
function capOf(text: string): Loop['cap'] {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed);
  return isCap(trimmed) ? parseTemplate(trimmed).template : 0;
}

/** Whether a cap in quotes is a number or exactly one reference. */
export function isCap(text: string): boolean {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return true;
  const { template } = parseTemplate(trimmed);
  return template.length === 1 && typeof template[0] === 'object';
}
