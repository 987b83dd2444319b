import type { HumanNode } from '@hearth/language/plan/node.ts';
import { render } from '@hearth/language/refs/rendering.ts';
import { stringsOf } from '../envelope.ts';
import { frameOf } from '../frame.ts';
import { outputSchema } from '../output-schema.ts';
import { lookupIn, scopeOf } from '../scope.ts';
import type { RunState, Token } from '../state.ts';
import { buttonsOf } from './card.ts';
import { closeUnfinished } from './cases.ts';
import type { Draft } from './draft.ts';
import { answersNeeded } from './several-answers.ts';
import { endTurn, turnWaits } from './turn.ts';

/* The pauses at which a human node waits for its person. */

/** Opens a human node's pause: home base for a chat node, an input pause for one that asks for fields. */
export function openHuman(draft: Draft, run: RunState, token: Token, node: HumanNode): void {
  const { plan } = draft;
  draft.emit({ type: 'node', node: node.name, iteration: token.iteration, change: 'started' }, token);
  const prompt = node.instructions === null ? undefined : plan.prompts[node.instructions];
  const said =
    prompt === undefined
      ? ''
      : render(prompt, lookupIn(scopeOf(plan, frameOf(run, token.branch), token.input, draft.state.ledgers)));
  // A conversation has one home, in the trunk; in a branch, and of several people, the same words are asked for.
  if (node.pause === 'chat' && token.branch === null && answersNeeded(plan, node.name) <= 1) {
    sayReply(draft, said);
    run.unsaid = null;
    openHome(draft, run, token, said);
    endTurn(draft, draft.turnEnds.change, draft.turnEnds.code);
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
      actions: buttonsOf(plan, run, node.name, null),
    },
    token,
  );
  turnWaits(draft);
}

/** Opens the chat pause at the token's node. */
export function openHome(draft: Draft, run: RunState, token: Token, said: string): void {
  closeUnfinished(draft, run);
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
