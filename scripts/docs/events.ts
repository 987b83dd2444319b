import { EventBody } from '@hearth/protocol/event.ts';
import { code, codes, table } from './markdown.ts';

/** What each event tells. */
const TELLS: Readonly<Record<EventBody['type'], string>> = {
  conversation: 'The conversation itself changed: created, renamed, pinned, given another bot.',
  message: 'Somebody said something: a person, or the bot in reply.',
  'message.moved': 'What became of a message that waited.',
  narration: 'The bot says what it is doing.',
  run: 'A run started, ended, or goes on under another plan.',
  turn: 'Where a turn stands; at its end with what it used.',
  node: 'A node of the graph started, ended or failed.',
  tool: 'A tool was called and answered.',
  'pause.opened': 'Something waits for a person; the whole pause.',
  'pause.changed': 'A card shows another version; the whole pause.',
  'pause.closed': 'A pause was answered, cancelled or superseded, and by whom.',
  artifact: 'An artifact was published, confirmed or set aside.',
  budget: 'A ledger was warned, blocked, stopped or raised.',
  session: 'The backend’s session was opened, resumed, forked, reseeded or compacted.',
  rule: 'A person allowed or denied calls of a tool for good, or took that back.',
  context: 'How full the model’s context is.',
  ticket: 'A tool changed a ticket.',
  notice: 'Something a person should know.',
};

/** What every event may carry besides its own fields. */
const COMMON: readonly string[] = ['type', 'run', 'turn', 'branch'];

export function events(): string {
  return table(
    ['Type', 'Tells', 'Its own fields'],
    EventBody.options.map(variant => {
      const type = variant.shape.type.value;
      const fields = Object.keys(variant.shape).filter(name => !COMMON.includes(name) || name === type);
      return [code(type), TELLS[type], codes(fields)];
    }),
  );
}
