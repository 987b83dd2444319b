import type { Interaction } from '../plan/node.ts';
import type { Model } from './model.ts';

/**
 * How a node asks: its own word, else the workflow's; undefined where neither says. A written `none` cannot be told from
 * nothing, so the workflow's word applies to both.
 */
export function interactionOf(model: Model, own: Interaction | undefined): Interaction | undefined {
  const all = [own, model.workflow.properties.interaction?.value];
  return all.find(one => one !== undefined && one !== 'none');
}

/** Whether a model answers in the person's stead at a node that asks in its own way or in the workflow's. */
export function isAnsweredByModel(model: Model, own: Interaction | undefined): boolean {
  const mode = interactionOf(model, own);
  return mode === 'llm' || mode === 'llm_or_human';
}
