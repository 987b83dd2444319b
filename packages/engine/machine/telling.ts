import type { EffectId, MessageId } from '@hearth/protocol/ids.ts';
import type { Draft } from './draft.ts';

/*
 * How an answer to a question that nobody waited for reaches its agent: like a message that joins, it is acknowledged and
 * then seen; or it was the result of a wait. What an effect did not come to know is told to the next one.
 */

/** A running agent's program acknowledged answers that joined it. */
export function linesTaken(draft: Draft, effect: EffectId, messages: readonly MessageId[]): void {
  for (const one of draft.run?.questions ?? []) {
    if (messages.includes(one.line) && one.told === null && one.result !== null)
      one.told = { effect, by: 'line' };
  }
}

/** A later step of the model showed that it has them: they are told. */
export function linesSeen(draft: Draft, effect: EffectId, messages: readonly MessageId[]): void {
  const { run } = draft;
  if (run?.questions === undefined) return;
  run.questions = run.questions.filter(one => one.told?.effect !== effect || !messages.includes(one.line));
}

/** An effect is over: what it was told as a result it has, if it ended well; the rest is told again. */
export function tellingEnded(draft: Draft, effect: EffectId, well: boolean): void {
  const { run } = draft;
  if (run?.questions === undefined) return;
  run.questions = run.questions.filter(
    one => !(well && one.told?.effect === effect && one.told.by === 'result'),
  );
  for (const one of run.questions) if (one.told?.effect === effect) one.told = null;
}
