import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import { add, nameOf, toWarn, UNPRICED, WARN_TOKENS } from '../budget.ts';
import type { Draft } from './draft.ts';

/** Zeroes the burst ledger: the run leaves its last blocking pause. What a burst was granted ends with it. */
export function freshBurst(draft: Draft): void {
  const { ledgers } = draft.state;
  ledgers.burst = { ...NO_SPEND };
  ledgers.warned = ledgers.warned.filter(name => !name.startsWith('burst.'));
  ledgers.raised = ledgers.raised.filter(entry => entry.ledger !== 'burst');
  const { run } = draft;
  if (run === null) return;
  delete run.grace;
  for (const name of Object.keys(draft.plan.loops)) {
    const began = run.rounds?.[name]?.began ?? run.before;
    if (began !== undefined) (run.rounds ??= {})[name] = { began, refilled: true };
  }
}

/** A round of the loop begins: what the epoch has used by now is what its cost is counted from. */
export function roundBegins(draft: Draft, loop: string): void {
  const { run } = draft;
  if (run !== null) (run.rounds ??= {})[loop] = { began: draft.state.ledgers.lifetime, refilled: false };
}

/** Charges what an effect used, however it ended, and tells once of each mark that was passed. */
export function charge(draft: Draft, spend: Spend): void {
  const { plan, machine } = draft;
  const { ledgers } = draft.state;
  ledgers.burst = add(ledgers.burst, spend);
  ledgers.lifetime = add(ledgers.lifetime, spend);
  if (machine.turn !== null) machine.turn.spend = add(machine.turn.spend, spend);
  for (const gauge of toWarn(plan, ledgers)) {
    ledgers.warned.push(nameOf(gauge));
    const { ledger, axis, used, limit, unpriced } = gauge;
    draft.emit({ type: 'budget', ledger, axis, change: 'warned', used, limit, unpriced });
  }
  warnOfTokens(draft);
  warnOfUnpriced(draft);
}

/** `warn_tokens` holds nothing; it is told once in a burst. */
function warnOfTokens(draft: Draft): void {
  const limit = draft.plan.budget.warnTokens;
  const { burst, warned } = draft.state.ledgers;
  const used = burst.tokens ?? 0;
  if (limit === undefined || used < limit || warned.includes(WARN_TOKENS)) return;
  warned.push(WARN_TOKENS);
  draft.emit({
    type: 'budget',
    ledger: 'burst',
    axis: 'tokens',
    change: 'warned',
    used,
    limit,
    unpriced: burst.unpriced,
  });
}

/** A cost that nobody knows is no cost of zero: a person who set a limit on cost is told that it does not see all. */
function warnOfUnpriced(draft: Draft): void {
  const { plan } = draft;
  const { lifetime, warned } = draft.state.ledgers;
  const bounded = plan.budget.burst.cost !== undefined || plan.budget.lifetime.cost !== undefined;
  if (!bounded || lifetime.unpriced === 0 || warned.includes(UNPRICED)) return;
  warned.push(UNPRICED);
  const text =
    'What some of the work cost is not known: a model has no price, or work was cut short. The limits on cost do not see it; those on time do.';
  draft.notice('unpriced', 'warning', text);
}
