import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId } from '@hearth/protocol/ids.ts';

const LINES = 2000;

/**
 * Puts so many bytes of older words under a conversation that nobody serves and that rests. Its log begins after them, as
 * it would after so many turns.
 */
export async function grow(home: string, c: ConversationId, bytes: number): Promise<void> {
  const at = join(home, 'conversations', c, 'epochs', '1');
  const out = createWriteStream(join(at, 'transcript.jsonl'), { mode: 0o600 });
  let seq = 0;
  for (let written = 0; written < bytes; ) {
    const lines = Array.from({ length: LINES }, () => {
      seq += 1;
      const [is, kind] = seq % 2 === 1 ? ['said', 'person'] : ['replied', 'bot'];
      const by = { kind, name: 'ada', surface: 'console' };
      const text = `${seq} ${'.'.repeat(300)}`;
      const rest = { turn: `t${seq}`, message: `m${seq}`, by, text, seq, at: '2026-01-01T00:00:00.000Z' };
      return JSON.stringify({ is, ...rest });
    });
    const chunk = `${lines.join('\n')}\n`;
    written += chunk.length;
    if (!out.write(chunk)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  const header = { log: 1, epoch: 1, after: { seq, check: 'abcdef' } };
  writeFileSync(join(at, 'events.jsonl'), `${JSON.stringify(header)}\n`);
  const path = join(at, 'snapshot.json');
  const { transcript: _, ...snapshot } = JSON.parse(readFileSync(path, 'utf8'));
  const cursor = `1.${seq}.abcdef`;
  const view = { ...snapshot.view, head: cursor, retained: cursor };
  writeFileSync(path, `${JSON.stringify({ ...snapshot, seq, view })}\n`);
}
