import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Draft } from './draft.ts';

/** Zeroes the burst ledger: the run leaves its last blocking pause. */
export function freshBurst(draft: Draft): void {
  const { ledgers } = draft.state;
  ledgers.burst = { ...NO_SPEND };
  ledgers.warned = ledgers.warned.filter(name => !name.startsWith('burst.'));
  ledgers.raised = ledgers.raised.filter(entry => entry.ledger !== 'burst');
}
