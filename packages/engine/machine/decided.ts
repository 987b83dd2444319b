import { judgeDecision } from '@hearth/decisions/judge.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type {
  CardPause,
  Pause,
  PermissionPause,
  QuestionPause,
  RecoveryPause,
} from '@hearth/protocol/pause.ts';
import { blocks } from '@hearth/protocol/pause.ts';
import { isAnswered } from '../answerer.ts';
import type { Answer } from '../backend.ts';
import { docketOf } from '../docket.ts';
import { documentOf, publishes, reviewsOf } from '../document.ts';
import { conform } from '../envelope.ts';
import type { EntryOf } from '../entry.ts';
import { placeOf } from '../frame.ts';
import { stamped } from '../stamp.ts';
import { outputName } from '../routes.ts';
import type { QueuedMessage, RunState, Token } from '../state.ts';
import { act as takeAction } from './acted.ts';
import { startBeside } from './besides.ts';
import { showCard } from './card.ts';
import { withdrawChange } from './documents.ts';
import { allowAsMuchAgain, crossAnyway } from './allowed.ts';
import type { Draft } from './draft.ts';
import { drop, requeue, unseenOf } from './drop.ts';
import { arrive, endRun, leave } from './flow.ts';
import { openHome, openHuman } from './human.ts';
import { goOn } from './fork.ts';
import { publish } from './published.ts';
import { misfitOutput } from './it-happened.ts';
import { freshBurst } from './ledgers.ts';
import { takeOn } from './on.ts';
import { keepRule } from './rules.ts';
import { answeredAsync, resumeParked } from './questions.ts';
import { countAnswer, repeatedAnswer } from './several-answers.ts';
import { keepSession } from './slots.ts';
import { isOutgrown, planChosen } from './outgrown.ts';
import { absorb, endTurn, turnResumes } from './turn.ts';

type Answered = Extract<Act, { do: 'answer' }>;

/** A decision was accepted. One that the judge would refuse changes nothing, so that `apply` is total. */
export function decided(draft: Draft, entry: EntryOf<'decided'>): void {
  const { decision } = entry;
  const verdict = judgeDecision(docketOf(draft.plan, draft.state), decision);
  if ('refused' in verdict) return;
  const { pause, act } = verdict.accepted;
  if (misfitOutput(draft.plan, draft.state, pause, act) !== null) return;
  if (repeatedAnswer(draft.plan, draft.state, pause, decision, act) !== null) return;
  if (act.do === 'act' && (pause.kind === 'card' || pause.kind === 'input')) {
    takeAction(draft, pause, { action: act.action, words: act.feedback ?? '', by: decision.actor });
    return;
  }
  if (act.do === 'say' && pause.kind === 'card') {
    say(draft, pause, act.text, decision.actor);
    return;
  }
  const answering = pause.kind === 'input' && act.do === 'answer' ? tokenOf(draft, pause) : undefined;
  const answer =
    answering !== undefined && pause.kind === 'input' && act.do === 'answer'
      ? countAnswer(draft, answering, pause, { by: decision.actor, fields: act.fields ?? {} })
      : {};
  if (answer === null) return;
  // An answer to a question that nobody waits for lets nothing go on.
  const last = blocks(pause) && !draft.machine.pauses.some(open => open.id !== pause.id && blocks(open));
  const how = act.do === 'cancel' ? 'cancelled' : 'answered';
  draft.closePause(pause.id, how, decision.actor, named(act));
  if (last) freshBurst(draft);
  if (pause.kind === 'question' && answeredAsync(draft, pause, act, act.do === 'answer' ? answerOf(act) : {}))
    return;
  if (isOutgrown(pause)) {
    planChosen(draft, act, decision.actor);
    return;
  }
  const token = tokenOf(draft, pause);
  if (token === undefined) return;
  if (pause.kind === 'question') answerQuestion(draft, token, pause, act);
  else if (pause.kind === 'permission' && act.do === 'permit')
    answerPermission(draft, token, pause, act, decision.actor);
  else if (pause.kind === 'recovery' && act.do === 'answer') recover(draft, token, pause, act);
  else if (pause.kind === 'input' && act.do === 'answer') answerInput(draft, token, answer);
}

