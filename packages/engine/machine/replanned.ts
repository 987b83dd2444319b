import type { EntryOf } from '../entry.ts';
import type { Plan } from '../runnable.ts';
import type { State } from '../state.ts';
import { refreshCards } from './card.ts';
import type { Draft } from './draft.ts';
import { supersede } from './outgrown.ts';

/** The bot changed: the run goes on under the new plan, its nodes matched by name. */
export function replanned(draft: Draft, entry: EntryOf<'replanned'>): void {
  const { run } = draft;
  if (run === null) return;
  run.plan = entry.plan;
  delete run.offered;
  delete run.kept;
  supersede(draft);
  refreshCards(draft);
  draft.emit({ type: 'run', run: run.id, change: 'replanned', plan: entry.plan });
}

/** Whether a run can go on under another plan: every place where it stands is still there, and of the same kind. */
export function replanFits(from: Plan, to: Plan, state: State): boolean {
  const { run } = state.machine;
  if (run === null || run.status === 'ended') return true;
  const meetings = run.tokens.flatMap(({ stage }) =>
    stage.is === 'forked' && stage.fork.meets !== null ? [stage.fork.meets] : [],
  );
  const home = run.home === null ? [] : [run.home.node];
  const cards = state.machine.pauses.flatMap(pause => (pause.kind === 'card' ? [pause.node] : []));
  const places = [...run.tokens.map(token => token.node), ...meetings, ...home, ...cards];
  return places.every(name => {
    const [before, after] = [from.nodes[name], to.nodes[name]];
    return before !== undefined && after !== undefined && before.kind === after.kind;
  });
}
