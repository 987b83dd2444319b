import type { TerminalNode } from '@hearth/language/plan/node.ts';
import { loopBodies } from '@hearth/language/plan/loop-bodies.ts';
import type { PlanEdge } from '@hearth/language/plan.ts';
import { render } from '@hearth/language/refs/rendering.ts';
import type { Values } from '@hearth/language/value.ts';
import { isAnswered } from '../answerer.ts';
import { madeFrom } from '../document.ts';
import { chooseEdge, type EdgeChoice, edgeKey } from '../edges.ts';
import { type Frame, frameOf, placeOf } from '../frame.ts';
import { inputOf } from '../inputs.ts';
import { lookupIn, scopeOf } from '../scope.ts';
import type { RunEnd, RunState, Token } from '../state.ts';
import { insideBranch, mayFall, meetingsAround } from './branch.ts';
import { showCard } from './card.ts';
import { closeCards, closeUnfinished } from './cases.ts';
import { openCase } from './documents.ts';
import { type Draft, SERVICE } from './draft.ts';
import { drop } from './drop.ts';
import { openHuman, sayReply } from './human.ts';
import { roundBegins } from './ledgers.ts';
import { closeQuestions } from './questions.ts';
import { hold } from './recovery.ts';
import { endTurn } from './turn.ts';
import { holdLoop, leaveLoop } from './unaffordable.ts';

/*
 * How a token moves: it arrives at a node, and leaves it along one edge with the node's output. Arriving at a human
 * node opens its pause; arriving at a terminal ends the run, or the branch that the token is in.
 */

/** Puts the token at a node, to which the edges `by` led: several where branches meet. */
export function arrive(
  draft: Draft,
  run: RunState,
  token: Token,
  name: string,
  by: readonly string[] = [],
): void {
  const node = draft.plan.nodes[name];
  const meets = token.branch !== null && meetingsAround(run, token.branch).includes(name);
  if (meets || (token.branch !== null && node?.kind === 'done')) {
    token.stage = { is: 'met', at: name, by };
    return;
  }
  const frame = frameOf(run, token.branch);
  if (node?.kind === 'fail') {
    fail(draft, run, token, node, inputOf(draft.plan, frame, name, draft.state.ledgers, by));
    return;
  }
  token.node = name;
  token.iteration = iterationOf(draft, frame, name);
  if (node === undefined) {
    endRun(draft, 'failed', 'NODE_NOT_FOUND');
    return;
  }
  token.input = inputOf(draft.plan, frame, name, draft.state.ledgers, by);
  if (node.kind === 'done') endRun(draft, 'done');
  else if (node.kind === 'review') showCard(draft, run, token, node);
  else if (node.kind === 'human' && !isAnswered(node)) openHuman(draft, run, token, node);
  else token.stage = { is: 'ready', attempt: 1, resume: null, joined: [] };
}

/**
 * The run has come to a `fail` node: what the node says is told, and the run ends with its code. A resumable one holds the
 * token where it comes from instead, so that a person may let that node run again; a branch that may fail only falls.
 */
function fail(draft: Draft, run: RunState, token: Token, node: TerminalNode, input: Values): void {
  const code = node.code ?? 'FAIL_NODE';
  const scope = scopeOf(draft.plan, frameOf(run, token.branch), input, draft.state.ledgers);
  const said = node.message === undefined ? '' : render(node.message, lookupIn(scope));
  const resumable = node.resumable === true && draft.plan.nodes[token.node]?.kind !== 'fail';
  if (resumable || mayFall(run, token)) {
    const detail = said.trim() === '' ? `The bot gave up at "${node.name}".` : said;
    hold(draft, token, { cause: 'failed', code, detail }, null);
    return;
  }
  sayReply(draft, said);
  endRun(draft, 'failed', code);
}

/** Takes the token out of its node with the node's output; without an edge to take, it is held for a person. */
export function leave(draft: Draft, run: RunState, token: Token, given: Values, loops?: 'unguarded'): void {
  const { plan } = draft;
  const output = withFailed(draft, run, token, given);
  settleAt(run, token, output);
  const { ledgers } = draft.state;
  const frame = frameOf(run, token.branch);
  const inside = insideBranch(plan, run, token.branch);
  const choice = chooseEdge(plan, frame, token.node, output, ledgers, inside, loops);
  if ('none' in choice) holdWithoutEdge(draft, token, choice);
  else {
    tellSkipped(draft, choice);
    if (choice.left !== undefined) leaveLoop(draft, choice.left);
    follow(draft, run, token, choice.edge, output);
  }
}

/** What a node gave, with the branches that failed before it where it awaits as many as there are. */
function withFailed(draft: Draft, run: RunState, token: Token, output: Values): Values {
  if (draft.plan.nodes[token.node]?.await !== 'best_effort') return output;
  const failed = frameOf(run, token.branch).outputs[token.node]?.['_failed_branches'] ?? [];
  return { ...output, _failed_branches: failed };
}

/** Keeps what a node gave, and lets the token stand there with nothing of its own left. */
export function settleAt(run: RunState, token: Token, output: Values): void {
  token.stage = { is: 'ready', attempt: 1, resume: null, joined: [] };
  placeOf(run, token.branch).outputs[token.node] = output;
}

