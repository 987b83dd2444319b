import { ConversationId } from '@hearth/protocol/ids.ts';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import { expect, it } from 'vitest';
import { passFacts } from './pass-facts.ts';

const idOf = (nth: number): ConversationId => ConversationId.parse(`c_${String(nth).padStart(26, '0')}`);
const why = 'It is old.';

it('the log counts what went, and apart from it what could not go', () => {
  const of = { title: 't', bytes: 1, why };
  const choice = { ...of, origin: 'person', updatedAt: '2026-01-01T00:00:00.000Z' } as const;
  const report: Pick<RetentionReport, 'choices' | 'trash' | 'failed' | 'kept'> = {
    choices: [
      { ...choice, conversation: idOf(1), remove: true, reason: 'age' },
      { ...choice, conversation: idOf(2), remove: true, reason: 'age' },
      { ...choice, conversation: idOf(3), remove: false, reason: 'within' },
    ],
    trash: [
      { ...of, conversation: idOf(4), name: 'four', remove: true, reason: 'age' },
      { ...of, conversation: idOf(5), name: 'five', remove: true, reason: 'age' },
      { ...of, conversation: idOf(6), name: 'six', remove: true, reason: 'age' },
      { ...of, conversation: idOf(7), name: 'seven', remove: false, reason: 'newest' },
    ],
    failed: ['"t" stays: The disk is full.', '"t" stays in the trash: The disk is full.'],
    kept: [idOf(2), 'five'],
  };
  expect(passFacts(report)).toEqual({ removed: 1, discarded: 2, failed: 2 });
});
