import { gauges, nameOf } from '../budget.ts';
import type { EntryOf } from '../entry.ts';
import type { Raised } from '../state.ts';
import type { Draft } from './draft.ts';

/** A person raised a limit. */
export function raised(draft: Draft, entry: EntryOf<'raised'>): void {
  raise(draft, { ledger: entry.ledger, axis: entry.axis, to: entry.to });
}

/** Raises a limit and lets its warning sound again. */
export function raise(draft: Draft, to: Raised): void {
  const { ledgers } = draft.state;
  ledgers.raised = ledgers.raised.filter(old => old.ledger !== to.ledger || old.axis !== to.axis);
  ledgers.raised.push(to);
  ledgers.warned = ledgers.warned.filter(name => name !== nameOf(to));
  const gauge = gauges(draft.plan, ledgers).find(candidate => nameOf(candidate) === nameOf(to));
  if (gauge === undefined) return;
  const { used, limit, unpriced } = gauge;
  draft.emit({ type: 'budget', ledger: to.ledger, axis: to.axis, change: 'raised', used, limit, unpriced });
}
