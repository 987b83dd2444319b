import type { Act } from '@hearth/protocol/decision.ts';
import type { Action, Pause } from '@hearth/protocol/pause.ts';
import { isAssent, isStop } from './assent.ts';
import { type Acted, actionsNow, actOf, classOf } from './card-actions.ts';

/*
 * What words typed at a card or an input mean, decided without any model: commands, bare assent, a bare stop. All else
 * is text, and text at a card goes to its reader and decides nothing here. A block of several lines is always text. The
 * caller binds what comes out to the version that it has drawn (decision 18).
 */

/** What typed words mean. */
export type Meaning =
  /** No matter of a review: as if nothing were under review. */
  | { readonly is: 'plain' }
  | { readonly is: 'decision'; readonly act: Act }
  /** Nothing is sent, and `why` is a sentence for the person. */
  | {
      readonly is: 'notice';
      readonly code: 'feedback_required' | 'wrong_state' | 'no_review';
      readonly why: string;
    };

const PLAIN: Meaning = { is: 'plain' };

/** The commands of a review that every card has besides the names of its actions. */
export const REVIEW_COMMANDS = ['confirm', 'revise', 'change', 'stop', 'cancel'] as const;
type ReviewCommand = (typeof REVIEW_COMMANDS)[number];

/** What words typed at a pause mean; `pause` is the one that the surface has drawn, `null` when it has drawn none. */
export function readTyped(text: string, pause: Pause | null): Meaning {
  const acted = pause?.kind === 'card' || pause?.kind === 'input' ? pause : null;
  const words = text.trim();
  if (words === '') return PLAIN;
  const command = commandIn(words);
  if (acted === null) return command === null ? PLAIN : withoutReview(command.name);
  if (command !== null) return commanded(acted, command.name, command.rest);
  if (isStop(words)) return stopped(acted) ?? said(acted, text);
  if (isAssent(words)) return assented(acted, text);
  return said(acted, text);
}

/** Text at a card is for its reader; at an input it is a message, and only the form answers. */
function said(pause: Acted, text: string): Meaning {
  return pause.kind === 'card' ? decision({ do: 'say', text }) : PLAIN;
}

function commandIn(text: string): { readonly name: string; readonly rest: string } | null {
  const found = /^\/([\p{L}][\p{L}\p{N}_-]*)(?:[ \t]+(.*))?$/u.exec(text);
  return found === null ? null : { name: (found[1] ?? '').toLowerCase(), rest: (found[2] ?? '').trim() };
}

function isReviewCommand(name: string): name is ReviewCommand {
  return REVIEW_COMMANDS.some(one => one === name);
}

/** A command of a review where none is open is no request: it would begin closed work anew. */
function withoutReview(name: string): Meaning {
  if (!isReviewCommand(name) || name === 'stop') return PLAIN;
  return notice('no_review', `Nothing is under review, so /${name} did nothing and was not sent.`);
}

function commanded(pause: Acted, name: string, rest: string): Meaning {
  const own = pause.actions.find(action => same(action.name, name));
  if (own !== undefined) return taken(own, rest, `/${name}`);
  if (!isReviewCommand(name)) return PLAIN;
  switch (name) {
    case 'confirm':
      return confirmed(pause, rest);
    case 'revise':
    case 'change':
      return revised(pause, name, rest);
    case 'stop':
    case 'cancel':
      return stopped(pause) ?? PLAIN;
  }
}

function taken(action: Action, rest: string, typed: string): Meaning {
  if (action.needs === 'feedback' && rest === '') {
    return notice('feedback_required', `"${action.label}" needs words: ${typed} and what to change.`);
  }
  return decision(actOf(action, rest));
}

/** What follows the command names one of several confirmations, or is feedback, which makes it a revision. */
function confirmed(pause: Acted, rest: string): Meaning {
  const confirming = actionsNow(pause).filter(action => classOf(action) === 'confirms');
  if (confirming.length === 0) return noConfirmation(pause);
  const named = confirming.find(({ name, label }) => [name, label].some(one => fits(one, rest)));
  if (rest !== '' && named !== undefined) return decision(actOf(named));
  const meant =
    confirming.find(action => isAssentOf(pause, action)) ??
    (confirming.length === 1 ? confirming[0] : undefined);
  if (meant !== undefined) return decision(actOf(meant, rest));
  return notice('wrong_state', `Say which: ${listed(confirming)}.`);
}

function isAssentOf(pause: Acted, action: Action): boolean {
  return pause.kind === 'card' && pause.assent === action.name;
}

/** `/revise` changes what is shown and `/change` what it was made from, where there is such an action. */
function revised(pause: Acted, name: 'revise' | 'change', rest: string): Meaning {
  const revising = actionsNow(pause).filter(action => classOf(action) === 'revises');
  const here = revising.filter(action => !reopensAnother(pause, action));
  const there = revising.filter(action => reopensAnother(pause, action));
  const meant = name === 'change' && there.length > 0 ? there : here.length > 0 ? here : revising;
  const [only, other] = meant.length > 1 ? preferred(meant, name) : meant;
  if (only === undefined) return notice('wrong_state', `Nothing here can be revised. ${guidance(pause)}`);
  if (other !== undefined) return notice('wrong_state', `Say which: ${listed(meant)}.`);
  return taken(only, rest, `/${name}`);
}

/** Of several, those with a button and no more than the others ask for; all of them where that leaves none. */
function preferred(actions: readonly Action[], name: string): readonly Action[] {
  const exact = actions.filter(action => action.name.startsWith(name));
  const buttons = actions.filter(action => action.button);
  return exact.length === 1 ? exact : buttons.length > 0 ? buttons : actions;
}

function reopensAnother(pause: Acted, { reopens }: Action): boolean {
  return reopens !== undefined && !(pause.kind === 'card' && pause.shown.artifact === reopens);
}

function stopped(pause: Acted): Meaning | null {
  const stop = pause.actions.find(action => action.stops === true);
  return stop === undefined ? null : decision(actOf(stop));
}

function assented(pause: Acted, text: string): Meaning {
  if (pause.kind === 'input') return noConfirmation(pause);
  const meant = pause.actions.find(action => action.name === pause.assent);
  return meant === undefined ? said(pause, text) : decision(actOf(meant));
}

function noConfirmation(pause: Acted): Meaning {
  const what =
    pause.kind === 'input'
      ? 'Data is asked for here and nothing waits to be confirmed'
      : 'Nothing here can be confirmed';
  return notice('wrong_state', `${what}. ${guidance(pause)}`);
}

/** What can be done at the pause. */
function guidance(pause: Acted): string {
  const ways = actionsNow(pause)
    .filter(action => action.button && action.enabled)
    .map(action => `"${action.label}"`);
  return `You can ${[...(pause.kind === 'input' ? ['give the data'] : []), ...ways.map(way => `choose ${way}`)].join(', ')}.`;
}

function listed(actions: readonly Action[]): string {
  return actions.map(({ name, label }) => `/${name} ("${label}")`).join(', ');
}

/** Whether what was typed is the name, or the last word or words of it: `pseudocode` for `confirm_pseudocode`. */
function fits(name: string, typed: string): boolean {
  const whole = plain(name);
  const part = plain(typed);
  return part !== '' && (whole === part || whole.endsWith(` ${part}`));
}

function same(name: string, typed: string): boolean {
  return plain(name) === plain(typed);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[_\s-]+/gu, ' ')
    .trim();
}

function decision(act: Act): Meaning {
  return { is: 'decision', act };
}

function notice(code: Extract<Meaning, { is: 'notice' }>['code'], why: string): Meaning {
  return { is: 'notice', code, why };
}
