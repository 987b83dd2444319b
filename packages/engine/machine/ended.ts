import type { Values } from '@hearth/language/value.ts';
import type { Instant } from '@hearth/protocol/ids.ts';
import type { Spend } from '@hearth/protocol/spend.ts';
import { add, blocking, nameOf, OVER_BUDGET, toWarn } from '../budget.ts';
import { conform, stringsOf } from '../envelope.ts';
import type { EntryOf, Outcome } from '../entry.ts';
import { placeOf } from '../frame.ts';
import type { Again, Token } from '../state.ts';
import { stamped } from '../stamp.ts';
import { withWatched } from '../watched.ts';
import { answeredByModel, asked, handedOn, standsIn } from './asking.ts';
import type { Draft } from './draft.ts';
import { requeue, unseenOf } from './drop.ts';
import { type Running, runningToken } from './effect.ts';
import { leave } from './flow.ts';
import { hold } from './recovery.ts';
import { keepSession } from './slots.ts';
import { absorb } from './turn.ts';

/** An effect has its outcome: it is charged, and its token moves, parks or is held. */
export function ended(draft: Draft, entry: EntryOf<'ended'>): void {
  charge(draft, entry.spend);
  const token = runningToken(draft, entry.effect);
  // Its branch was given up meanwhile; what it cost is known now.
  if (token === undefined) return;
  const { outcome } = entry;
  if (token.stage.cancelled === true && outcome.is !== 'done') setAside(token);
  else if (outcome.is === 'done') done(draft, token, outcome.output);
  // What it would ask was interrupted before it could be shown.
  else if (outcome.is === 'stopped' || (outcome.is === 'parked' && token.stage.interrupted))
    stopped(draft, token);
  else if (outcome.is === 'parked') parked(draft, token, outcome);
  else failed(draft, token, outcome.code, outcome.message, outcome.retryAfterMs);
}

function charge(draft: Draft, spend: Spend): void {
  const { ledgers } = draft.state;
  ledgers.burst = add(ledgers.burst, spend);
  ledgers.lifetime = add(ledgers.lifetime, spend);
  const { turn } = draft.machine;
  if (turn !== null) turn.spend = add(turn.spend, spend);
  for (const gauge of toWarn(draft.plan, ledgers)) {
    ledgers.warned.push(nameOf(gauge));
    const { ledger, axis, used, limit, unpriced } = gauge;
    draft.emit({ type: 'budget', ledger, axis, change: 'warned', used, limit, unpriced });
  }
}

function done(draft: Draft, token: Running, output: Values): void {
  const { run, plan } = draft;
  const node = plan.nodes[token.node];
  if (run === null || node === undefined) return;
  if (standsIn(draft, token)) {
    const why = answeredByModel(draft, token, run, output);
    if (why !== null) failed(draft, token, 'SCHEMA_VALIDATION', `A model's answer cannot be taken: ${why}.`);
    return;
  }
  const fitted = conform(plan, node.output, output);
  if (!fitted.ok) {
    failed(
      draft,
      token,
      'SCHEMA_VALIDATION',
      `"${token.node}" gave an output that does not fit its schema: ${fitted.why}.`,
    );
    return;
  }
  settleMessages(draft, token);
  if (node.kind === 'agent') {
    watch(draft, stringsOf(fitted.output['dispatched_ids']));
    const { reply } = fitted.output;
    placeOf(run, token.branch).unsaid = typeof reply === 'string' ? reply : null;
  }
  keepSession(draft, run, token, token.stage.session);
  leave(draft, run, token, stamped(fitted.output, token.stage.session));
}

/** Messages that the model has seen belong to this turn; those it only took go back to the head of the queue. */
function settleMessages(draft: Draft, token: Running): void {
  const { turn } = draft.machine;
  const { taken, seen } = token.stage;
  if (turn !== null)
    for (const message of taken) if (seen.includes(message.id)) absorb(draft, message, turn.id);
  requeue(draft, unseenOf(token));
}

/** Tickets that the turn handed over are watched: on the board of the directory that it works in. */
function watch(draft: Draft, tickets: readonly string[]): void {
  const workspace = draft.machine.turn?.workspace ?? draft.machine.workspace;
  draft.state.watched = withWatched(draft.state.watched, tickets, workspace);
}

function parked(draft: Draft, running: Running, outcome: Extract<Outcome, { is: 'parked' }>): void {
  const { run } = draft;
  if (run === null) return;
  if (outcome.permits.length > 0 || outcome.asks.length === 0) {
    failed(
      draft,
      running,
      'protocol',
      `"${running.node}" stopped to wait without a question that could be shown.`,
    );
    return;
  }
  settleMessages(draft, running);
  asked(draft, running, outcome.asks, againOf(running));
}

/** It was stopped for another branch's trouble, whatever it says of that. */
function setAside(running: Running): void {
  const token: Token = running;
  token.stage = { is: 'aside', again: againOf(running) };
}

function stopped(draft: Draft, token: Running): void {
  const { effect } = token.stage;
  const detail = `${draft.plan.title} was interrupted.${toolWords(token)}`;
  hold(draft, token, { cause: 'interrupted', code: 'interrupted', detail, effect }, againOf(token));
}

function failed(draft: Draft, token: Running, code: string, message: string, retryAfterMs?: number): void {
  const { effect } = token.stage;
  if (code !== OVER_BUDGET && !token.stage.interrupted && handedOn(draft, token, message)) return;
  draft.emit({ type: 'node', node: token.node, iteration: token.iteration, change: 'failed' }, token);
  const gauge = code === OVER_BUDGET ? blocking(draft.plan, draft.state.ledgers) : null;
  if (gauge !== null) {
    const { ledger, axis, used, limit, unpriced } = gauge;
    draft.emit({ type: 'budget', ledger, axis, change: 'stopped', used, limit, unpriced }, token);
    hold(draft, token, { cause: 'budget', code: nameOf(gauge), detail: message, effect }, againOf(token));
    return;
  }
  const cause = code === 'session_lost' ? 'session_lost' : 'failed';
  const retryAt = retryAfterMs === undefined ? {} : { retryAt: later(draft.at, retryAfterMs) };
  hold(draft, token, { cause, code, detail: message, effect, ...retryAt }, againOf(token));
}

/** The longest wait that a pause tells of, in milliseconds: what a provider says is not to be trusted beyond a month. */
const LONGEST_WAIT = 31 * 24 * 3_600_000;

function later(at: Instant, ms: number): Instant {
  return new Date(Date.parse(at) + Math.min(Math.max(0, ms), LONGEST_WAIT)).toISOString();
}

/** What `again` takes up: the recorded session, what may have happened, and the words nobody saw. */
export function againOf(token: Running): Again {
  const { effect, attempt, session, toolsStarted, answers, joined, seen, asking } = token.stage;
  // Who answers for a person has done nothing yet, so it begins anew.
  if (asking !== undefined) return { attempt: attempt + 1, resume: null, joined: [], unseen: [], asking };
  return {
    attempt: attempt + 1,
    resume: { session, answers, interrupted: { effect, toolsStarted } },
    joined: joined.filter(message => !seen.includes(message.id)),
    unseen: unseenOf(token),
  };
}

/** A sentence on tools that may already have done something. */
export function toolWords(token: Running): string {
  const names = [...new Set(token.stage.toolsStarted)];
  return names.length === 0 ? '' : ` These tools had been started: ${names.join(', ')}.`;
}
