import type { AwaitAnswersNode } from '@hearth/language/plan/node.ts';
import type { Values } from '@hearth/language/value.ts';
import type { RunState, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { leave } from './flow.ts';
import { resumeParked } from './questions.ts';
import { turnWaits } from './turn.ts';

/*
 * A node that waits for answers. Its token waits as an agent does that has called the tool of that name, so that an
 * answer, the end of the time, an interrupt and a crash mean the same at both; it asks nothing itself and opens no pause.
 */

/** No wait is longer than a year: a moment that no calendar has could not be written down. */
const LONGEST_MS = 366 * 24 * 3_600_000;

/** Lets a token that is ready at such a node wait, or leave with what the wait came to. */
export function awaitAnswers(draft: Draft, run: RunState, token: Token, node: AwaitAnswersNode): void {
  const collected = collectedBy(token);
  if (collected !== null) {
    leave(draft, run, token, collected);
    return;
  }
  draft.emit({ type: 'node', node: node.name, iteration: token.iteration, change: 'started' }, token);
  const asked = (run.questions ?? []).filter(one => node.from?.includes(one.node) ?? true);
  const effect = draft.next('e');
  token.stage = {
    is: 'parked',
    effect,
    attempt: 1,
    session: null,
    asks: [],
    wait: {
      call: effect,
      questions: asked.map(one => one.pause),
      until: new Date(Date.parse(draft.at) + Math.min(node.timeoutMs, LONGEST_MS)).toISOString(),
    },
  };
  turnWaits(draft);
  resumeParked(draft, token);
}

/** What a wait of the token came to; `null`: it has not waited, or the wait was cut short. */
function collectedBy({ stage }: Token): Values | null {
  if (stage.is !== 'ready') return null;
  const results = stage.resume?.answers.map(({ result }) => result) ?? [];
  const [answers] = results.flatMap(result => (result === 'cancelled' ? [] : [result]));
  return answers?.fields ?? null;
}
