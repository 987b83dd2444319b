import type { Values } from '@hearth/language/value.ts';
import type { InboxMessage } from './backend.ts';
import { HOST_LINE } from './host-line.ts';
import type { AsyncQuestion, Wait } from './question-state.ts';
import type { RunState } from './state.ts';

/*
 * Questions that an agent asked and does not wait for. Each is open beside whatever else goes on, until a person answers it
 * or the run ends; its answer reaches the agent as one line, once.
 */

/** How many questions of this kind a run may have at once, unanswered or not yet told. */
export const ASYNC_QUESTIONS = 16;

/** The answers that the agent of a node has not been told yet, as lines that join its session. */
export function untoldLines(run: RunState, node: string): readonly InboxMessage[] {
  return (run.questions ?? [])
    .filter(one => one.node === node && one.result !== null && one.told === null)
    .map(one => ({ id: one.line, text: lineOf(one) }));
}

/** One line that names the question by its id, says it again, and gives the answer. */
export function lineOf(question: AsyncQuestion): string {
  return `${HOST_LINE}Your question ${question.pause} (${question.text}) was answered: ${answerOf(question)}`;
}

/** What a wait came to: the answers that there are, and the questions that are still open. */
export function waitedFor(run: RunState, wait: Wait): Values {
  const asked = (run.questions ?? []).filter(one => wait.questions.includes(one.pause));
  return {
    answers: asked
      .filter(one => one.result !== null)
      .map(one => ({ question_id: one.pause, question: one.text, answer: answerOf(one) })),
    open: asked.filter(one => one.result === null).map(one => one.pause),
  };
}

/** What a node that waited puts out: as `waitedFor`, and also who asked. */
export function putOutBy(run: RunState, wait: Wait): Values {
  const asked = (run.questions ?? []).filter(one => wait.questions.includes(one.pause));
  return {
    answers: asked
      .filter(one => one.result !== null)
      .map(one => ({
        interaction_id: one.pause,
        node: one.node,
        question: one.text,
        answer: answerOf(one),
      })),
    open: asked.filter(one => one.result === null).map(one => one.pause),
  };
}

/** Whether all that is waited for is answered, or the time is up. */
export function isOver(run: RunState, wait: Wait): boolean {
  const open = (run.questions ?? []).filter(one => one.result === null);
  return wait.late === true || !open.some(one => wait.questions.includes(one.pause));
}

function answerOf({ result, options }: AsyncQuestion): string {
  if (result === null) return 'not answered yet';
  if (result === 'cancelled') return 'withdrawn without an answer, which is no consent to anything';
  const label = options.find(one => one.id === result.option)?.label;
  if (result.option !== undefined)
    return label === undefined || label === result.option ? result.option : `${result.option} (${label})`;
  return result.text ?? JSON.stringify(result.fields ?? {});
}