/** No edge leads on: the token is held, where more rounds of a loop or another try may help. */
export function holdWithoutEdge(
  draft: Draft,
  token: Token,
  choice: Exclude<EdgeChoice, { edge: PlanEdge }>,
): void {
  tellSkipped(draft, choice);
  draft.emit({ type: 'node', node: token.node, iteration: token.iteration, change: 'ended' }, token);
  if (choice.none === 'loop_exhausted') holdExhausted(draft, token, choice.loop);
  else if (choice.none === 'unaffordable') holdLoop(draft, token, choice);
  else {
    const detail = `No edge leads on from "${token.node}" with what it gave.`;
    hold(draft, token, { cause: 'failed', code: 'NO_OUTGOING_EDGE', detail }, null);
  }
}

function tellSkipped(draft: Draft, choice: EdgeChoice): void {
  for (const skipped of choice.skipped)
    draft.notice('guard_skipped', 'warning', `The edge ${skipped}; it was passed over.`);
}

/** An edge as it is told of. */
export function wayOf({ to, loop }: PlanEdge): { to: string; loop?: string } {
  return { to, ...(loop === null ? {} : { loop }) };
}

/** Takes the token along an edge. Its node's output was kept before, and is dropped if nothing can read it any more. */
export function follow(draft: Draft, run: RunState, token: Token, edge: PlanEdge, output: Values): void {
  const { from, to } = edge;
  const { iteration } = token;
  draft.emit({ type: 'node', node: from, iteration, change: 'ended', edge: wayOf(edge) }, token);
  cross(draft, run, token, edge, output);
  if (edge.opens !== undefined) beginCase(draft, run, edge.opens);
  arrive(draft, run, token, to, [edgeKey(draft.plan, edge)]);
  forget(draft, run, token.branch, from);
}

/** A new case of these artifacts begins, and the cards of the old one are closed. */
function beginCase(draft: Draft, run: RunState, names: readonly string[]): void {
  closeCards(draft, [...names, ...names.flatMap(name => madeFrom(draft.plan, name))], SERVICE);
  openCase(draft, run, names);
}

/** Drops a node's output that nothing reads. */
export function forget(draft: Draft, run: RunState, branch: string | null, node: string): void {
  if (!draft.plan.keeps.includes(node)) delete placeOf(run, branch).outputs[node];
}

/** Opens the recovery for a loop that may not be crossed again. */
export function holdExhausted(draft: Draft, token: Token, loop: string): void {
  const detail = `The loop "${loop}" has used all its rounds.`;
  hold(draft, token, { cause: 'loop_exhausted', code: loop, detail }, null);
}

/** Counts a loop's crossing; a plain edge that enters a loop from outside starts it afresh. */
export function cross(draft: Draft, run: RunState, token: Token, edge: PlanEdge, output: Values): void {
  const { plan } = draft;
  const place = placeOf(run, token.branch);
  if (plan.values === 'fired' && edge.with.length > 0) {
    const key = edgeKey(plan, edge);
    if (place.crossed?.includes(key) !== true) place.crossed = [...(place.crossed ?? []), key];
  }
  if (edge.loop !== null) {
    const loop = (place.loops[edge.loop] ??= { count: 0, added: 0, staged: null, previous: null });
    loop.count += 1;
    loop.previous = loop.staged;
    loop.staged = output;
    roundBegins(draft, edge.loop);
    return;
  }
  const bodies = loopBodies(plan);
  for (const loop of bodies.enteredAt(edge.to)) {
    if (bodies.of(loop).has(edge.from)) continue;
    delete place.loops[loop];
    roundBegins(draft, loop);
  }
}

function iterationOf(draft: Draft, run: Frame, node: string): number {
  const bodies = loopBodies(draft.plan);
  const counts = Object.entries(run.loops).map(([loop, { count }]) =>
    bodies.of(loop).has(node) ? count : 0,
  );
  return Math.max(0, ...counts);
}

/** Ends the run and with it the turn. A run that ends well says the reply that no pause will show. */
export function endRun(draft: Draft, reason: RunEnd, code?: string): void {
  const { run } = draft;
  if (run === null) return;
  closeUnfinished(draft, run);
  for (const token of run.tokens) drop(draft, run, token);
  if (reason === 'done') sayReply(draft, run.unsaid ?? '');
  closeQuestions(draft);
  run.status = 'ended';
  run.reason = reason;
  run.code = code ?? null;
  run.tokens = [];
  run.outputs = {};
  run.home = null;
  run.unsaid = null;
  draft.emit({
    type: 'run',
    run: run.id,
    change: 'ended',
    plan: run.plan,
    reason,
    ...(code === undefined ? {} : { code }),
  });
  draft.say({ is: 'mark', turn: draft.machine.turn?.id ?? null, mark: 'run', run: run.id, text: reason });
  if (reason === 'done') endTurn(draft, 'completed');
  else endTurn(draft, reason === 'failed' ? 'failed' : 'cancelled', code);
}
