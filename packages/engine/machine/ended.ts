import type { Values } from '@hearth/language/value.ts';
import type { Instant } from '@hearth/protocol/ids.ts';
import { blocking, OVER_BUDGET } from '../budget.ts';
import { conform, stringsOf } from '../envelope.ts';
import type { EntryOf, Outcome } from '../entry.ts';
import { publishes } from '../document.ts';
import { placeOf } from '../frame.ts';
import { outputName } from '../routes.ts';
import { isModelNode } from '../runnable.ts';
import type { Again, Resume, Token } from '../state.ts';
import { stamped, withFacts } from '../stamp.ts';
import { withWatched } from '../watched.ts';
import { answeredByModel, asked, handedOn, standsIn } from './asking.ts';
import type { Draft } from './draft.ts';
import { drop, requeue, unseenOf } from './drop.ts';
import { type Running, runningToken, tellCutOff } from './effect.ts';
import { endsOn } from './ends.ts';
import { goOn } from './fork.ts';
import { GUARD } from './guard.ts';
import { lintedAgain } from './linted.ts';
import { nextTry } from './patience.ts';
import { charge } from './ledgers.ts';
import { publish } from './published.ts';
import { besideDone } from './read.ts';
import { hold } from './recovery.ts';
import { keepSession } from './slots.ts';
import { tellingEnded } from './telling.ts';
import { absorb } from './turn.ts';
import { holdOver, tell } from './unaffordable.ts';

/** Modes whose session goes on as it is or not at all. */
const STRICT: ReadonlySet<string> = new Set(['inherit', 'fork']);

/** An effect has its outcome: it is charged, and its token moves, parks or is held. */
export function ended(draft: Draft, entry: EntryOf<'ended'>): void {
  charge(draft, entry.spend);
  tellingEnded(draft, entry.effect, entry.outcome.is === 'done' || entry.outcome.is === 'parked');
  const token = runningToken(draft, entry.effect);
  // Its branch was given up meanwhile; what it cost is known now.
  if (token === undefined) return;
  const { outcome } = entry;
  // A tool that waits with its agent has not ended.
  if (outcome.is !== 'parked') tellCutOff(draft, token);
  if (token.stage.cancelled === true && outcome.is !== 'done') setAside(draft, token);
  else if (outcome.is === 'done') done(draft, token, outcome.output, entry);
  // What it would ask was interrupted before it could be shown.
  else if (outcome.is === 'stopped' || (outcome.is === 'parked' && token.stage.interrupted))
    stopped(draft, token);
  else if (outcome.is === 'parked') parked(draft, token, outcome);
  else failed(draft, token, outcome);
}

function done(draft: Draft, token: Running, output: Values, { made, spend }: EntryOf<'ended'>): void {
  const { run, plan } = draft;
  const node = plan.nodes[token.node];
  if (run === null || node === undefined) return;
  if (standsIn(draft, token)) {
    const why = answeredByModel(draft, token, run, output);
    if (why === null) return;
    const message = `A model's answer cannot be taken: ${why}.`;
    failed(draft, token, { is: 'failed', code: 'SCHEMA_VALIDATION', message, began: true });
    return;
  }
  const fitted = conform(plan, outputName(plan, node.name), output);
  if (!fitted.ok) {
    const message = `"${token.node}" gave an output that does not fit its schema: ${fitted.why}.`;
    failed(draft, token, { is: 'failed', code: 'SCHEMA_VALIDATION', message, began: true });
    return;
  }
  if (token.beside !== undefined) {
    besideDone(draft, run, token, token.beside, fitted.output);
    return;
  }
  settleMessages(draft, token);
  if (lintedAgain(draft, token, fitted.output)) return;
  if (node.kind === 'agent') {
    watch(draft, stringsOf(fitted.output['dispatched_ids']));
    const { reply } = fitted.output;
    placeOf(run, token.branch).unsaid = typeof reply === 'string' ? reply : null;
  }
  keepSession(draft, run, token, token.stage.session);
  const given = isModelNode(node) ? withFacts(fitted.output, made, spend) : fitted.output;
  const { effect, session } = token.stage;
  publish(draft, run, token, given, {
    effect,
    backend: made?.backend ?? null,
    model: made?.model ?? null,
    session: session?.id ?? null,
  });
  goOn(draft, run, token, stamped(given, session));
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
  const nothing = outcome.permits.length === 0 && outcome.asks.length === 0;
  if (nothing && running.stage.wait === undefined) {
    const message = `"${running.node}" stopped to wait without a question that could be shown.`;
    failed(draft, running, { is: 'failed', code: 'protocol', message, began: true });
    return;
  }
  settleMessages(draft, running);
  asked(draft, running, outcome, againOf(running));
}

