import type { HumanNode, TerminalNode } from '@hearth/language/plan/node.ts';
import type { PlanEdge } from '@hearth/language/plan.ts';
import { render } from '@hearth/language/refs/rendering.ts';
import type { Values } from '@hearth/language/value.ts';
import { chooseEdge } from '../edges.ts';
import { stringsOf } from '../envelope.ts';
import { inputOf } from '../inputs.ts';
import { outputSchema } from '../output-schema.ts';
import { lookupIn, scopeOf } from '../scope.ts';
import type { RunEnd, RunState, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { hold } from './recovery.ts';
import { endTurn, turnWaits } from './turn.ts';

/*
 * How a token moves: it arrives at a node, and leaves it along one edge with the node's output. Arriving at a human
 * node opens its pause; arriving at a terminal ends the run.
 */

/** Puts the token at a node. */
export function arrive(draft: Draft, run: RunState, token: Token, name: string): void {
  const node = draft.plan.nodes[name];
  if (node?.kind === 'fail') {
    fail(draft, run, token, node);
    return;
  }
  token.node = name;
  token.iteration = iterationOf(draft, run, name);
  if (node === undefined) {
    endRun(draft, 'failed', 'NODE_NOT_FOUND');
    return;
  }
  token.input = inputOf(draft.plan, run, name, draft.state.ledgers);
  if (node.kind === 'done') endRun(draft, 'done');
  else if (node.kind === 'human') openHuman(draft, run, token, node);
  else token.stage = { is: 'ready', attempt: 1, resume: null, joined: [] };
}

/**
 * The run has come to a `fail` node: what the node says is told, and the run ends with its code. A resumable one holds the
 * token where it comes from instead, so that a person may let that node run again.
 */
function fail(draft: Draft, run: RunState, token: Token, node: TerminalNode): void {
  const { plan } = draft;
  const { ledgers } = draft.state;
  const code = node.code ?? 'FAIL_NODE';
  const scope = scopeOf(plan, run, inputOf(plan, run, node.name, ledgers), ledgers);
  const said = node.message === undefined ? '' : render(node.message, lookupIn(scope));
  if (node.resumable === true && plan.nodes[token.node]?.kind !== 'fail') {
    const detail = said.trim() === '' ? `The bot gave up at "${node.name}".` : said;
    hold(draft, token, { cause: 'failed', code, detail }, null);
    return;
  }
  sayReply(draft, said);
  endRun(draft, 'failed', code);
}

/** Takes the token out of its node with the node's output; without an edge to take, it is held for a person. */
export function leave(draft: Draft, run: RunState, token: Token, output: Values): void {
  const { plan } = draft;
  const from = token.node;
  run.outputs[from] = output;
  const choice = chooseEdge(plan, run, from, output, draft.state.ledgers);
  for (const skipped of choice.skipped)
    draft.notice('guard_skipped', 'warning', `The edge ${skipped}; it was passed over.`);
  if ('none' in choice) {
    draft.emit({ type: 'node', node: from, iteration: token.iteration, change: 'ended' }, token);
    if (choice.none === 'loop_exhausted') holdExhausted(draft, token, choice.loop);
    else {
      const detail = `No edge leads on from "${from}" with what it gave.`;
      hold(draft, token, { cause: 'failed', code: 'NO_OUTGOING_EDGE', detail }, null);
    }
    return;
  }
  const { edge } = choice;
  draft.emit(
    {
      type: 'node',
      node: from,
      iteration: token.iteration,
      change: 'ended',
      edge: { to: edge.to, ...(edge.loop === null ? {} : { loop: edge.loop }) },
    },
    token,
  );
  cross(draft, run, edge, output);
  arrive(draft, run, token, edge.to);
  if (!plan.keeps.includes(from)) delete run.outputs[from];
}

/** Opens the recovery for a loop that may not be crossed again. */
export function holdExhausted(draft: Draft, token: Token, loop: string): void {
  const detail = `The loop "${loop}" has used all its rounds.`;
  hold(draft, token, { cause: 'loop_exhausted', code: loop, detail }, null);
}

/** Counts a loop's crossing; a plain edge that enters a loop from outside starts it afresh. */
function cross(draft: Draft, run: RunState, edge: PlanEdge, output: Values): void {
  if (edge.loop !== null) {
    const loop = (run.loops[edge.loop] ??= { count: 0, added: 0, staged: null, previous: null });
    loop.count += 1;
    loop.previous = loop.staged;
    loop.staged = output;
    return;
  }
  for (const loop of Object.values(draft.plan.loops)) {
    if (loop.entries.includes(edge.to) && !loop.body.includes(edge.from)) delete run.loops[loop.name];
  }
}

function iterationOf(draft: Draft, run: RunState, node: string): number {
  const counts = Object.values(draft.plan.loops)
    .filter(loop => loop.body.includes(node))
    .map(loop => run.loops[loop.name]?.count ?? 0);
  return Math.max(0, ...counts);
}

/** Opens a human node's pause: home base for a chat node, an input pause for one that asks for fields. */
export function openHuman(draft: Draft, run: RunState, token: Token, node: HumanNode): void {
  const { plan } = draft;
  draft.emit({ type: 'node', node: node.name, iteration: token.iteration, change: 'started' }, token);
  const prompt = node.instructions === null ? undefined : plan.prompts[node.instructions];
  const said =
    prompt === undefined
      ? ''
      : render(prompt, lookupIn(scopeOf(plan, run, token.input, draft.state.ledgers)));
  if (node.pause === 'chat') {
    sayReply(draft, said);
    run.unsaid = null;
    openHome(draft, run, token, said);
    endTurn(draft, 'completed');
    return;
  }
  const id = draft.next('p');
  token.stage = { is: 'held', pause: id, again: null };
  draft.openPause(
    {
      id,
      run: run.id,
      turn: draft.machine.turn?.id ?? null,
      node: node.name,
      branch: token.branch,
      openedAt: draft.at,
      kind: 'input',
      text: draft.text(said),
      fields: outputSchema(plan, node.output) ?? { type: 'object' },
      actions: [],
    },
    token,
  );
  turnWaits(draft);
}

/** Opens the chat pause at the token's node. */
export function openHome(draft: Draft, run: RunState, token: Token, said: string): void {
  const id = draft.next('p');
  token.stage = { is: 'home', pause: id };
  run.home = { node: token.node, iteration: token.iteration, input: token.input };
  draft.openPause(
    {
      id,
      run: run.id,
      turn: draft.machine.turn?.id ?? null,
      node: token.node,
      branch: null,
      openedAt: draft.at,
      kind: 'chat',
      text: draft.text(said),
      quickReplies: stringsOf(token.input['quick_replies']),
    },
    token,
  );
}

/** Tells the bot's reply; blank words are no reply. */
export function sayReply(draft: Draft, said: string): void {
  if (said.trim() === '') return;
  const message = draft.next('m');
  const text = draft.text(said);
  draft.emit({ type: 'message', message, by: draft.bot, text, attachments: [] });
  draft.say({ is: 'replied', turn: draft.machine.turn?.id ?? null, message, by: draft.bot, text });
}

/** Ends the run and with it the turn. A run that ends well says the reply that no pause will show. */
export function endRun(draft: Draft, reason: RunEnd, code?: string): void {
  const { run } = draft;
  if (run === null) return;
  if (reason === 'done') sayReply(draft, run.unsaid ?? '');
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
