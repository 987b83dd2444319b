import type { Program, Programs, Ran } from '@hearth/engine/surroundings.ts';
import type { RecordedOutcome } from './recording.ts';
import type { Part, Score } from './score.ts';

/*
 * Programs of tool nodes in a replay: none is run, and each ends as it was recorded.
 */

/** Programs that were run before. Where the recording holds none, the program counts as stopped. */
export class ReplayedPrograms implements Programs {
  readonly #score: Score;

  constructor(score: Score) {
    this.#score = score;
  }

  async run({ node, signal }: Program): Promise<Ran> {
    return ranAs(await outcomeIn(this.#score.begin(node), signal));
  }
}

/** How the work of a tool node ended; `null` when it was stopped before. */
export async function outcomeIn(part: Part, signal: AbortSignal): Promise<RecordedOutcome | null> {
  const stop = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => stop.resolve(), { once: true });
  const step = await part.next(stop.promise);
  return step?.is === 'outcome' ? step.outcome : null;
}

function ranAs(outcome: RecordedOutcome | null): Ran {
  const ran: Ran = { exit: 0, output: '', cut: false, errors: '', ended: null };
  if (outcome?.is === 'done') return { ...ran, output: JSON.stringify(outcome.output) };
  if (outcome?.is !== 'failed') return { ...ran, exit: null, ended: 'stopped' };
  if (outcome.code === 'TIMEOUT') return { ...ran, exit: null, errors: outcome.message, ended: 'time' };
  return { ...ran, exit: outcome.code === 'TOOL_FAILED_TRANSIENT' ? 137 : 1, errors: outcome.message };
}
