import type { Actor } from '@hearth/protocol/actor.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import { caseOf, documentOf } from '../document.ts';
import type { RunState } from '../state.ts';
import { closeDocuments } from './documents.ts';
import { type Draft, SERVICE } from './draft.ts';

/* The end of a case: its cards close, and its versions count no more. */

/** Closes the open cards of these artifacts. */
export function closeCards(draft: Draft, artifacts: readonly string[], by: Actor): void {
  for (const card of cardsOf(draft)) {
    if (artifacts.includes(card.shown.artifact)) draft.closePause(card.id, 'superseded', by);
  }
}

/**
 * The run has come home or ended while a card waited for another version, or a change had none yet: nobody makes it any
 * more, so the case is closed and nothing of it can be acted on.
 */
export function closeUnfinished(draft: Draft, run: RunState): void {
  const open = cardsOf(draft).map(card => card.shown.artifact);
  const changing = Object.keys(run.documents ?? {}).filter(name => documentOf(run, name)?.change != null);
  const names = [...new Set([...open, ...changing].flatMap(name => caseOf(draft.plan, name)))];
  if (names.length === 0) return;
  closeCards(draft, names, SERVICE);
  closeDocuments(draft, run, names, 'left');
}

function cardsOf(draft: Draft): readonly CardPause[] {
  return draft.machine.pauses.filter((pause): pause is CardPause => pause.kind === 'card');
}
