import type { BackendTurn, Recap } from '@hearth/engine/backend.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import type { Json } from '@hearth/protocol/json.ts';
import { answerTo, answerWords, WITHDRAWN } from '../own-tools/answer-words.ts';
import { BROKEN_OFF } from './history.ts';
import { type Call, type Entry, type Line, openCalls } from './line.ts';
import { picturesOf } from './pictures.ts';
import { ASK_USER } from '@hearth/engine/ask-tool.ts';

/*
 * What a turn adds to its session before the model is asked. Pure. Nothing is said twice: a turn that goes on (after an
 * answer, a crash, an interrupt) finds its words in the session and adds only what is new. No call stays without a
 * result, and a call whose outcome is unknown says so.
 */

/** The result of a call for which a person was asked, and which was not made. */
export const NOT_ALLOWED =
  'The person did not allow this call, so nothing was done. Do not do the same in another way; go on without it, or say why it is needed.';

/** An attempt that came to nothing: the entry that it follows, and what it went on with. */
export interface Fruitless {
  readonly above: number;
  readonly of: string | null;
}

/**
 * The attempt before this one when the model answered nothing in it, and nothing was told in it that this attempt is not
 * told again. Another attempt takes its place, as a branch beside it.
 */
export function fruitless({ interrupted }: BackendTurn, lines: readonly Entry[]): Fruitless | null {
  const at = lines.findLastIndex(line => line.line === 'turn' && line.effect === interrupted?.effect);
  const before = lines[at];
  if (interrupted === undefined || before?.line !== 'turn' || before.parent === null) return null;
  const again = new Set<string>(interrupted.unseen.map(message => message.id));
  const told = lines
    .slice(at + 1)
    .every(line => line.line === 'words' && (line.message === undefined || again.has(line.message)));
  return told ? { above: before.parent, of: before.of ?? null } : null;
}

/**
 * The lines that begin a turn, to be added behind `lines`; `instead` is the attempt whose place it takes. A call that a
 * person allowed meanwhile has no result yet.
 */
export function openingOf(
  turn: BackendTurn,
  lines: readonly Line[],
  instead: Fruitless | null = null,
): readonly Line[] {
  const of = instead === null ? continued(turn, lines) : instead.of;
  const open = openCalls(lines);
  const asked = new Set(open.map(call => call.call));
  const added: Line[] = [
    { line: 'turn', effect: turn.effect, ...(of === null ? {} : { of }) },
    ...open.flatMap(call => (isAllowed(turn, call) ? [] : [resultFor(turn, call)])),
  ];
  if (of === null) {
    // Whatever the session came from, its first turn here is told; a fork and a later turn know it.
    if (turn.memory !== undefined && !lines.some(line => line.line === 'turn'))
      added.push({ line: 'words', text: turn.memory.text });
    if (brokenOff(lines)) added.push(note('The turn before was broken off and is not continued.'));
    added.push({ line: 'words', text: turn.prompt.user, ...picturesOf(turn.prompt.attachments) });
  }
  added.push(...strayAnswers(turn, lines, asked));
  if (turn.interrupted !== undefined) added.push(...interruption(turn.interrupted, lines));
  return added;
}

/** What a session that replaces a lost one, or begins with what was said elsewhere, knows. */
export function recapLines(recap: Recap, lost: boolean): readonly Line[] {
  const lines = recap.turns
    .filter(turn => turn.text.trim() !== '')
    .map(({ who, text }): Line => (who === 'person' ? { line: 'words', text } : { line: 'reply', text }));
  const why = lost
    ? 'Your earlier session is gone. Of it you know only the latest words, which follow.'
    : null;
  return why === null ? lines : [note(why), ...lines];
}

/** The effect of the session's that this turn goes on with. */
function continued(turn: BackendTurn, lines: readonly Line[]): string | null {
  const broken = turn.interrupted?.effect;
  const known = lines.findLast(line => line.line === 'turn' && line.effect === broken);
  if (known?.line === 'turn') return known.effect;
  const calls = new Set(turn.answers.map(answer => answer.call));
  if (turn.answers.length === 0 || !openCalls(lines).some(call => calls.has(call.call))) return null;
  const last = lines.findLast(line => line.line === 'turn');
  return last?.line === 'turn' ? last.effect : null;
}

/** Whether the session's last turn has no end. */
function brokenOff(lines: readonly Line[]): boolean {
  const last = lines.findLast(line => line.line === 'turn' || line.line === 'end');
  return last?.line === 'turn';
}

function resultFor(turn: BackendTurn, { call, name }: Call): Line {
  const answer = turn.answers.find(one => one.call === call);
  if (answer === undefined && name === ASK_USER) {
    return { line: 'result', call, name, content: WITHDRAWN, failed: false };
  }
  if (answer === undefined) return { line: 'result', call, name, content: BROKEN_OFF, failed: true };
  if (answer.permit !== undefined) return { line: 'result', call, name, content: NOT_ALLOWED, failed: true };
  const content = name === ASK_USER ? answerTo(answer) : collected(answer);
  return { line: 'result', call, name, content, failed: false };
}

/** Whether a person allowed the call while the turn was parked: it is made now. */
function isAllowed(turn: BackendTurn, { call }: Call): boolean {
  const answer = turn.answers.find(one => one.call === call && one.permit !== undefined);
  return answer !== undefined && answer.result !== 'cancelled' && answer.result.option !== 'deny';
}

/** What a wait for answers came to. */
function collected({ result }: BackendTurn['answers'][number]): Json {
  if (result === 'cancelled')
    return { waited: false, note: 'The wait was ended; the questions are still open.' };
  return result.fields ?? {};
}

/** Answers to questions that this session does not hold, because it replaces the one that asked. */
function strayAnswers(turn: BackendTurn, lines: readonly Line[], open: ReadonlySet<string>): readonly Line[] {
  const known = new Set(lines.flatMap(line => (line.line === 'result' ? [line.call] : [])));
  return turn.answers
    .filter(({ call }) => call === undefined || (!open.has(call) && !known.has(call)))
    .map(answer => note(answerWords(answer)));
}

function interruption(
  { toolsStarted, unseen }: NonNullable<BackendTurn['interrupted']>,
  lines: readonly Line[],
): readonly Line[] {
  const joined = new Set(lines.flatMap(line => (line.line === 'words' ? [line.message] : [])));
  const tools = [...new Set(toolsStarted)].join(', ');
  const started = tools === '' ? '' : ` These tools had been started and may have taken effect: ${tools}.`;
  return [
    note(`This turn was interrupted before it ended.${started} Go on with it.`),
    ...unseen
      .filter(message => !joined.has(message.id))
      .map(({ id, text, files }): Line => ({ line: 'words', text, message: id, ...picturesOf(files) })),
  ];
}

/** A line of the host's. */
export function note(text: string): Line {
  return { line: 'words', text: `${HOST_LINE}${text}` };
}
