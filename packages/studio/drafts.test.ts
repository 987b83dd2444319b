import type { ConversationId } from '@hearth/protocol/ids.ts';
import { expect, test } from 'vitest';
import type { Shelf } from './drafts.ts';
import { Drafts } from './drafts.ts';

const [ONE, OTHER]: ConversationId[] = [`c_${'0'.repeat(26)}`, `c_${'1'.repeat(26)}`];
const ID = 'command-0123456789';

function shelf(): Shelf & { readonly rows: Map<string, string> } {
  const rows = new Map<string, string>();
  return {
    rows,
    getItem: key => rows.get(key) ?? null,
    setItem: (key, value) => void rows.set(key, value),
    removeItem: key => void rows.delete(key),
  };
}

test('what is typed is there in the next life of the tab, for its own conversation', () => {
  const kept = shelf();
  new Drafts(kept).type(ONE!, 'half a thought');
  const next = new Drafts(kept);
  expect([next.typed(ONE!), next.typed(OTHER!)]).toEqual(['half a thought', '']);
});

test('a message is kept with its id until it is judged, and then nothing is', () => {
  const kept = shelf();
  const drafts = new Drafts(kept);
  drafts.send(ONE!, ID, 'hello');
  expect(new Drafts(kept).sent(ONE!)).toEqual([{ commandId: ID, text: 'hello', files: [], back: false }]);
  drafts.giveBack(ONE!, ID);
  expect(new Drafts(kept).sent(ONE!)).toEqual([{ commandId: ID, text: 'hello', files: [], back: true }]);
  drafts.send(ONE!, ID, 'hello');
  expect(drafts.sent(ONE!)).toEqual([{ commandId: ID, text: 'hello', files: [], back: false }]);
  drafts.settle(ONE!, ID);
  expect(kept.rows.size).toBe(0);
});

test.each([['not JSON'], ['{"typed": 1}'], ['null']])('a shelf that holds %s is an empty one', held => {
  const drafts = new Drafts({ ...shelf(), getItem: () => held });
  expect([drafts.typed(ONE!), drafts.sent(ONE!)]).toEqual(['', []]);
});

test('a shelf that is full or forbidden costs nothing but the next life', () => {
  const full = (): never => {
    throw new Error('QuotaExceededError');
  };
  const drafts = new Drafts({ getItem: full, setItem: full, removeItem: full });
  drafts.type(ONE!, 'still here');
  expect(drafts.typed(ONE!)).toBe('still here');
});
