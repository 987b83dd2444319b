import type { BackendEvent } from '@hearth/engine/backend.ts';

/** Drives a started turn to its end and gives every event of it. */
export async function collected(run: AsyncIterable<BackendEvent>): Promise<BackendEvent[]> {
  const events: BackendEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
