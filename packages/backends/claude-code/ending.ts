import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import { fitted, objectIn } from '../model-api/output.ts';
import { type Failure, failureOf } from './failure.ts';
import type { ResultLine } from './wire.ts';

/* What a result of the program's comes to: the end of the turn, or one more message to it. Pure. */

/** What follows from a result. */
export type Ended =
  | { readonly is: 'end'; readonly event: Extract<BackendEvent, { type: 'done' }> }
  | { readonly is: 'failure'; readonly failure: Failure }
  /** The turn goes on with these words of the host's. */
  | { readonly is: 'again'; readonly why: 'form' | 'steps'; readonly text: string };

/** How often the program was asked again in this turn, and whether it may be once more. */
export interface Again {
  /** By itself, since no answer of the form came. */
  readonly byItself: number;
  /** By the host. */
  readonly byHost: number;
  /** The steps were used up before. */
  readonly spent: boolean;
}

/** How often an answer of another form is asked for again. */
const REPAIRS = 2;

/** Judges a result. An answer of another form is asked for again a few times before it fails with `schema`. */
export function endOf(
  turn: Pick<BackendTurn, 'output' | 'maxSteps'>,
  result: ResultLine,
  again: Again,
): Ended {
  if (result.subtype === 'error_max_turns') return outOfSteps(turn, again);
  if (result.is_error) return { is: 'failure', failure: failureOf(result) };
  const text = result.result ?? '';
  if (turn.output === null) return { is: 'end', event: { type: 'done', output: { text }, text } };
  const given = result.structured_output ?? objectIn(text);
  const fit = fitted(turn.output, given);
  if (fit.ok) {
    const { reply } = fit.output;
    return {
      is: 'end',
      event: { type: 'done', output: fit.output, text: typeof reply === 'string' ? reply : '' },
    };
  }
  if (again.byItself > 0 || again.byHost >= REPAIRS) {
    const message = `Claude Code gave no answer of the form that the bot asks for, even after it was told what is wrong: ${given === null ? 'the answer came as text' : fit.why}.`;
    return { is: 'failure', failure: { code: 'schema', message } };
  }
  const asked = `${HOST_LINE}This is not the end of the turn: ${given === null ? 'the answer must have the form that was asked for' : fit.why}. Give the answer again, with every field.`;
  return { is: 'again', why: 'form', text: asked };
}

function outOfSteps({ maxSteps }: Pick<BackendTurn, 'maxSteps'>, { spent }: Again): Ended {
  if (spent) {
    const message = `Claude Code used up the ${maxSteps} steps that the bot allows, and ended with no answer.`;
    return { is: 'failure', failure: { code: 'schema', message } };
  }
  const text = `${HOST_LINE}The limit of ${maxSteps} steps is reached. End the turn now with what you have, without another tool.`;
  return { is: 'again', why: 'steps', text };
}

/** Whether words beside an answer only say what the answer says. */
export function repeats(reply: string, text: string): boolean {
  const [one, other] = [reply, text].map(words => words.replaceAll(/\s+/g, ' ').trim());
  return one === undefined || other === undefined || one.includes(other) || other.includes(one);
}
