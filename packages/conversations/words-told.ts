/**
 * The transcript's lines as the public log tells them: what is left when the transcript itself was lost. Pure. The log
 * tells everything that is said and decided, but is trimmed; a line gets its event's number, which lies within its
 * commit.
 */
import type { Event } from '@hearth/protocol/event.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import { labelOf, type Pause } from '@hearth/protocol/pause.ts';

/** The lines that `events` tell of, in their order. */
export function wordsTold(events: readonly Event[]): readonly TranscriptLine[] {
  const pauses = new Map<string, Pause>();
  return events.flatMap(event => {
    if (event.type === 'pause.opened' || event.type === 'pause.changed')
      pauses.set(event.pause.id, event.pause);
    return lineOf(event, pauses);
  });
}

function lineOf(event: Event, pauses: ReadonlyMap<string, Pause>): TranscriptLine[] {
  const { seq, at, turn = null } = event;
  const base = { seq, at, turn };
  switch (event.type) {
    case 'message': {
      const { message, by, text, workspace, attachments } = event;
      if (by.kind === 'bot') return [{ ...base, is: 'replied', message, by, text }];
      const where = workspace === undefined ? {} : { workspace };
      const files = attachments.length > 0 ? { attachments } : {};
      return [{ ...base, is: 'said', message, by, text, ...where, ...files }];
    }
    case 'pause.opened': {
      const { id, kind, text, turn: asked } = event.pause;
      return kind === 'chat' ? [] : [{ ...base, turn: asked, is: 'asked', pause: id, kind, text }];
    }
    case 'pause.closed': {
      const { pause, how, by, option = event.action, text } = event;
      // Home base is left by a message, which names nothing.
      const known = pauses.get(pause);
      const home =
        known?.kind === 'chat' || (how === 'answered' && option === undefined && text === undefined);
      if (home) return [];
      const label = known === undefined || option === undefined ? null : labelOf(known, option);
      const named = { ...(option === undefined ? {} : { option }), ...(label === null ? {} : { label }) };
      return [{ ...base, is: 'decided', pause, by, how, ...named, ...(text === undefined ? {} : { text }) }];
    }
    case 'run': {
      const { change, run, reason = 'done' } = event;
      if (change === 'replanned') return [];
      const text = change === 'started' ? 'started' : reason;
      return [{ ...base, turn: change === 'started' ? null : turn, is: 'mark', mark: 'run', run, text }];
    }
    default:
      return [];
  }
}
