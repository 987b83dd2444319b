import type { Actor } from '@hearth/protocol/actor.ts';
import type { Again, Resume, Stage } from '../state.ts';
import type { Draft } from './draft.ts';

/**
 * Cancels what a parked agent asked; answers that were given stay. What is left is the step to take up again, which is
 * then told that the rest was cancelled.
 */
export function cancelledAsks(draft: Draft, stage: Extract<Stage, { is: 'parked' }>, by: Actor): Again {
  for (const ask of stage.asks) draft.closePause(ask.pause, 'cancelled', by);
  const answers: Resume['answers'][number][] = stage.asks.map(
    ({ text, call, options, result, permit, pause }) => ({
      ask: text,
      options,
      result: result ?? ('cancelled' as const),
      ...(call === undefined ? {} : { call }),
      ...(permit === undefined ? {} : { permit, pause }),
    }),
  );
  const { effect, attempt, session, wait } = stage;
  if (wait !== undefined)
    answers.push({ ask: 'await_answers', options: [], result: 'cancelled', call: wait.call });
  const resume = { session, answers, interrupted: { effect, toolsStarted: [] } };
  return { attempt: attempt + 1, resume, joined: [], unseen: [] };
}
