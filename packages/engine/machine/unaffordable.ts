import type { Pause } from '@hearth/protocol/pause.ts';
import { blocking, BUDGET_EXCEEDED, type Gauge, nameOf, spends } from '../budget.ts';
import type { Declined } from '../edges.ts';
import type { Again, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { hold } from './recovery.ts';

/*
 * What the budget does not allow waits for a person. Whether that is a pause that offers to allow more, or a failure that
 * can be tried again once somebody has, is what the plan says (docs/adr/0005).
 */

/** Holds every token whose node would spend, once a limit is nearly used up. */
export function holdUnaffordable(draft: Draft): void {
  const { run, plan } = draft;
  if (run === null) return;
  const gauge = blocking(plan, draft.state.ledgers, run.grace === true);
  if (gauge === null) return;
  for (const token of run.tokens) {
    if (token.stage.is !== 'ready' || !spends(plan.nodes[token.node])) continue;
    const { attempt, resume, joined, asking } = token.stage;
    // One question is enough: the other branches wait with the first.
    if (token.branch !== null && draft.machine.pauses.some(isOverBudget)) return;
    tell(draft, token, gauge, 'blocked');
    const used = `The ${gauge.ledger} budget for ${gauge.axis} is nearly used up (${gauge.used} of ${gauge.limit})`;
    const detail = `${used}, so ${plan.title} was not started.`;
    holdOver(draft, token, gauge, detail, {
      attempt,
      resume,
      joined,
      unseen: [],
      ...(asking === undefined ? {} : { asking }),
    });
  }
}

function isOverBudget(pause: Pause): boolean {
  return pause.kind === 'recovery' && (pause.cause === 'budget' || pause.code === BUDGET_EXCEEDED);
}

/** Holds a token whose only way on is a loop that another round cannot be afforded of. */
export function holdLoop(draft: Draft, token: Token, { loop, gauge }: Declined): void {
  tell(draft, token, gauge, 'blocked');
  const detail = `Another round of the loop "${loop}" is not begun: the last one used more than the ${gauge.ledger} budget for ${gauge.axis} has left (${gauge.used} of ${gauge.limit} are used).`;
  holdOver(draft, token, gauge, detail, null);
}

/** Tells that a loop was left, because of what its last round cost; what leads on may use a little more than the limit. */
export function leaveLoop(draft: Draft, { loop, gauge }: Declined): void {
  const { run } = draft;
  if (run === null) return;
  run.grace = true;
  const text = `The loop "${loop}" was left: its last round used more than the ${gauge.ledger} budget for ${gauge.axis} has left (${gauge.used} of ${gauge.limit} are used).`;
  draft.notice('loop_declined', 'warning', text);
}

/** Tells of a limit. */
export function tell(draft: Draft, token: Token, gauge: Gauge, change: 'blocked' | 'stopped'): void {
  const { ledger, axis, used, limit, unpriced } = gauge;
  draft.emit({ type: 'budget', ledger, axis, change, used, limit, unpriced }, token);
}

/** Holds a token at a limit, as the plan wants it. */
export function holdOver(
  draft: Draft,
  token: Token,
  gauge: Gauge,
  detail: string,
  again: Again | null,
  effect?: `e${number}`,
): void {
  const trouble =
    draft.plan.budget.onExceeded === 'fail'
      ? ({ cause: 'failed', code: BUDGET_EXCEEDED, detail } as const)
      : ({ cause: 'budget', code: nameOf(gauge), detail } as const);
  hold(draft, token, effect === undefined ? trouble : { ...trouble, effect }, again);
}