/** Words typed at a card: its reader finds out what they mean, while the card stays as it is. */
function say(draft: Draft, pause: CardPause, text: string, by: Actor): void {
  const { run } = draft;
  const node = draft.plan.nodes[pause.node];
  if (run === null || node?.kind !== 'review' || node.reader === null) return;
  const { turn, id, shown } = pause;
  draft.say({ is: 'decided', turn, pause: id, by, how: 'said', text: draft.text(text), shown });
  startBeside(draft, run, pause, { as: 'reader', node: node.reader, text, by });
}

function named(act: Act): { option?: string; text?: string } {
  if (act.do === 'permit')
    return { option: act.grant, ...(act.rule === undefined ? {} : { text: act.rule }) };
  if (act.do !== 'answer') return {};
  return {
    ...(act.option === undefined ? {} : { option: act.option }),
    ...(act.text === undefined ? {} : { text: act.text }),
  };
}

function tokenOf(draft: Draft, pause: Pause): Token | undefined {
  return draft.run?.tokens.find(({ stage }) => {
    if (stage.is === 'held') return stage.pause === pause.id;
    return stage.is === 'parked' && stage.asks.some(ask => ask.pause === pause.id);
  });
}

/** Records an ask's answer; when it was the step's last one the agent goes on in its own session. */
function answerQuestion(draft: Draft, token: Token, pause: QuestionPause, act: Act): void {
  const { stage } = token;
  if (stage.is !== 'parked') return;
  const ask = stage.asks.find(candidate => candidate.pause === pause.id);
  if (ask === undefined) return;
  ask.result = act.do === 'answer' ? answerOf(act) : 'cancelled';
  resumeParked(draft, token);
}

/** Records what was said to a call; what is said for good becomes a rule of the conversation. */
function answerPermission(
  draft: Draft,
  token: Token,
  pause: PermissionPause,
  { grant, rule }: Extract<Act, { do: 'permit' }>,
  by: Actor,
): void {
  const ask = token.stage.is === 'parked' && token.stage.asks.find(one => one.pause === pause.id);
  if (!ask) return;
  ask.result = { option: grant };
  if (grant === 'always') keepRule(draft, { rule: rule ?? pause.rule, grant, by, at: draft.at });
  else if (grant === 'deny' && rule !== undefined) keepRule(draft, { rule, grant, by, at: draft.at });
  resumeParked(draft, token);
}

function answerOf(act: Answered): Answer {
  const { option, text, fields } = act;
  return {
    ...(option === undefined ? {} : { option }),
    ...(text === undefined ? {} : { text }),
    ...(fields === undefined ? {} : { fields }),
  };
}

function answerInput(draft: Draft, token: Token, output: Values): void {
  const { run } = draft;
  if (run === null) return;
  turnResumes(draft);
  publish(draft, run, token, output);
  leave(draft, run, token, output);
}

/** What each choice of a recovery does. */
export function recover(draft: Draft, token: Token, pause: RecoveryPause, act: Answered): void {
  const { run } = draft;
  if (run === null) return;
  // What is done beside the graph fills no burst of its own, so a person who lets it go on begins one.
  if (token.beside !== undefined && pause.cause === 'budget') freshBurst(draft);
  if (act.option === 'again' || (act.option === 'raise' && pause.cause === 'budget')) {
    if (pause.cause === 'budget') allowAsMuchAgain(draft, token, pause.code);
    if (!crossAnyway(draft, token, pause)) takeUp(draft, token, []);
  } else if (act.option === 'raise') {
    addRounds(draft, token, pause.code);
  } else if (act.option === 'it_happened') {
    const fitted = conform(draft.plan, outputName(draft.plan, token.node), act.fields ?? {});
    if (!fitted.ok) return;
    const again = token.stage.is === 'held' ? token.stage.again : null;
    requeue(draft, again?.unseen ?? []);
    turnResumes(draft);
    const session = again?.resume?.session ?? null;
    keepSession(draft, run, token, session);
    publish(draft, run, token, fitted.output);
    goOn(draft, run, token, stamped(fitted.output, session));
  } else if (act.option === 'close') {
    endRun(draft, 'closed');
  } else if (act.option === 'withdraw') {
    withdraw(draft, run, token);
  } else if (act.option === 'stop') {
    if (token.beside === undefined) goHome(draft, token, pause);
    else drop(draft, run, token);
  }
}

