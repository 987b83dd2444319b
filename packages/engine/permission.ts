import { fits, type RuledCall } from '@hearth/decisions/permission-rule.ts';
import type { Permission } from '@hearth/language/plan/settings.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import type { Answer, PermissionPolicy } from './backend.ts';
import type { ModelNode } from './runnable.ts';
import type { PermissionRule } from './permission-rule.ts';
import type { Resume } from './state.ts';

/*
 * What becomes of a tool call that an agent wants to make. In this order, the first that fits: a `deny` of the bot's, a
 * deny of the person's, what the person said of exactly this call, what the person allowed for good, the bot's `ask`, the
 * bot's `allow`, the mode. Pure.
 */

/** Every call is let through, save where a person said otherwise. */
export const NO_GATE: PermissionPolicy = { mode: 'off', allow: [], ask: [], deny: [] };

const MODES: readonly PermissionPolicy['mode'][] = ['off', 'ask', 'deny'];

/** The gate of a node; what nobody wrote down comes from the environment (`HEARTH_PERMISSION`). */
export function gateOf(node: ModelNode, standard: string): PermissionPolicy {
  const own: Permission | undefined = node.permission;
  if (own !== undefined) return own;
  const mode = MODES.find(word => word === standard.trim()) ?? 'off';
  return mode === 'off' ? NO_GATE : { ...NO_GATE, mode };
}

/** A call that wants to be made. */
export interface Wanted extends RuledCall {
  /** The backend's name for the call; a step may hold two that are alike. */
  readonly id: string;
  readonly digest: Digest;
  /** The engine's own tool, or one that a capability of the node grants: the mode says nothing of it, only a rule does. */
  readonly infra: boolean;
}

/** What becomes of one call. */
export type Verdict =
  | { readonly is: 'allow' }
  /** A grant for this one call lets it through, and is used up by it. */
  | { readonly is: 'granted' }
  | { readonly is: 'ask' }
  /** `why` is the end of a sentence. */
  | { readonly is: 'deny'; readonly why: string };

/** Judges one call. `answers` are what the person said to calls of this turn, as far as it is not used up. */
export function permitted(
  policy: PermissionPolicy,
  rules: readonly PermissionRule[],
  answers: Resume['answers'],
  call: Wanted,
): Verdict {
  if (policy.mode === 'off') return { is: 'allow' };
  const guard = policy.deny.find(rule => fits(rule, call, 'guards'));
  if (guard !== undefined) return { is: 'deny', why: `the bot's rule "${guard}" denies it` };
  const own = rules.find(({ grant, rule }) => grant === 'deny' && fits(rule, call, 'guards'));
  if (own !== undefined) return { is: 'deny', why: `a person denied "${own.rule}" in this conversation` };
  const said = answers[saidOf(answers, call)];
  if (said !== undefined && said.result !== 'cancelled') {
    if (said.result.option === 'deny') return { is: 'deny', why: 'the person denied exactly this call' };
    if (isLeave(said.result)) return { is: 'granted' };
  }
  if (rules.some(({ grant, rule }) => grant === 'always' && fits(rule, call, 'allows')))
    return { is: 'allow' };
  if (policy.ask.some(rule => fits(rule, call, 'guards'))) return { is: 'ask' };
  if (call.infra || policy.allow.some(rule => fits(rule, call, 'allows'))) return { is: 'allow' };
  return policy.mode === 'ask' ? { is: 'ask' } : { is: 'deny', why: 'no rule of the bot allows it' };
}

/** A grant is used up by the call that it let through. */
export function withoutGrant(
  answers: Resume['answers'],
  call: Pick<Wanted, 'id' | 'tool' | 'digest'>,
): Resume['answers'] {
  const used = saidOf(answers, call);
  const result = answers[used]?.result;
  if (result === undefined || result === 'cancelled' || !isLeave(result)) return answers;
  return answers.filter((_answer, at) => at !== used);
}

/** Which of the answers is about this call: the one to the very call, else to one that is the same. */
function saidOf(answers: Resume['answers'], call: Pick<Wanted, 'id' | 'tool' | 'digest'>): number {
  const same = ({ permit }: Resume['answers'][number]): boolean =>
    permit?.tool === call.tool && permit.digest === call.digest;
  const own = answers.findIndex(answer => same(answer) && answer.call === call.id);
  return own < 0 ? answers.findIndex(same) : own;
}

/** What was allowed for good was allowed this once too, whatever rule was kept for it. */
function isLeave({ option }: Answer): boolean {
  return option === 'once' || option === 'always';
}
