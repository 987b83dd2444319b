import { cardOf, DIGEST } from '@hearth/client/testing/cards.ts';
import { type Model, modelFrom } from '@hearth/client/view.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { expect, test } from 'vitest';
import { Drafts } from './drafts.ts';
import { Reviewing } from './reviewing.ts';

/** A conversation at which these are open. */
function at(...pauses: Pause[]): Model {
  return modelFrom(
    {
      id: `c_${'0'.repeat(26)}`,
      title: 'Trains',
      scope: { kind: 'global' },
      bot: 'confirm-first',
      isDefault: false,
      pinned: false,
      revision: 1,
      state: 'waiting',
      run: null,
      turn: null,
      pauses,
      queue: [],
      artifacts: [],
      budget: { burst: NO_SPEND, lifetime: NO_SPEND, limits: {} },
      session: null,
      retained: '1.0.000000',
      head: '1.1.aaaaaa',
    },
    [],
  );
}

function reviewing(): { readonly it: Reviewing; readonly rows: Map<string, string> } {
  const rows = new Map<string, string>();
  const drafts = new Drafts({
    getItem: key => rows.get(key) ?? null,
    setItem: (key, value) => void rows.set(key, value),
    removeItem: key => void rows.delete(key),
  });
  return { it: new Reviewing({ drafts, onBeside: () => {} }), rows };
}

const first = cardOf();
const second = cardOf({ shown: { artifact: 'approach', version: 3, digest: DIGEST } });

test('a line is meant for the version that was on the page when its first letter was typed', () => {
  const { it } = reviewing();
  it.compose(at(first), '', 'o');
  it.compose(at(second), 'o', 'ok');
  expect(it.read('ok')).toEqual({
    is: 'decision',
    pause: first,
    act: { do: 'act', action: 'confirm_standard' },
  });
  // Cleared and begun anew it is for what is there now.
  it.compose(at(second), 'ok', '');
  it.compose(at(second), ' ', 'ok');
  expect(it.read('ok')).toMatchObject({ pause: second });
});

test('a line that was begun before there was any card is a message, and so is one from another life of the page', () => {
  const { it } = reviewing();
  it.compose(at(), '', 'o');
  it.compose(at(first), 'o', 'ok');
  expect(it.read('ok')).toEqual({ is: 'message' });
  it.compose(at(first), '', 'ok');
  it.forget();
  expect(it.read('ok')).toEqual({ is: 'message' });
  expect(it.read('/confirm')).toMatchObject({ is: 'notice' });
});

test('words beside a card that is gone are handed on once, and those beside an open one stay', () => {
  const { it, rows } = reviewing();
  const other = cardOf({ id: 'p9' });
  it.note(at(first, other), 'p5', 'two columns');
  it.note(at(first, other), 'p9', 'shorter');
  expect(it.orphans(at(other), null)).toEqual([{ pause: 'p5', words: 'two columns' }]);
  expect(it.orphans(at(other), null)).toEqual([]);
  // The one that is being decided is not gone by somebody else's hand.
  expect(it.orphans(at(), 'p9')).toEqual([]);
  expect([...rows.values()].join()).toContain('shorter');
});
