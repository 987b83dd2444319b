import type { Values } from '@hearth/language/value.ts';
import type { RecoveryPause } from '@hearth/protocol/pause.ts';
import { AXES, blocking, BUDGET_EXCEEDED, type Gauge, limitOf, nameOf } from '../budget.ts';
import { chooseEdge } from '../edges.ts';
import { frameOf, placeOf } from '../frame.ts';
import type { RunState, Token } from '../state.ts';
import { insideBranch } from './branch.ts';
import type { Draft } from './draft.ts';
import { leave } from './flow.ts';
import { raise } from './raised.ts';
import { turnResumes } from './turn.ts';

/* What "go on" does at a limit. */

/**
 * A loop that could not be afforded is crossed once a person says so: its node has ended and is not run again. `true`
 * when that is what the token waited for.
 */
export function crossAnyway(draft: Draft, token: Token, { cause, code }: RecoveryPause): boolean {
  const { run } = draft;
  if (cause !== 'budget' && code !== BUDGET_EXCEEDED) return false;
  const output = waitingOutput(run, token);
  if (run === null || output === undefined) return false;
  turnResumes(draft);
  leave(draft, run, token, output, 'unguarded');
  return true;
}

/** The output of a node that has ended, whose token waits at a limit for leave to go on. */
function waitingOutput(run: RunState | null, token: Token): Values | undefined {
  const { stage } = token;
  return run !== null && stage.is === 'held' && stage.again === null
    ? placeOf(run, token.branch).outputs[token.node]
    : undefined;
}

/** Allows as much again of the lifetime, unless somebody raised it since; a burst begins at zero anyway. */
export function allowAsMuchAgain(draft: Draft, token: Token, gauge: string): void {
  const [ledger, axis] = gauge.split('.');
  const limits = ledger === 'lifetime' ? draft.plan.budget.lifetime : null;
  const name = AXES.find(candidate => candidate === axis);
  // The burst ledger starts at zero whenever a person lets the run go on, so only the lifetime needs a new limit.
  if (limits === null || name === undefined) return;
  const { ledgers } = draft.state;
  // Whoever raised it meanwhile has said how much.
  const still = atLimit(draft, token);
  if (still === null || nameOf(still) !== gauge) return;
  const now = limitOf(draft.plan, ledgers, 'lifetime', name) ?? 0;
  const to = now + (limits[name] ?? 0);
  raise(draft, { ledger: 'lifetime', axis: name, to });
}

/** The gauge that keeps the token from going on, as things are now. */
function atLimit({ plan, run, state: { ledgers } }: Draft, token: Token): Gauge | null {
  const output = waitingOutput(run, token);
  if (run === null || output === undefined) return blocking(plan, ledgers);
  const inside = insideBranch(plan, run, token.branch);
  const choice = chooseEdge(plan, frameOf(run, token.branch), token.node, output, ledgers, inside);
  return 'none' in choice && choice.none === 'unaffordable' ? choice.gauge : null;
}
