import { actionsNow, classOf } from '@hearth/client/card-actions.ts';
import { type CardPause, owes } from '@hearth/protocol/pause.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';

/** The surface that a standing confirmation comes from, so that everybody sees that nobody read what it confirms. */
export const STANDING = 'standing-confirmation';

/**
 * The card that a standing confirmation confirms, and by which action: the only thing that is open, with nothing found in
 * it, and with one meaning of a confirmation. `null` when a person must look.
 */
export function confirmable(
  view: ConversationView,
): { readonly card: CardPause; readonly action: string } | null {
  const [card, other] = view.pauses.filter(owes);
  if (card?.kind !== 'card' || other !== undefined || card.status !== 'shown' || card.findings.length > 0)
    return null;
  if (card.keptFeedback !== undefined) return null;
  const confirming = actionsNow(card).filter(action => action.enabled && classOf(action) === 'confirms');
  const meant =
    confirming.find(action => action.name === card.assent) ??
    (confirming.length === 1 ? confirming[0] : undefined);
  return meant === undefined ? null : { card, action: meant.name };
}