/**
 * Starts a held effect again, in the session recorded at its start. What had joined it joins once more, with messages
 * that it took and never saw, and with new ones; a person's node asks again.
 */
export function takeUp(draft: Draft, token: Token, words: readonly QueuedMessage[]): void {
  const { run } = draft;
  const { turn } = draft.machine;
  if ((token.stage.is !== 'held' && token.stage.is !== 'aside') || run === null) return;
  const { again } = token.stage;
  if (turn !== null) for (const message of again?.unseen ?? []) absorb(draft, message, turn.id);
  turnResumes(draft);
  const node = draft.plan.nodes[token.node];
  if (node?.kind === 'human' && !isAnswered(node)) {
    openHuman(draft, run, token, node);
    return;
  }
  if (node?.kind === 'review') {
    showCard(draft, run, token, node);
    return;
  }
  const joined = [...(again?.joined ?? []), ...(again?.unseen ?? []), ...words];
  const asking = again?.asking;
  token.stage = {
    is: 'ready',
    attempt: again?.attempt ?? 1,
    resume: again?.resume ?? null,
    joined,
    ...(asking === undefined ? {} : { asking }),
  };
}

/** Gives up the change that failed: the version before it is shown again, and wants a confirmation of its own. */
function withdraw(draft: Draft, run: RunState, token: Token): void {
  const name = publishes(draft.plan, token.node);
  const document = name === null ? undefined : documentOf(run, name);
  if (name === null || document?.change == null) return;
  requeue(draft, unseenOf(token));
  withdrawChange(draft, run, name);
  turnResumes(draft);
  const review = document.review ?? reviewsOf(draft.plan, name)[0]?.name;
  if (review !== undefined) arrive(draft, run, token, review);
}

/** Gives the turn up, all branches of it. The run goes back to home base where it has one; else it ends as failed. */
function goHome(draft: Draft, token: Token, pause: RecoveryPause): void {
  const { run } = draft;
  if (run === null) return;
  if (run.home === null) {
    endRun(draft, 'failed', pause.code);
    return;
  }
  for (const other of run.tokens) if (other !== token) drop(draft, run, other);
  requeue(draft, unseenOf(token));
  token.branch = null;
  endTurn(draft, pause.cause === 'failed' ? 'failed' : 'cancelled', pause.code);
  token.node = run.home.node;
  token.iteration = run.home.iteration;
  token.input = run.home.input;
  openHome(draft, run, token, '');
}

function addRounds(draft: Draft, token: Token, loop: string): void {
  const { run } = draft;
  if (run === null) return;
  const cap = draft.plan.loops[loop]?.cap;
  const place = placeOf(run, token.branch);
  const state = (place.loops[loop] ??= { count: 0, added: 0, staged: null, previous: null });
  state.added += typeof cap === 'number' ? cap : Math.max(1, state.count);
  const node = draft.plan.nodes[token.node];
  const output = place.outputs[token.node];
  if (token.on !== undefined && output !== undefined) {
    turnResumes(draft);
    takeOn(draft, run, token, token.on, output);
  } else if (node?.kind === 'human' && node.pause === 'chat' && token.branch === null)
    openHome(draft, run, token, '');
  else if (output !== undefined) {
    turnResumes(draft);
    goOn(draft, run, token, output);
  }
}
