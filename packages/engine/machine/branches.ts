import type { Values } from '@hearth/language/value.ts';
import { branchesAround, branchOf, frameOf, placeOf } from '../frame.ts';
import type { Branch, Fork, LoopState, Place } from '../place.ts';
import type { RunState, Token } from '../state.ts';
import { againOfReady } from './again.ts';
import { cancelledAsks } from './asks.ts';
import { FAILURES, isUnder } from './branch.ts';
import { takeUp } from './decided.ts';
import { type Draft, SERVICE } from './draft.ts';
import { drop } from './drop.ts';
import { arrive, endRun } from './flow.ts';
import { route } from './fork.ts';
import { awaitAnswers } from './awaiting.ts';

/*
 * What happens by itself between the tokens of a run: routers send tokens on, branches end and meet, and what one branch's
 * trouble stops is set aside until a person has taken that up.
 */

/** Brings the tokens of the run to rest. */
export function settleTokens(draft: Draft): void {
  for (;;) {
    const { run } = draft;
    if (run === null || !(routeOne(draft, run) || endOne(draft, run) || joinOne(draft, run))) break;
  }
  if (draft.run === null) return;
  if (draft.run.tokens.some(token => isTrouble(draft, token))) setAside(draft, draft.run);
  else for (const token of draft.run.tokens) if (token.stage.is === 'aside') takeUp(draft, token, []);
}

function routeOne(draft: Draft, run: RunState): boolean {
  for (const token of run.tokens) {
    const node = draft.plan.nodes[token.node];
    if (token.stage.is !== 'ready') continue;
    if (node?.kind === 'await_answers') awaitAnswers(draft, run, token, node);
    else if (node?.kind === 'router' && node.mode !== 'llm') route(draft, run, token, node);
    else continue;
    return true;
  }
  return false;
}

/** Ends a branch that met or fell. The fall of a branch is that of the one around it that may fail. */
function endOne(draft: Draft, run: RunState): boolean {
  for (const token of run.tokens) {
    const { stage } = token;
    if (stage.is !== 'met' && stage.is !== 'fallen') continue;
    if (stage.is === 'met') {
      const found = branchOf(run, token.branch);
      if (found !== null) found.branch.end = { is: 'met', at: stage.at, by: stage.by };
      drop(draft, run, token);
      return true;
    }
    draft.emit({ type: 'node', node: token.node, iteration: token.iteration, change: 'failed' }, token);
    const fallen = branchesAround(run, token.branch).find(({ fork }) => fork.awaits === 'best_effort');
    if (fallen !== undefined) {
      const { branch } = fallen;
      branch.end = { is: 'failed', code: stage.code, error: stage.error };
      const under = run.tokens.filter(other => isUnder(run, other.branch, branch.id));
      for (const other of under) drop(draft, run, other);
    } else drop(draft, run, token);
    return true;
  }
  return false;
}

/** Lets a fork's token go on once every branch has ended. */
function joinOne(draft: Draft, run: RunState): boolean {
  for (const token of run.tokens) {
    if (token.stage.is !== 'forked') continue;
    const { fork } = token.stage;
    if (fork.branches.some(({ end }) => end === null)) continue;
    join(draft, run, token, fork);
    return true;
  }
  return false;
}

function join(draft: Draft, run: RunState, token: Token, fork: Fork): void {
  const place = placeOf(run, token.branch);
  const before = frameOf(run, token.branch).loops;
  const base: Record<string, LoopState> = { ...before };
  for (const branch of fork.branches) if (branch.end?.is === 'met') merge(place, base, branch);
  const failed = fork.branches.flatMap(({ id, end }) =>
    end?.is === 'failed' ? [{ branch_id: id, error: end.error }] : [],
  );
  const ends = fork.branches.flatMap(({ end }) => (end?.is === 'met' ? [end] : []));
  const meeting = ends.some(({ at }) => at === fork.meets) || failed.length > 0 ? fork.meets : null;
  // Branches that all ended by themselves have done what there was to do.
  const at = meeting ?? ends.find(end => draft.plan.nodes[end.at]?.kind !== 'done')?.at ?? ends[0]?.at;
  token.stage = { is: 'ready', attempt: 1, resume: null, joined: [] };
  if (at === undefined) {
    endRun(draft, 'failed', 'JOIN_FAILED');
    return;
  }
  if (fork.awaits === 'best_effort') noteFailed(run, token.branch, at, failed);
  arrive(
    draft,
    run,
    token,
    at,
    ends.flatMap(end => (end.at === at ? end.by : [])),
  );
}

/** What a branch leaves, over what there was and what the branches before it left. */
function merge(place: Place, base: Readonly<Record<string, LoopState>>, branch: Branch): void {
  Object.assign(place.outputs, branch.outputs);
  for (const name of new Set([...Object.keys(base), ...Object.keys(branch.loops)])) {
    const [was, is] = [base[name], branch.loops[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    if (is === undefined) delete place.loops[name];
    else place.loops[name] = is;
  }
  if (branch.rotation !== undefined) place.rotation = { ...place.rotation, ...branch.rotation };
  if (branch.artifacts !== undefined) place.artifacts = { ...place.artifacts, ...branch.artifacts };
  if (branch.crossed !== undefined)
    place.crossed = [...new Set([...(place.crossed ?? []), ...branch.crossed])];
  place.unsaid = branch.unsaid ?? place.unsaid;
}

function noteFailed(
  run: RunState,
  branch: string | null,
  at: string,
  failed: readonly { branch_id: string; error: string }[],
): void {
  const { outputs } = placeOf(run, branch);
  const before: Values = frameOf(run, branch).outputs[at] ?? {};
  outputs[at] = { ...before, _failed_branches: failed.map(one => ({ ...one })) };
}

/** Whether a branch's token waits for a person because something failed, or because the budget is used up. */
function isTrouble(draft: Draft, { branch, stage }: Token): boolean {
  if (branch === null || stage.is !== 'held') return false;
  const pause = draft.machine.pauses.find(open => open.id === stage.pause);
  return pause?.kind === 'recovery' && (FAILURES.has(pause.cause) || pause.cause === 'budget');
}

/** Stops the other branches: what asks is cancelled, what runs is told to stop, and all of it waits with the trouble. */
function setAside(draft: Draft, run: RunState): void {
  for (const token of run.tokens) {
    if (token.branch === null) continue;
    const { stage } = token;
    if (stage.is === 'ready') {
      token.stage = { is: 'aside', again: againOfReady(stage) };
    } else if (stage.is === 'running' && !stage.interrupted) {
      stage.interrupted = true;
      stage.cancelled = true;
    } else if (stage.is === 'parked') {
      token.stage = { is: 'aside', again: cancelledAsks(draft, stage, SERVICE) };
    } else if (stage.is === 'held' && asksForData(draft, stage.pause)) {
      draft.closePause(stage.pause, 'cancelled', SERVICE);
      token.stage = { is: 'aside', again: null };
    }
  }
}

function asksForData(draft: Draft, pause: string): boolean {
  return draft.machine.pauses.some(open => open.id === pause && open.kind === 'input');
}
