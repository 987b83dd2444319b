import type { EventBody } from '@hearth/protocol/event.ts';
import type { EffectId } from '@hearth/protocol/ids.ts';
import type { BackendEvent } from './backend.ts';
import type { EntryBody, Outcome } from './entry.ts';
import { permitOf } from './permit.ts';

/* What a backend's events become. */

/** At most this much of what a native tool says is shown beside it. */
const DETAIL_CHARS = 2000;

/** One of the events that end a backend's run. */
export type Ending = Extract<BackendEvent, { type: 'done' | 'parked' | 'stopped' | 'failed' }>;

/** A native tool's start is noted in the state too, since it may have taken effect when the process dies. */
export function nativeTool(
  effect: EffectId,
  event: Extract<BackendEvent, { type: 'tool' }>,
): [EntryBody[], EventBody[]] {
  const { call, name, change, title, detail } = event;
  const more = {
    ...(title === undefined ? {} : { title }),
    ...(detail === undefined ? {} : { detail: detail.slice(0, DETAIL_CHARS) }),
  };
  if (change === 'started')
    return [[{ is: 'began', effect, name, call }], [{ type: 'tool', call, name, change, ...more }]];
  return [[{ is: 'ceased', effect, call }], [{ type: 'tool', call, name, change, ...more }]];
}

/** Whether the event is the last one of its run; what a backend sends after it is not taken in. */
export function isEnding(event: BackendEvent): event is Ending {
  return (
    event.type === 'done' || event.type === 'parked' || event.type === 'stopped' || event.type === 'failed'
  );
}

/** What the end of a backend's run means to the machine. An output that is no object fails with `protocol`. */
export function outcomeOf(event: Ending): Outcome {
  switch (event.type) {
    case 'done':
      // A backend is a program of somebody else's; its types are a promise.
      return isObject(event.output)
        ? { is: 'done', output: event.output }
        : failure('protocol', 'The backend ended its turn with an output that is no object.');
    case 'parked':
      return { is: 'parked', asks: event.asks, permits: event.permits.map(permitOf) };
    case 'stopped':
      return { is: 'stopped' };
    case 'failed': {
      const { type: _type, ...failure } = event;
      return { is: 'failed', ...failure };
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a broken backend did before is not known. */
export const failure = (code: string, message: string): Outcome => ({
  is: 'failed',
  code,
  message,
  began: true,
});

/** How a session became shorter, with the counts where the backend has them. */
export function shortened({ kept, dropped }: Extract<BackendEvent, { type: 'compacted' }>) {
  const reason = `a summary stands for ${dropped} earlier messages, the latest ${kept} stay as they are`;
  return { change: 'compacted' as const, ...(kept === 0 ? {} : { reason }) };
}

/** Something that a person should know, and that changes nothing. */
export function notice(code: string, text: string): EventBody {
  return { type: 'notice', code, severity: 'warning', text };
}
