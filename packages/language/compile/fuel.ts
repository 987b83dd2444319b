import { isAnsweredByModel } from './interaction.ts';
import type { GraphEdge, Model } from './model.ts';

/*
 * Edges that only a person takes. A cycle through one turns no faster than the person acts, so it needs no bound.
 */

/** Whether a person chooses among the edges of a node: a review, or a human with actions. */
export function hasActions(model: Model, node: string): boolean {
  const syntax = model.nodes.get(node)?.syntax;
  return syntax?.kind === 'review' || (syntax?.kind === 'human' && syntax.properties.actions !== undefined);
}

/**
 * Whether a person fuels an edge: one that leaves a review or a human with actions, and in a file that declares an
 * artifact every edge that leaves a human whom a person answers.
 */
export function isFuelled(model: Model, { from }: GraphEdge): boolean {
  if (hasActions(model, from)) return true;
  const syntax = model.nodes.get(from)?.syntax;
  if (syntax?.kind !== 'human' || model.artifacts.size === 0) return false;
  return !isAnsweredByModel(model, syntax.properties.interaction?.value);
}
