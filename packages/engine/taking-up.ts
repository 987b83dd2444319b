import type { PauseId } from '@hearth/protocol/ids.ts';
import type { Pause, RecoveryPause } from '@hearth/protocol/pause.ts';
import { publishes } from './document.ts';
import { damageUnseen } from './quiescent.ts';
import type { Plan } from './runnable.ts';
import type { State, Token } from './state.ts';

/* The one exception to "a message decides nothing": at an `interrupted` recovery it means "again" (docs/adr/0006). */

/** Whether a plain message means "again" at this pause. */
export function isInterrupted(pause: Pause): pause is RecoveryPause {
  return pause.kind === 'recovery' && pause.cause === 'interrupted';
}

/** Interrupted work that a message takes up. */
export interface TakenUp {
  readonly pauses: readonly RecoveryPause[];
  /** The words join the first; the others go on as they were. */
  readonly tokens: readonly Token[];
}

/**
 * What a message from `workspace` (`null`: where the conversation works) takes up at once, with itself joined; `null` where
 * it waits in the queue: nothing was interrupted, it comes from another workspace than the turn's (docs/adr/0007), or a
 * part of the journal was lost and nobody has seen that yet.
 */
export function takenUp(plan: Plan, state: State, workspace: string | null): TakenUp | null {
  const { pauses: open, turn } = state.machine;
  const pauses = open.filter(isInterrupted).filter(pause => takesWords(plan, state, pause.id));
  const tokens = pauses.flatMap(pause => heldAt(state, pause.id));
  const here = turn !== null && (workspace ?? turn.workspace) === turn.workspace;
  return tokens.length === 0 || !here || damageUnseen(state) ? null : { pauses, tokens };
}

/** Passing words may not become the authority of what makes or acts on artifacts, nor of what is done beside the graph. */
function takesWords(plan: Plan, state: State, pause: PauseId): boolean {
  return heldAt(state, pause).every(({ node: name, beside }) => {
    const node = plan.nodes[name];
    const guarded = node !== undefined && 'requires' in node && node.requires !== undefined;
    return beside === undefined && !guarded && publishes(plan, name) === null;
  });
}

function heldAt({ machine: { run } }: State, pause: PauseId): readonly Token[] {
  if (run?.status !== 'active') return [];
  return run.tokens.filter(({ stage }) => stage.is === 'held' && stage.pause === pause);
}
