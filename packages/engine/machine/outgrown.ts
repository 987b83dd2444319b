import type { Actor } from '@hearth/protocol/actor.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Option, Pause } from '@hearth/protocol/pause.ts';
import type { EntryOf } from '../entry.ts';
import { type Draft, SERVICE } from './draft.ts';
import { endRun } from './flow.ts';

/*
 * The bot changed so much that the run has no place in it any more. A person chooses: the run goes on as it was, or the
 * next one begins under the changed bot. What the run had open stays open meanwhile, so that keeping changes nothing.
 */

/** The code of a run that was left for a changed bot. */
export const PLAN_CHANGED = 'PLAN_CHANGED';

const CHOICES: readonly Option[] = [
  { id: 'restart', label: 'Begin anew', detail: 'End this run; the next begins with the changed bot.' },
  { id: 'keep', label: 'Keep the old one', detail: 'This run goes on with the bot as it was.' },
];

/** The run is asked about once for each plan that it does not fit. */
export function outgrown(draft: Draft, { plan }: EntryOf<'outgrown'>): void {
  const { run } = draft;
  if (run === null || run.kept === plan) return;
  run.offered = plan;
  if (draft.machine.pauses.some(isOutgrown)) return;
  const detail = `"${draft.plan.title}" was changed, and where this run stands is not in it any more.`;
  draft.openPause({
    id: draft.next('p'),
    run: run.id,
    turn: draft.machine.turn?.id ?? null,
    node: SERVICE.name,
    branch: null,
    openedAt: draft.at,
    kind: 'recovery',
    text: draft.text(detail),
    cause: 'plan_changed',
    code: PLAN_CHANGED,
    detail,
    choices: [...CHOICES],
    unseen: [],
  });
}

/** What was asked about a changed bot is asked no more: the run has ended, or has a place in it now. */
export function supersede(draft: Draft): void {
  for (const pause of draft.machine.pauses.filter(isOutgrown))
    draft.closePause(pause.id, 'superseded', SERVICE);
}

/** Whether the pause asks whether a run is left for a changed bot. */
export function isOutgrown(pause: Pause): boolean {
  return pause.kind === 'recovery' && pause.cause === 'plan_changed';
}

/** What the person chose. What waits in the queue begins the next run, which whoever knows its plan starts. */
export function planChosen(draft: Draft, act: Act, by: Actor): void {
  const { run } = draft;
  if (run === null || act.do !== 'answer') return;
  if (act.option !== 'restart') {
    if (run.offered !== undefined) run.kept = run.offered;
    delete run.offered;
    return;
  }
  for (const pause of draft.machine.pauses.filter(open => open.run === run.id))
    draft.closePause(pause.id, 'superseded', by);
  endRun(draft, 'closed', PLAN_CHANGED);
  draft.waitsForPlan = true;
}
