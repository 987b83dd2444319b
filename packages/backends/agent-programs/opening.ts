import { createHash } from 'node:crypto';
import type { BackendTurn, Recap } from '@hearth/engine/backend.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import { answerWords } from '../own-tools/answer-words.ts';

/*
 * What a turn says first. Pure. Nothing is said twice: every message has an id that is made from what it is, and the
 * session's file tells which of them the program has read. A turn that goes on adds only what is new.
 */

/** Words for the program, under an id that stays the same however often they are said. */
export interface Words {
  readonly id: string;
  readonly text: string;
}

/** How the session stands when the turn begins. */
export interface Standing {
  /** Whether the session knows what was said before. */
  readonly how: 'opened' | 'resumed' | 'forked' | 'reseeded';
  /** Whether the session holds words of this id. */
  readonly holds: (id: string) => boolean;
}

/** An id for words, in the form that the program wants. */
export function idOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\u0000')).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Words that begin with a slash would be taken for a command of the program's. */
export function plain(text: string): string {
  return text.startsWith('/') ? ` ${text}` : text;
}

/** The id of a turn's own words, in any attempt. */
export function turnId(turn: Pick<BackendTurn, 'directory'>, effect: string): string {
  return idOf(turn.directory, 'turn', effect);
}

/** The id of a message that was offered, in any attempt. */
export function messageId(turn: Pick<BackendTurn, 'directory'>, message: string): string {
  return idOf(turn.directory, 'message', message);
}

/** What is said first: at least one message. */
export function openingOf(turn: BackendTurn, standing: Standing): readonly Words[] {
  const { session, answers, interrupted, prompt } = turn;
  const known = standing.how === 'resumed' || standing.how === 'forked';
  const notes: string[] = [];
  if (standing.how === 'reseeded' || (standing.how === 'opened' && session.mode === 'fresh')) {
    const recap = session.recap === undefined ? '' : recapWords(session.recap, standing.how === 'reseeded');
    if (recap !== '') notes.push(recap);
  }
  // A turn that asked, or broke off, has its words in the session if the program ever read them.
  const begun = [turn.effect, ...(interrupted === undefined ? [] : [interrupted.effect])];
  const said = known && (answers.length > 0 || begun.some(effect => standing.holds(turnId(turn, effect))));
  if (!said) notes.push(prompt.user);
  notes.push(...answers.map(answer => `${HOST_LINE}${answerWords(answer)}`));
  if (interrupted !== undefined) notes.push(interruptedWords(interrupted.toolsStarted));
  if (notes.length === 0) notes.push(`${HOST_LINE}The attempt before this one failed. Go on.`);
  const text = plain(notes.join('\n\n'));
  const id = said ? idOf(turn.directory, turn.effect, String(turn.attempt), text) : turnId(turn, turn.effect);
  const unseen = (interrupted?.unseen ?? []).map(message => ({
    id: messageId(turn, message.id),
    text: plain(message.text),
  }));
  return [{ id, text }, ...unseen.filter(words => !known || !standing.holds(words.id))];
}

function interruptedWords(toolsStarted: readonly string[]): string {
  const tools = [...new Set(toolsStarted)].join(', ');
  const started = tools === '' ? '' : ` These tools had been started and may have taken effect: ${tools}.`;
  return `${HOST_LINE}This turn was interrupted before it ended.${started} Go on with it.`;
}

function recapWords({ turns }: Recap, lost: boolean): string {
  const told = turns.filter(turn => turn.text.trim() !== '');
  if (told.length === 0 && !lost) return '';
  const head = lost
    ? 'Your earlier session is gone. Of it you know only the latest words, which follow.'
    : 'What was said before, in another session:';
  const lines = told.map(({ who, text }) => `${who === 'person' ? 'The person' : 'You'}: ${text}`);
  return [`${HOST_LINE}${head}`, ...lines, `${HOST_LINE}What is said now:`].join('\n');
}
