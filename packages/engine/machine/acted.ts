import type { Action } from '@hearth/language/plan/review.ts';
import type { PlanEdge } from '@hearth/language/plan.ts';
import { render } from '@hearth/language/refs/rendering.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import { blocks, type CardPause, type InputPause } from '@hearth/protocol/pause.ts';
import { actionAt, caseOf, documentOf, edgeOn, isRevision } from '../document.ts';
import { lookupIn, scopeOf } from '../scope.ts';
import type { RunState, Token } from '../state.ts';
import { startBeside } from './besides.ts';
import { closeActions } from './card.ts';
import { closeCards } from './cases.ts';
import { closeDocuments, confirm, note, reopen } from './documents.ts';
import type { Draft } from './draft.ts';
import { drop, pausesOf, requeue, unseenOf } from './drop.ts';
import { sayReply } from './human.ts';
import { freshBurst } from './ledgers.ts';
import { takeOn } from './on.ts';
import { turnResumes } from './turn.ts';

/*
 * What an action does, whoever found out that it was meant: a button, a command, or the reader of typed words. The judge has
 * seen to it that the version on screen is the one that is shown now.
 */

/** An action that was taken, and the words that came with it. */
export interface Taken {
  readonly action: string;
  readonly words: string;
  readonly by: Actor;
}

/** Does what an action says at its card or input pause. */
export function act(draft: Draft, pause: CardPause | InputPause, taken: Taken): void {
  const { run, plan } = draft;
  const action = actionAt(plan, pause.node, taken.action);
  if (run === null || action === null) return;
  const edge = edgeOn(plan, pause.node, action.name);
  if (action.aside !== null) {
    tellActed(draft, pause, action, taken);
    startBeside(draft, run, pause, { as: 'aside', node: action.aside, text: taken.words, by: taken.by });
  } else if (action.says !== null) {
    tellActed(draft, pause, action, taken);
    const prompt = plan.prompts[action.says];
    const said =
      prompt === undefined ? '' : render(prompt, lookupIn(scopeOf(plan, run, {}, draft.state.ledgers)));
    sayReply(draft, said);
  } else if (edge === undefined) {
    tellActed(draft, pause, action, taken);
    if (action.notes !== null) note(run, action.notes, taken.words);
  } else move(draft, run, pause, { action, edge, taken });
}

interface Move {
  readonly action: Action;
  readonly edge: PlanEdge;
  readonly taken: Taken;
}

/** Takes the run along the action's edge, from wherever it is: a stop calls it back from the making of another version. */
function move(draft: Draft, run: RunState, pause: CardPause | InputPause, one: Move): void {
  const { taken } = one;
  const others = draft.machine.pauses.some(open => open.id !== pause.id && blocks(open));
  const last = blocks(pause) && !others;
  change(draft, run, pause, one);
  if (last) freshBurst(draft);
  const token = callBack(draft, run, pause, taken.by);
  if (token === undefined) return;
  turnResumes(draft);
  if (one.action.stops) draft.turnEnds = { change: 'cancelled', code: 'STOPPED' };
  takeOn(draft, run, token, taken.action, { action: taken.action, feedback: taken.words });
}

/** What becomes of the versions and of the pause itself. */
function change(draft: Draft, run: RunState, pause: CardPause | InputPause, one: Move): void {
  const { action, edge, taken } = one;
  const { plan } = draft;
  const shown = pause.kind === 'card' ? pause.shown.artifact : null;
  const target = action.reopens ?? (isRevision(plan, pause.node, action) ? shown : null);
  if (target === null && action.notes !== null) note(run, action.notes, taken.words);
  const stays = pause.kind === 'card' && !closes(action, edge) && (target === null || target === shown);
  if (stays) {
    const words = taken.words.trim() === '' ? undefined : { action: action.name, text: taken.words };
    tellActed(draft, pause, action, taken);
    closeActions(draft, pause, words);
  } else {
    const ref = pause.kind === 'card' ? { shown: pause.shown } : {};
    const text = taken.words === '' ? {} : { text: taken.words };
    draft.closePause(pause.id, 'acted', taken.by, { action: action.name, ...text, ...ref });
  }
  const document = shown === null ? undefined : documentOf(run, shown);
  if (action.confirms && document !== undefined) confirm(draft, document);
  else if (action.stops) stopCase(draft, run, shown, taken.by);
  else if (target !== null) {
    reopen(draft, run, target, {
      action: action.name,
      feedback: taken.words,
      notes: action.notes,
      by: taken.by,
    });
    closeCards(draft, documentOf(run, target)?.change?.invalidated ?? [], taken.by);
  }
}

/** Whether the card is done with when the action is taken. */
function closes(action: Action, edge: PlanEdge): boolean {
  return action.confirms || action.stops || (edge.opens ?? []).length > 0;
}

/** Closes the case of what is shown; where nothing is, all that the run has. */
function stopCase(draft: Draft, run: RunState, shown: string | null, by: Actor): void {
  const names = shown === null ? Object.keys(run.documents ?? {}) : caseOf(draft.plan, shown);
  closeCards(draft, names, by);
  closeDocuments(draft, run, names, 'stopped');
}

/** The trunk's token, brought to the pause's node with nothing of its own left. */
function callBack(draft: Draft, run: RunState, pause: CardPause | InputPause, by: Actor): Token | undefined {
  const trunk = run.tokens.find(token => token.branch === pause.branch);
  if (trunk === undefined) return undefined;
  if (trunk.stage.is === 'held' && trunk.stage.pause === pause.id) return trunk;
  for (const token of run.tokens) if (token !== trunk) drop(draft, run, token);
  requeue(draft, unseenOf(trunk));
  for (const id of pausesOf(trunk)) draft.closePause(id, 'cancelled', by);
  trunk.stage = { is: 'ready', attempt: 1, resume: null, joined: [] };
  trunk.node = pause.node;
  return trunk;
}

/** Tells what was decided at a pause that stays open. */
function tellActed(draft: Draft, pause: CardPause | InputPause, action: Action, { words, by }: Taken): void {
  const text = words === '' ? {} : { text: draft.text(words) };
  draft.say({
    is: 'decided',
    turn: pause.turn,
    pause: pause.id,
    by,
    how: 'acted',
    option: action.name,
    label: action.label,
    ...text,
    ...(pause.kind === 'card' ? { shown: pause.shown } : {}),
  });
}
