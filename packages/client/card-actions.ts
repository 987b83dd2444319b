import type { Act } from '@hearth/protocol/decision.ts';
import { type Action, type CardPause, type InputPause, isDrafting } from '@hearth/protocol/pause.ts';

/*
 * The actions of a card or an input as every surface offers them: which kinds there are, in which order they stand, and
 * which can be taken now. Pure.
 */

/** What an action does to what is reviewed. `moves`: none of the others; the run goes on by it. */
export type ActionClass = 'confirms' | 'revises' | 'moves' | 'stops';

/** Confirming first, then revising, then stopping. */
const ORDER: readonly ActionClass[] = ['confirms', 'revises', 'moves', 'stops'];

/** A pause with named actions. */
export type Acted = CardPause | InputPause;

/** The class of an action, from what the card says of it and never from its name or label. */
export function classOf(action: Action): ActionClass {
  if (action.confirms) return 'confirms';
  if (action.stops === true) return 'stops';
  return action.needs === 'feedback' ? 'revises' : 'moves';
}

/** All actions as they stand now, in the order in which they are shown; those without a button among them. */
export function actionsNow(pause: Acted): readonly Action[] {
  const drafting = isDrafting(pause);
  const now = pause.actions.map(action =>
    drafting && action.stops !== true
      ? { ...action, enabled: false, why: action.why ?? 'a new version is being drafted' }
      : action,
  );
  return now.toSorted((a, b) => ORDER.indexOf(classOf(a)) - ORDER.indexOf(classOf(b)));
}

/** The decision that takes an action, with words where there are any. */
export function actOf(action: Pick<Action, 'name'>, words = ''): Act {
  return { do: 'act', action: action.name, ...(words.trim() === '' ? {} : { feedback: words }) };
}

/** The revising actions among which somebody chooses whose confirmation came with words. */
export function revisingActions(pause: Acted): readonly Action[] {
  return actionsNow(pause).filter(action => action.button && action.enabled && classOf(action) === 'revises');
}
