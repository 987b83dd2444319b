import { isFuelled } from './fuel.ts';
import { grouped } from './grouping.ts';
import type { Model } from './model.ts';
import { publishersOf } from './publishers.ts';
import { Reach } from './reach.ts';

/** What may have run before what. */
export interface Ancestry {
  /** Whether the first may have run before the second. */
  readonly ranBefore: (node: string, before: string) => boolean;
  /** Whether one of the nodes that publish a name may have run before a node. */
  readonly madeBefore: (artifact: string, before: string) => boolean;
  /** Says what will be asked: to find it all out together takes less time. */
  readonly prepare: (questions: readonly Question[]) => void;
}

/** A node that reads an output or an artifact; what it reads in other namespaces is passed over. */
export interface Question {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly consumer: string;
}

const known = new WeakMap<Model, Ancestry>();

/**
 * What may have run before what in a model. A loop's target may have run before itself, and so may a node of a cycle where
 * a person fuels edges. Several rules ask, so the answer is remembered.
 */
export function ancestry(model: Model): Ancestry {
  const found = known.get(model) ?? ancestryOf(model);
  known.set(model, found);
  return found;
}

function ancestryOf(model: Model): Ancestry {
  const publishers = publishersOf(model);
  const edges = [...model.edges, ...model.beside];
  const reach = new Reach([...edges, ...behindMakers(edges, publishers)]);
  const loopTargets = new Set(model.edges.filter(edge => edge.loop).map(edge => edge.to));
  const fuelled = model.edges.some(edge => isFuelled(model, edge));
  const ranBefore: Ancestry['ranBefore'] = (node, before) =>
    node === before
      ? loopTargets.has(node) || (fuelled && reach.leads(node, node))
      : reach.leads(node, before);
  return {
    ranBefore,
    madeBefore: (artifact, before) => {
      const makers = publishers.get(artifact) ?? new Set();
      if (!reach.leads(made(artifact), before)) return makers.has(before) && loopTargets.has(before);
      // What it made itself counts by a rule of its own.
      return !makers.has(before) || [...makers].some(maker => ranBefore(maker, before));
    },
    prepare: questions => {
      reach.prepare(
        questions.flatMap(({ namespace, name, consumer }) => {
          if (namespace === 'outputs') return [[name, consumer] as const];
          return namespace === 'artifacts' ? [[made(name), consumer] as const] : [];
        }),
      );
    },
  };
}

interface Ends {
  readonly from: string;
  readonly to: string;
}

/** From each published name to whatever stands right behind a node that publishes it: one question instead of many. */
function* behindMakers(
  edges: readonly Ends[],
  publishers: ReadonlyMap<string, ReadonlySet<string>>,
): Generator<Ends> {
  const next = grouped(edges, edge => edge.from);
  for (const [artifact, makers] of publishers) {
    for (const maker of makers) {
      for (const { to } of next.get(maker) ?? []) yield { from: made(artifact), to };
    }
  }
}

// No name of an author's has a blank.
const made = (artifact: string): string => `made ${artifact}`;
