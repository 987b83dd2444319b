import type { Values } from '@hearth/language/value.ts';
import { blocks } from '@hearth/protocol/pause.ts';
import { chooseEdge } from '../edges.ts';
import { runVars } from '../run-vars.ts';
import type { QueuedMessage, RunState, Token } from '../state.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import { settleTokens } from './branches.ts';
import { dropStray } from './besides.ts';
import type { Draft } from './draft.ts';
import { arrive, holdExhausted, leave } from './flow.ts';
import { holdUnguarded } from './guard.ts';
import { freshBurst } from './ledgers.ts';
import { operate } from './operated.ts';
import { startTurn, turnWaits, works } from './turn.ts';
import { holdUnaffordable } from './unaffordable.ts';
import { publish } from './published.ts';

/*
 * What happens by itself after every entry, until nothing more does: a token that the budget does not allow is held,
 * a queued message meets an open chat pause, and the first message of a conversation starts a run.
 */

/** Brings the state to rest. `plan` names the plan that a new run would use. */
export function settle(draft: Draft, plan: Digest): void {
  rest(draft);
  while (deliverNext(draft, plan)) rest(draft);
}

function rest(draft: Draft): void {
  dropStray(draft);
  settleTokens(draft);
  operate(draft);
  holdUnguarded(draft);
  holdUnaffordable(draft);
  settleTokens(draft);
  waitIfStill(draft);
}

/** The turn waits for a person as soon as none of its branches works. */
function waitIfStill(draft: Draft): void {
  const tokens = draft.run?.tokens ?? [];
  const held = tokens.some(({ stage }) => stage.is === 'held' || stage.is === 'parked');
  if (held && !works(draft)) turnWaits(draft);
}

function deliverNext(draft: Draft, plan: Digest): boolean {
  const [message] = draft.state.inbox;
  if (message === undefined || draft.machine.pauses.some(blocks)) return false;
  const { run } = draft;
  if (run === null) {
    if (draft.waitsForPlan) return false;
    startRun(draft, plan, message);
    return true;
  }
  const token = run.tokens.find(candidate => candidate.stage.is === 'home');
  return token !== undefined && deliver(draft, run, token, message);
}

/** Hands a message to home base; `false` when the loop that leads on is exhausted, which a person can lift. */
function deliver(draft: Draft, run: RunState, token: Token, message: QueuedMessage): boolean {
  const node = draft.plan.nodes[token.node];
  if (token.stage.is !== 'home' || node?.kind !== 'human') return false;
  const output: Values = { [node.field ?? 'message']: message.text };
  const ahead = chooseEdge(draft.plan, run, token.node, output, draft.state.ledgers);
  if ('none' in ahead && ahead.none === 'loop_exhausted') {
    draft.closePause(token.stage.pause, 'superseded', message.by);
    holdExhausted(draft, token, ahead.loop);
    return false;
  }
  freshBurst(draft);
  draft.closePause(token.stage.pause, 'answered', message.by);
  take(draft, message);
  publish(draft, run, token, output);
  leave(draft, run, token, output);
  return true;
}

function startRun(draft: Draft, plan: Digest, message: QueuedMessage): void {
  const id = draft.next('r');
  const { seedVar } = draft.plan;
  const directory = message.workspace ?? draft.machine.workspace ?? '';
  const vars = runVars(draft.plan, directory, message.text, message.vars);
  // A run that begins with a message that waited works on the files of the run before.
  const attachments = { ...draft.machine.run?.attachments, ...message.attachments };
  const token: Token = {
    branch: null,
    node: draft.plan.entry,
    iteration: 0,
    input: {},
    stage: { is: 'ready', attempt: 1, resume: null, joined: [] },
  };
  const run: RunState = {
    id,
    plan,
    status: 'active',
    reason: null,
    code: null,
    vars,
    ...(Object.keys(attachments).length > 0 ? { attachments } : {}),
    tokens: [token],
    outputs: {},
    loops: {},
    home: null,
    unsaid: null,
    before: draft.state.ledgers.lifetime,
  };
  draft.began(run);
  freshBurst(draft);
  draft.emit({ type: 'run', run: id, change: 'started', plan });
  draft.say({ is: 'mark', turn: null, mark: 'run', run: id, text: 'started' });
  if (seedVar !== null) take(draft, message);
  arrive(draft, run, token, draft.plan.entry);
  // A bot without a seed variable that does not open on a chat pause has nothing that could take the words.
  if (seedVar === null && !run.tokens.some(candidate => candidate.stage.is === 'home')) take(draft, message);
}

/** Takes a message out of the queue and starts its turn. */
function take(draft: Draft, message: QueuedMessage): void {
  draft.state.inbox = draft.state.inbox.filter(queued => queued.id !== message.id);
  if (draft.accepted !== message.id)
    draft.emit({ type: 'message.moved', message: message.id, to: 'consumed', into: message.turn });
  startTurn(draft, message);
}
