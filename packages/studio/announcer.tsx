import { titleOf } from '@hearth/client/card-words.ts';
import type { Item } from '@hearth/client/item.ts';
import type { Model } from '@hearth/client/view.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { spoken } from './text.ts';
import { HEADING, speaker } from './words.ts';

/** What is worth saying of an item to somebody who does not look; `null` for the rest. */
export function announcement(item: Item, me: Actor): string | null {
  switch (item.is) {
    case 'replied':
      return `${speaker(item.by, me)}: ${spoken(headOf(item.text))}`;
    case 'said':
      return item.by.name === me.name && item.by.surface === me.surface
        ? null
        : `${speaker(item.by, me)}: ${spoken(headOf(item.text))}`;
    case 'asked':
      if (item.closed === null && item.pause.kind === 'card')
        return `${HEADING.card}: ${spoken(titleOf(item.pause))}, version ${item.pause.shown.version}`;
      return item.closed === null ? `${HEADING[item.pause.kind]}: ${spoken(headOf(item.pause.text))}` : null;
    case 'told':
      return item.severity === 'info' ? null : `${item.severity}: ${spoken(item.text)}`;
    case 'narrated':
    case 'recalled':
    case 'tools':
      return null;
  }
}

/**
 * Tells a screen reader what is new: whole replies and questions, each once, and nothing of what is still being written
 * or was there when the conversation was opened.
 */
export function Announcer({ model, me }: { model: Model; me: Actor }): ReactNode {
  const told = useRef({ conversation: model.id, seq: model.seq });
  const [text, setText] = useState('');
  useEffect(() => {
    const before = told.current;
    told.current = { conversation: model.id, seq: model.seq };
    if (before.conversation !== model.id) return setText('');
    const fresh = model.items
      .filter(item => item.seq > before.seq)
      .flatMap(item => announcement(item, me) ?? []);
    if (fresh.length > 0) setText(fresh.join('\n'));
  }, [model, me]);
  return (
    <div className="hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
