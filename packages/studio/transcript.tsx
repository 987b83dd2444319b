import { fileWords } from '@hearth/client/file-words.ts';
import type { Model } from '@hearth/client/view.ts';
import { transcript } from '@hearth/client/view.ts';
import type { ReactNode, RefObject } from 'react';
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

interface Props {
  readonly model: Model;
  readonly desk: Desk;
  /** What lies before is on its way. */
  readonly readingBack: boolean;
}

/** What stands on the screen stays there when something is put above it. */
function useStanding(box: RefObject<HTMLElement | null>): void {
  const first = useRef<{ node: HTMLElement; top: number } | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const was = first.current;
    const grown = was?.node.isConnected === true ? was.node.offsetTop - was.top : 0;
    if (grown > 0 && element.dataset['end'] !== 'true') element.scrollTop += grown;
    const node = element.querySelector<HTMLElement>(':scope > .item');
    first.current = node === null ? null : { node, top: node.offsetTop };
  });
}

/** The way to what was said before. */
function Before({ model, desk, busy }: Omit<Props, 'readingBack'> & { busy: boolean }): ReactNode {
  const { past } = model;
  if (past.before === null) {
    if (past.end === 'dropped')
      return <p className="before note">What was before this is not kept any more.</p>;
    return past.items.length === 0 ? null : <p className="before note">Here it began.</p>;
  }
  return (
    <button
      type="button"
      className="chip small before"
      aria-disabled={busy}
      onClick={() => {
        if (!busy) void desk.earlier();
      }}
    >
      {busy ? 'Reading what was before…' : 'Show what was before'}
    </button>
  );
}

/**
 * What was said, then what is being said. It follows the end while its reader is there and stays where it is while they
 * read further up. It is no live region: finished replies are announced elsewhere, once and whole.
 */
export function Transcript({ model, desk, readingBack }: Props): ReactNode {
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
  useStanding(box);
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
        <Before model={model} desk={desk} busy={readingBack} />
        {items.map(item => (
          <ItemView key={item.key} item={item} desk={desk} conversation={model.id} me={actor} />
        ))}
        {model.sending.map(row => (
          <article key={row.commandId} className="item said mine sending">
            <p className="who">You</p>
            <div className="words plain">{cleaned(row.text)}</div>
            {row.files.length === 0 ? null : <p className="note">{fileWords(row.files)}</p>}
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
