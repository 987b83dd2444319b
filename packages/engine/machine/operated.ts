import { blocks } from '@hearth/protocol/pause.ts';
import type { EntryOf } from '../entry.ts';
import { resumeBy } from '../operate.ts';
import { spends } from '../budget.ts';
import type { RunState, Token } from '../state.ts';
import { recover } from './decided.ts';
import type { Draft } from './draft.ts';
import { endRun } from './flow.ts';
import { freshBurst } from './ledgers.ts';
import { supersede } from './outgrown.ts';
import { hold } from './recovery.ts';

/*
 * A run that a person paused, went on with, or gave up. Nothing that is at work is cut short by a pause; a cancel stops
 * it first, and the run ends when its effects have.
 */

/** The code of a run that was cancelled. */
export const CANCELLED = 'CANCELLED';

/** Nothing more is to start. */
export function paused(draft: Draft, { run: id, by }: EntryOf<'paused'>): void {
  const { run } = draft;
  if (run?.id === id) run.pausing = by;
}

/** The run is to end: what runs is interrupted. */
export function cancelled(draft: Draft, { run: id, by }: EntryOf<'cancelled'>): void {
  const { run } = draft;
  if (run?.id !== id) return;
  run.cancelled = by;
  for (const { stage } of run.tokens) if (stage.is === 'running') stage.interrupted = true;
}

/** What may be taken up without a further choice is, and a pause that was asked for is not. */
export function resumed(draft: Draft, { run: id, by }: EntryOf<'resumed'>): void {
  const { run, plan } = draft;
  if (run?.id !== id) return;
  delete run.pausing;
  const choices = draft.machine.pauses.flatMap(pause => {
    const option = resumeBy(plan, draft.state, pause);
    const token = run.tokens.find(({ stage }) => stage.is === 'held' && stage.pause === pause.id);
    return pause.kind !== 'recovery' || option === null || token === undefined
      ? []
      : [{ pause, option, token }];
  });
  for (const { pause, option } of choices) draft.closePause(pause.id, 'answered', by, { option });
  if (choices.length > 0 && !draft.machine.pauses.some(blocks)) freshBurst(draft);
  for (const { pause, option, token } of choices) recover(draft, token, pause, { do: 'answer', option });
}

/** Brings about what was asked for as soon as it can be: after every entry. */
export function operate(draft: Draft): void {
  const { run } = draft;
  if (run === null) {
    supersede(draft);
    return;
  }
  if (run.cancelled !== undefined) endCancelled(draft, run);
  else if (run.pausing !== undefined) holdPaused(draft, run);
}

function endCancelled(draft: Draft, run: RunState): void {
  const by = run.cancelled;
  if (by === undefined || run.tokens.some(({ stage }) => stage.is === 'running')) return;
  for (const pause of draft.machine.pauses.filter(open => open.run === run.id))
    draft.closePause(pause.id, 'cancelled', by);
  endRun(draft, 'closed', CANCELLED);
}

/** Only what would spend is held: what leads to it takes no time, and a reply should reach its reader. */
function holdPaused(draft: Draft, run: RunState): void {
  const by = run.pausing?.name ?? '';
  for (const token of run.tokens) {
    if (token.stage.is !== 'ready' || !spends(draft.plan.nodes[token.node])) continue;
    const { attempt, resume, joined, asking } = token.stage;
    const detail = `${by} paused the run before "${token.node}".`;
    hold(
      draft,
      token,
      { cause: 'paused', code: 'paused', detail },
      { attempt, resume, joined, unseen: [], ...(asking === undefined ? {} : { asking }) },
    );
  }
  if (!atWork(run.tokens)) delete run.pausing;
}

function atWork(tokens: readonly Token[]): boolean {
  return tokens.some(({ stage }) => stage.is === 'running' || stage.is === 'ready');
}
