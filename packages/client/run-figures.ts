import type { RunSummary } from '@hearth/protocol/run.ts';
import { Axis, LedgerName, type Spend } from '@hearth/protocol/spend.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { costText, counted, spendText, timeText } from './spend-text.ts';

/* A run in figures, as surfaces show it: where it stands, what it used and what is left of its limits. Pure. */

/** One line: what it is about, and what is to be said of it. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

const AXIS: Readonly<Record<Axis, string>> = {
  duration: 'Time',
  cost: 'Cost',
  tokens: 'Tokens',
  iterations: 'Steps',
};

const LEDGER: Readonly<Record<LedgerName, string>> = {
  burst: 'since a person last answered',
  lifetime: 'of the conversation',
};

/** The run under way in figures: the view tells where it stands and its limits, the summary what it used. */
export function runFacts(
  { run, budget }: Pick<ConversationView, 'run' | 'budget'>,
  summary: Pick<RunSummary, 'run' | 'status' | 'code' | 'spend' | 'turns' | 'dropped'>,
): readonly Fact[] {
  const { status, code, spend, turns, dropped } = summary;
  const how = code === undefined ? status : `${status} (${code})`;
  const nodes = run?.id === summary.run ? run.nodes : [];
  const kept =
    dropped === 0 ? '' : `; commits that are not kept any more, or not whole, and not counted: ${dropped}`;
  return [
    { label: 'Run', text: `${summary.run}, ${how}` },
    ...(nodes.length === 0 ? [] : [{ label: 'At', text: nodes.join(', ') }]),
    { label: 'Used', text: `${spendText(spend)}, in ${counted(turns, 'turn')}${kept}` },
    ...limitFacts(budget),
  ];
}

function limitFacts({ limits, ...ledgers }: ConversationView['budget']): Fact[] {
  return Axis.options.flatMap(axis =>
    LedgerName.options.flatMap(ledger => {
      const limit = limits[axis]?.[ledger];
      if (limit === undefined) return [];
      const label = `${AXIS[axis]} ${LEDGER[ledger]} (${ledger} ${axis})`;
      return [{ label, text: leftText(axis, usedOf(ledgers[ledger], axis), limit) }];
    }),
  );
}

function leftText(axis: Axis, used: number | null, limit: number): string {
  if (used === null) return `of ${amount(axis, limit)}, how much is used is not known`;
  return `${amount(axis, used)} of ${amount(axis, limit)} used, ${amount(axis, Math.max(0, limit - used))} left`;
}

function amount(axis: Axis, value: number): string {
  if (axis === 'duration') return timeText(value);
  return axis === 'cost' ? costText({ costUsd: value, unpriced: 0 }) : String(value);
}

/** `null` where it is not known. */
function usedOf(spend: Spend, axis: Axis): number | null {
  switch (axis) {
    case 'duration':
      return spend.activeMs;
    case 'cost':
      return spend.costUsd;
    case 'tokens':
      return spend.tokens;
    case 'iterations':
      return spend.iterations;
  }
}
