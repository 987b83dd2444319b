import type { Model } from '@hearth/client/view.ts';
import { transcript } from '@hearth/client/view.ts';
import type { ReactNode } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Desk } from './desk.ts';
import { ItemView } from './item-view.tsx';
import { Words } from './markdown.tsx';
import { cleaned, oneLine } from './text.ts';

/** Who writes the draft: a draft names nobody, but the bot has a name as soon as it has replied once. */
function writer(model: Model): string {
  const last = model.items.findLast(item => item.is === 'replied');
  return oneLine(last?.is === 'replied' ? last.by.name : model.now.title);
}

/** Pixels from the end within which the reader is at the end. */
const NEAR = 48;

/**
 * What was said, then what is being said. It follows the end while its reader is there and stays where it is while they
 * read further up. It is no live region: finished replies are announced elsewhere, once and whole.
 */
export function Transcript({ model, desk }: { model: Model; desk: Desk }): ReactNode {
  const box = useRef<HTMLElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const items = transcript(model);
  const { actor } = desk.client;
  const toEnd = (): void => {
    const element = box.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    if (atEnd) toEnd();
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (element.dataset['end'] === 'true') element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="reading">
      <section
        ref={box}
        className="transcript"
        aria-label="Transcript"
        // Focusable, so that arrows and Page keys scroll it.
        tabIndex={0}
        data-end={atEnd}
        onScroll={event => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR);
        }}
      >
        <h2 className="hidden">Transcript</h2>
        {items.map(item => (
          <ItemView key={item.key} item={item} desk={desk} conversation={model.id} me={actor} />
        ))}
        {model.sending.map(row => (
          <article key={row.commandId} className="item said mine sending">
            <p className="who">You</p>
            <div className="words plain">{cleaned(row.text)}</div>
            <p className="note">sending…</p>
          </article>
        ))}
        {model.draft === null ? null : (
          <article className="item replied draft">
            <p className="who">
              <span>{writer(model)}</span> <span className="note">is writing…</span>
            </p>
            <Words text={model.draft.text} writing />
          </article>
        )}
      </section>
      {atEnd ? null : (
        <button type="button" className="latest" onClick={toEnd}>
          To the latest
        </button>
      )}
    </div>
  );
}
