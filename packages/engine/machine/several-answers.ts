import type { Values } from '@hearth/language/value.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Act, Decision } from '@hearth/protocol/decision.ts';
import type { InputPause, Pause } from '@hearth/protocol/pause.ts';
import type { Refusal } from '@hearth/protocol/receipt.ts';
import type { Plan } from '../runnable.ts';
import type { GivenAnswer, State, Token } from '../state.ts';
import type { Draft } from './draft.ts';

/*
 * A node that several people must answer (`min_answers`). Its pause stays open until so many different people have; the
 * last answer is the node's output, with all of them under `_answers`. What a person does instead of answering, an action
 * for one, is done at once.
 */

/** How many people must answer at a node. */
export function answersNeeded(plan: Plan, name: string): number {
  const node = plan.nodes[name];
  return node?.kind === 'human' ? (node.minAnswers ?? 1) : 1;
}

/** Refuses a second answer of one person while others are waited for. */
export function repeatedAnswer(
  plan: Plan,
  state: State,
  pause: Pause,
  { actor }: Pick<Decision, 'actor'>,
  act: Act,
): Refusal | null {
  if (pause.kind !== 'input' || act.do !== 'answer') return null;
  const before = answersAt(state.machine.run?.tokens ?? [], pause);
  if (!before.some(one => one.by === actor.name && one.kind === actor.kind)) return null;
  const left = answersNeeded(plan, pause.node) - before.length;
  const others = left === 1 ? 'another person' : `${left} other people`;
  return {
    code: 'not_permitted',
    message: `${actor.name} has answered "${pause.node}" already; ${others} must answer it too.`,
  };
}

/** Counts an answer. The output with which the node is left, or `null` while more people must answer. */
export function countAnswer(
  draft: Draft,
  token: Token,
  pause: InputPause,
  answer: { readonly by: Actor; readonly fields: Values },
): Values | null {
  const needed = answersNeeded(draft.plan, token.node);
  if (needed <= 1 || token.stage.is !== 'held') return answer.fields;
  const { by, fields } = answer;
  const answers = [...(token.stage.answers ?? []), { by: by.name, kind: by.kind, fields }];
  if (answers.length >= needed) {
    const _answers = answers.map(one => ({ by: one.by, answer: one.fields }));
    return { ...fields, _answers };
  }
  token.stage.answers = answers;
  draft.notice(
    'answer_counted',
    'info',
    `${by.name} has answered "${pause.node}": ${answers.length} of ${needed} people.`,
  );
  return null;
}

function answersAt(tokens: readonly Token[], pause: Pause): readonly GivenAnswer[] {
  const stage = tokens.find(one => one.stage.is === 'held' && one.stage.pause === pause.id)?.stage;
  return stage?.is === 'held' ? (stage.answers ?? []) : [];
}
