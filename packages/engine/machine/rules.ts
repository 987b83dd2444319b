import type { EntryOf } from '../entry.ts';
import { type PermissionRule, RULES_KEPT } from '../permission-rule.ts';
import type { Draft } from './draft.ts';

/* What a person allowed or denied for good in this conversation. It lasts over resets, until it is taken back. */

/** Keeps a rule; one that was kept before under the same words is replaced. The oldest go when there are too many. */
export function keepRule(draft: Draft, rule: PermissionRule): void {
  const others = draft.state.rules.filter(one => one.rule !== rule.rule);
  draft.state.rules = [...others, rule].slice(-RULES_KEPT);
  draft.emit({ type: 'rule', change: 'kept', rule: rule.rule, grant: rule.grant, by: rule.by });
}

/** Takes a rule back; nothing happens when it is not kept any more. Calls that were allowed by it before stay made. */
export function revoked(draft: Draft, { rule, by }: EntryOf<'revoked'>): void {
  const kept = draft.state.rules.find(one => one.rule === rule);
  if (kept === undefined) return;
  draft.state.rules = draft.state.rules.filter(one => one !== kept);
  draft.emit({ type: 'rule', change: 'revoked', rule, grant: kept.grant, by });
}
