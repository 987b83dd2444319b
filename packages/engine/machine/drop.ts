import type { QueuedMessage, RunState, Token } from '../state.ts';
import { type Draft, SERVICE } from './draft.ts';
import { closeQuestions } from './questions.ts';

/**
 * Takes a token out of its run: what it asked is cancelled, and messages that it took and never showed to have seen go
 * back to the queue. An effect of it that still runs has no token any more, by which whoever runs it knows to stop it.
 */
export function drop(draft: Draft, run: RunState, token: Token): void {
  for (const pause of pausesOf(token)) draft.closePause(pause, 'cancelled', SERVICE);
  // One that met was not given up: what it asked may still be answered.
  if (token.branch !== null && token.stage.is !== 'met') closeQuestions(draft, token.branch);
  requeue(draft, unseenOf(token));
  run.tokens = run.tokens.filter(other => other !== token);
}

/** The pauses that a token waits at. */
export function pausesOf({ stage }: Token) {
  if (stage.is === 'held') return [stage.pause];
  return stage.is === 'parked' ? stage.asks.map(ask => ask.pause) : [];
}

/** The messages that a token took and nobody saw. */
export function unseenOf({ stage }: Token): readonly QueuedMessage[] {
  if (stage.is === 'running') return stage.taken.filter(message => !stage.seen.includes(message.id));
  return stage.is === 'held' || stage.is === 'aside' ? (stage.again?.unseen ?? []) : [];
}

/** Puts messages that nobody saw back at the head of the queue. */
export function requeue(draft: Draft, messages: readonly QueuedMessage[]): void {
  for (const message of messages) draft.emit({ type: 'message.moved', message: message.id, to: 'queued' });
  draft.state.inbox.unshift(...messages);
}
