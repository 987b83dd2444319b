import { beginning } from '@hearth/board/brief.ts';
import type { Action } from '@hearth/board/dispatch.ts';

/* What the dispatcher writes on tickets, as comments. */

type Of<K extends Action['do']> = Extract<Action, { readonly do: K }>;

/** Characters that are quoted of a conversation; the whole stands there. */
const OUTCOME = 16 * 1024;
const QUESTION = 1000;
const FAILURE = 1000;

const AFRESH = 'Move the ticket to ready to have it begun afresh.';

/** For a ticket whose conversation waits for a person. */
export function parkWords({ conversation, pause, text }: Of<'park'>): string {
  return `Waits for an answer in ${conversation} (${pause}): ${beginning(text.trim(), QUESTION)}`;
}

/** For a ticket whose bot is done: the last reply, its beginning. */
export function outcomeWords({ conversation, text }: Of<'conclude'>): string {
  const said = text.trim();
  if (said === '') return `Done in ${conversation}, without words.`;
  return `Done in ${conversation}:\n\n${beginning(said, OUTCOME)}`;
}

/** For a ticket that is tried again; `attempts` is the most there are. */
export function retryWords(action: Of<'retry'>, attempts: number): string {
  const { dispatch, at } = action;
  return `Attempt ${dispatch.failures + 1} of ${attempts} ${failureWords(action)} The next one is due at ${at}.`;
}

/** For a ticket that is not tried again. */
export function giveUpWords(action: Of<'give_up'>): string {
  const times = action.dispatch.failures + 1;
  const after = times === 1 ? 'its only attempt, which' : `${times} attempts; the last one`;
  return `Gave up after ${after} ${failureWords(action)} ${AFRESH}`;
}

/** For a ticket whose work somebody ended. */
export function setAsideWords({ why, dispatch }: Of<'set_aside'>): string {
  const where = dispatch.conversation ?? 'its conversation';
  if (why === 'gone') return `The work on it ended, since ${where} was closed. ${AFRESH}`;
  return `The work on it was stopped in ${where}. ${AFRESH}`;
}

/** For a ticket whose bot cannot begin on it. */
export function unfitWords(detail: string): string {
  return `The work on it could not begin: ${beginning(detail, FAILURE)} ${AFRESH}`;
}

function failureWords({ conversation, failure }: Of<'retry'> | Of<'give_up'>): string {
  const said = failure.text.trim();
  return `failed in ${conversation} (${failure.code})${said === '' ? '.' : `: ${beginning(said, FAILURE)}`}`;
}
