import type { Actor } from '@hearth/protocol/actor.ts';
import type { RunId } from '@hearth/protocol/ids.ts';
import type { Pause, RecoveryPause } from '@hearth/protocol/pause.ts';
import { owes } from '@hearth/protocol/pause.ts';
import type { Refusal } from '@hearth/protocol/receipt.ts';
import type { Judged } from './accept.ts';
import { blocking, nameOf } from './budget.ts';
import type { Plan } from './runnable.ts';
import type { RunState, State } from './state.ts';

/*
 * Judging of what is done to a run as a whole: pausing it, going on with it, giving it up. Like every judge these are
 * pure; each names the run that was on screen, so that a late command never meets another one.
 */

const refuse = (message: string): { readonly refused: Refusal } => ({
  refused: { code: 'wrong_state', message },
});

/** Judges a soft pause: what runs now ends as it will, and then nothing more starts. */
export function judgePause(state: State, run: RunId, by: Actor): Judged {
  const found = activeRun(state, run);
  if ('refused' in found) return found;
  const { tokens, pausing } = found;
  if (pausing !== undefined)
    return refuse(`Run ${run} is being paused already; it stops before its next step.`);
  if (!tokens.some(({ stage }) => stage.is === 'running' || stage.is === 'ready'))
    return refuse(`Run ${run} is at no work: it waits for you already, and nothing starts by itself.`);
  return { entry: { is: 'paused', run, by }, did: {} };
}

/** Judges a cancel: the run is given up, whatever it does or waits for. */
export function judgeCancel(state: State, run: RunId, by: Actor): Judged {
  const found = activeRun(state, run);
  if ('refused' in found) return found;
  if (found.cancelled !== undefined) return refuse(`Run ${run} is being cancelled already.`);
  return { entry: { is: 'cancelled', run, by }, did: { as: 'cancelled' } };
}

/**
 * Judges a resume: what was paused, was interrupted or has failed is taken up again. What needs a choice of a person's own
 * is not chosen here: an answer, a tool call of which nobody knows whether it happened, a limit that nobody raised.
 */
export function judgeResume(plan: Plan | null, state: State, run: RunId, by: Actor): Judged {
  const found = activeRun(state, run);
  if ('refused' in found) return found;
  const open = state.machine.pauses.filter(owes);
  const blocked = open.find(pause => resumeBy(plan, state, pause) === null);
  const any = open.some(pause => resumeBy(plan, state, pause) !== null);
  if (any || found.pausing !== undefined)
    return { entry: { is: 'resumed', run, by }, did: { as: 'started' } };
  if (blocked === undefined) return refuse(`Run ${run} is not paused; there is nothing to resume.`);
  return refuse(whyNot(blocked));
}

/** The choice with which a resume answers a pause; `null` when a person must choose there. */
export function resumeBy(plan: Plan | null, state: State, pause: Pause): 'again' | 'raise' | null {
  if (pause.kind !== 'recovery') return null;
  switch (pause.cause) {
    case 'paused':
    case 'interrupted':
    case 'failed':
    case 'draft_failed':
    case 'session_lost':
      return 'again';
    case 'budget':
      return plan !== null && allowed(plan, state, pause) ? 'raise' : null;
    default:
      return null;
  }
}

/** A burst begins at zero when a person lets the run go on; a lifetime only lasts longer when it was raised. */
function allowed(plan: Plan, { ledgers }: State, { code }: RecoveryPause): boolean {
  const gauge = blocking(plan, ledgers);
  return code.startsWith('burst.') || gauge === null || nameOf(gauge) !== code;
}

function whyNot(pause: Pause): string {
  if (pause.kind === 'recovery' && pause.cause === 'budget') {
    const [ledger, axis] = pause.code.split('.');
    return `The ${ledger} budget for ${axis} is used up: raise it first, or decide at ${pause.id}.`;
  }
  return `The run waits for an answer that a resume cannot give: answer ${pause.id}.`;
}

function activeRun({ machine }: State, run: RunId): RunState | { readonly refused: Refusal } {
  const { run: current } = machine;
  if (current?.id === run && current.status === 'active') return current;
  if (current?.id === run) return refuse(`Run ${run} has ended; the next message begins another.`);
  return refuse(`Run ${run} is not the one under way${current === null ? '' : `, which is ${current.id}`}.`);
}
