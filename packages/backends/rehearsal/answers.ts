import type { BackendEvent } from '@hearth/engine/backend.ts';
import { type Outcome, said } from './outcome.ts';
import { perform } from './performance.ts';
import type { Scene } from './scene.ts';

/*
 * Goes on after a park. Only the option that was chosen decides, and only for the question that this session asked: an
 * answer to anything else, a cancelled question and free text change nothing.
 */

/** Does what the answer chose, or says that nothing was changed. */
export async function* answered(scene: Scene): AsyncGenerator<BackendEvent, Outcome> {
  const { pending } = scene.memory;
  const answer = scene.turn.answers.find(one => one.ask === pending?.ask);
  if (pending === null || answer === undefined) return said([scene.words.answerLost]);
  const chosen = answer.result === 'cancelled' ? undefined : answer.result.option;
  const choice = pending.choices.find(one => one.option === chosen);
  if (choice === undefined || choice.acts.length === 0) return said([scene.words.leftAlone]);
  const { lines, dispatched } = yield* perform(scene, choice.acts);
  const gone = new Set(choice.acts.flatMap(act => (act.do === 'close' ? [act.ticket] : [])));
  scene.memory.obsolete = scene.memory.obsolete.filter(one => !gone.has(one.ticket));
  return { ...said(lines), dispatched };
}
