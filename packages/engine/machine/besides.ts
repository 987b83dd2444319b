import type { CardPause, InputPause, Pause } from '@hearth/protocol/pause.ts';
import type { Beside } from '../beside.ts';
import { documentOf, sameRef } from '../document.ts';
import type { RunState, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { drop } from './drop.ts';
import { turnResumes } from './turn.ts';

/*
 * Work beside the graph: the reader of typed words, and a node that answers a question while the card stays open. No token of
 * the graph moves for it. It is for one version of one card, and what it gives once that is no longer shown is not taken.
 */

/**
 * Starts the work of a node for a pause. Words typed later take the place of those that are still being read, and a question
 * that of the one that is still being answered.
 */
export function startBeside(
  draft: Draft,
  run: RunState,
  pause: CardPause | InputPause,
  work: Pick<Beside, 'as' | 'text' | 'by'> & { readonly node: string },
): void {
  const { node, ...rest } = work;
  for (const token of run.tokens)
    if (token.beside?.pause === pause.id && token.beside.as === work.as) drop(draft, run, token);
  const shown = pause.kind === 'card' ? pause.shown : null;
  const body = shown === null ? '' : (documentOf(run, shown.artifact)?.body ?? '');
  run.tokens.push({
    branch: freeName(run, node),
    node,
    iteration: 0,
    input: { body, message: work.text },
    stage: { is: 'ready', attempt: 1, resume: null, joined: [] },
    beside: { ...rest, pause: pause.id, shown },
  });
  turnResumes(draft);
}

function freeName(run: RunState, node: string): string {
  for (let nth = 1; ; nth += 1) {
    const name = nth === 1 ? `beside_${node}` : `beside_${node}_${nth}`;
    if (!run.tokens.some(token => token.branch === name)) return name;
  }
}

/** Gives up what was begun for a card that has closed since or shows another version. */
export function dropStray(draft: Draft): void {
  const { run } = draft;
  if (run === null) return;
  for (const token of run.tokens) if (isStray(draft.machine.pauses, token)) drop(draft, run, token);
}

function isStray(open: readonly Pause[], { beside }: Token): boolean {
  if (beside === undefined) return false;
  const pause = open.find(one => one.id === beside.pause);
  if (pause?.kind !== 'card') return pause === undefined;
  return pause.status !== 'shown' || beside.shown === null || !sameRef(pause.shown, beside.shown);
}
