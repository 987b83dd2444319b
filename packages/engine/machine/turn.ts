import type { TurnId } from '@hearth/protocol/ids.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { QueuedMessage } from '../state.ts';
import type { Draft } from './draft.ts';

/** Starts the turn of a message; its workspace is the one the message came from, else the last one used. */
export function startTurn(draft: Draft, message: QueuedMessage): void {
  const { machine } = draft;
  const workspace = message.workspace ?? machine.workspace;
  machine.turn = {
    id: message.turn,
    message: message.id,
    status: 'running',
    startedAt: draft.at,
    workspace,
    moved: machine.workspace !== null && workspace !== machine.workspace,
    ...(message.files === undefined ? {} : { files: message.files }),
    spend: { ...NO_SPEND },
  };
  machine.workspace = workspace;
  draft.emit({ type: 'turn', turn: message.turn, change: 'started', message: message.id });
}

/** Whether a token of the run works, or is about to. */
export function works(draft: Draft): boolean {
  return draft.run?.tokens.some(({ stage }) => stage.is === 'ready' || stage.is === 'running') ?? false;
}

/** Marks the running turn as waiting for a person, unless other branches of it go on. */
export function turnWaits(draft: Draft): void {
  const { turn } = draft.machine;
  if (turn === null || turn.status === 'waiting' || works(draft)) return;
  turn.status = 'waiting';
  draft.emit({ type: 'turn', turn: turn.id, change: 'waiting', message: turn.message });
}

/** Marks the waiting turn as running again. */
export function turnResumes(draft: Draft): void {
  const { turn } = draft.machine;
  if (turn === null || turn.status === 'running') return;
  turn.status = 'running';
  draft.emit({ type: 'turn', turn: turn.id, change: 'resumed', message: turn.message });
}

/** Ends the turn under way; nothing happens when there is none. */
export function endTurn(draft: Draft, change: 'completed' | 'failed' | 'cancelled', code?: string): void {
  const { turn } = draft.machine;
  if (turn === null) return;
  draft.emit({
    type: 'turn',
    turn: turn.id,
    change,
    message: turn.message,
    spend: turn.spend,
    ...(code === undefined ? {} : { code }),
  });
  draft.machine.turn = null;
}

/** A message that joins the turn `into`: its own turn is absorbed. */
export function absorb(draft: Draft, message: QueuedMessage, into: TurnId): void {
  draft.emit({ type: 'message.moved', message: message.id, to: 'absorbed', into });
  draft.emit({ type: 'turn', turn: message.turn, change: 'absorbed', message: message.id, into });
}

/** Takes a queued message back. */
export function cancelQueued(draft: Draft, message: QueuedMessage): void {
  draft.state.inbox = draft.state.inbox.filter(queued => queued.id !== message.id);
  draft.emit({ type: 'message.moved', message: message.id, to: 'cancelled' });
  draft.emit({ type: 'turn', turn: message.turn, change: 'cancelled', message: message.id });
}
