import type { Event } from '@hearth/protocol/event.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';

/** For tests: what the transcript tells of an event. */
export function wordsOf(event: Event): TranscriptLine[] {
  const base = { at: event.at, seq: event.seq, turn: event.turn ?? null };
  switch (event.type) {
    case 'message': {
      const { message, by, text } = event;
      return [{ ...base, is: by.kind === 'bot' ? 'replied' : 'said', message, by, text }];
    }
    case 'pause.opened': {
      const { id: pause, kind, text } = event.pause;
      return kind === 'chat' ? [] : [{ ...base, is: 'asked', pause, kind, text }];
    }
    case 'pause.closed':
      if (event.option === undefined) return [];
      return [
        { ...base, is: 'decided', pause: event.pause, by: event.by, how: event.how, option: event.option },
      ];
    case 'conversation':
      return event.change === 'reset' ? [{ ...base, is: 'mark', mark: 'reset', text: 'began anew' }] : [];
    default:
      return [];
  }
}