/** It was stopped for another branch's trouble, whatever it says of that. */
function setAside(draft: Draft, running: Running): void {
  const node = draft.plan.nodes[running.node];
  // Nothing that may have happened happens again because another branch goes on.
  if (node?.kind === 'tool' && node.idempotent !== true) {
    stopped(draft, running);
    return;
  }
  const token: Token = running;
  token.stage = { is: 'aside', again: againOf(running) };
}

function stopped(draft: Draft, token: Running): void {
  const { effect, interrupted, cancelled } = token.stage;
  const { run } = draft;
  if (token.beside !== undefined && run !== null) {
    drop(draft, run, token);
    return;
  }
  if (interrupted && cancelled !== true && endsOn(draft, token, 'interrupted')) return;
  if (draft.plan.nodes[token.node]?.kind === 'tool') {
    // A message has nothing to join at a program, so it must not mean "again" here.
    const detail = `The tool "${token.node}" was interrupted. Whether it took effect is not known.`;
    hold(draft, token, { cause: 'uncertain', code: 'interrupted', detail, effect }, againOf(token));
    return;
  }
  const detail = `${draft.plan.title} was interrupted.${toolWords(token)}`;
  hold(draft, token, { cause: 'interrupted', code: 'interrupted', detail, effect }, againOf(token));
}

function failed(draft: Draft, token: Running, outcome: Extract<Outcome, { is: 'failed' }>): void {
  const { code, message, retryAfterMs } = outcome;
  const { effect } = token.stage;
  if (code !== OVER_BUDGET && !token.stage.interrupted && handedOn(draft, token, message)) return;
  draft.emit({ type: 'node', node: token.node, iteration: token.iteration, change: 'failed' }, token);
  const grace = draft.run?.grace === true;
  const gauge = code === OVER_BUDGET ? blocking(draft.plan, draft.state.ledgers, grace) : null;
  if (gauge !== null) {
    tell(draft, token, gauge, 'stopped');
    holdOver(draft, token, gauge, message, againOf(token), effect);
    return;
  }
  if (triedAgain(draft, token, outcome)) return;
  if (code === GUARD) {
    hold(draft, token, { cause: 'guard', code, detail: message, effect }, againOf(token));
    return;
  }
  if (endsOn(draft, token, 'failed', { code, message })) return;
  const cause = publishes(draft.plan, token.node) !== null ? 'draft_failed' : causeOf(code);
  const retryAt = retryAfterMs === undefined ? {} : { retryAt: later(draft.at, retryAfterMs) };
  hold(draft, token, { cause, code, detail: message, effect, ...retryAt }, againOf(token));
}

function causeOf(code: string): 'session_lost' | 'failed' {
  return code === 'session_lost' ? 'session_lost' : 'failed';
}

/** Lets a failure that passes by itself be tried again, if nothing can have happened yet or it may happen twice. */
function triedAgain(draft: Draft, token: Running, outcome: Extract<Outcome, { is: 'failed' }>): boolean {
  const node = draft.plan.nodes[token.node];
  const { taken, interrupted, tries, attempt } = token.stage;
  const safe = node?.kind === 'tool' ? node.idempotent === true : !outcome.began && taken.length === 0;
  if (!safe || interrupted || outcome.lasting === true) return false;
  const { code, message, retryAfterMs } = outcome;
  const reseeds = code === 'context_length';
  if (reseeds && isModelNode(node) && STRICT.has(node.session)) return false;
  const next = nextTry(code, draft.at, tries, retryAfterMs);
  if (next === null) return false;
  const again = againOf(token);
  const waiting: Token = token;
  waiting.stage = {
    is: 'ready',
    attempt: attempt + 1,
    resume: reseeds && again.resume !== null ? reseeded(again.resume, next.count) : again.resume,
    joined: again.joined,
    retryAt: next.retryAt,
    tries: next.tries,
    ...(again.asking === undefined ? {} : { asking: again.asking }),
  };
  const seconds = Math.ceil(next.waitMs / 1000);
  const how = reseeds
    ? 'It goes on in a fresh session that knows only the latest words'
    : `Tried again in ${seconds} s`;
  draft.notice('retrying', 'info', `${message} ${how} (${next.count} of ${next.of}).`);
  return true;
}

/** A session that is too long is left behind; `times` tells how much of what was said the next one is told. */
function reseeded(resume: Resume, times: number): Resume {
  return { session: null, answers: resume.answers, reseed: times };
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
