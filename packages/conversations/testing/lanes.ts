import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { done, HOME, type Sample, session } from './sample-home.ts';

/* The lane of a sample home's conversation, and a turn that can be held, for the tests of the lane. */

export async function laneOf({ conversations }: Sample) {
  return conversations.lane(await conversations.default());
}

export function seqs(frames: readonly Frame[]): number[] {
  return frames.flatMap(frame => (frame.frame === 'event' ? [frame.event.seq] : []));
}

export function epochPath(id: ConversationId): string {
  return `${HOME}/conversations/${id}/epochs/1`;
}

/** A turn that waits until it is told to go on. */
export function gated(reply = 'ok') {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  async function* script(): AsyncGenerator<BackendEvent> {
    yield session;
    begun.resolve();
    await gate.promise;
    yield done(reply);
  }
  return { script, open: () => gate.resolve(), begun: begun.promise };
}
