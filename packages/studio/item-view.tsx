import type { Asked, Item, Recalled, Said, ToolLine, Tools } from '@hearth/client/item.ts';
import { titleOf, versionWords } from '@hearth/client/card-words.ts';
import { fileWords } from '@hearth/client/file-words.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { ReactNode } from 'react';
import { memo, useState } from 'react';
import type { Desk } from './desk.ts';
import { LongText } from './long-text.tsx';
import { Words } from './markdown.tsx';
import { cleaned, oneLine } from './text.ts';
import { Body, useVersion } from './version-view.tsx';
import { besides, closing, FATE, HEADING, speaker, STEP } from './words.ts';

/* One item of the transcript. An item that is the same object is not drawn again. */

interface Scene {
  readonly desk: Desk;
  readonly conversation: ConversationId;
  readonly me: Actor;
}

const markdown = (text: string): ReactNode => <Words text={text} />;

/** Finished steps above this number are folded away. */
const FOLD = 3;

function Time({ at }: { at: string }): ReactNode {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
    </time>
  );
}

function Head({ who, at }: { who: string; at: string }): ReactNode {
  return (
    <p className="who">
      <span>{who}</span> <Time at={at} />
    </p>
  );
}

function SaidView({ item, ...scene }: Scene & { item: Said }): ReactNode {
  const who = speaker(item.by, scene.me);
  const fate = item.fate === null ? null : FATE[item.fate];
  return (
    <article className={who.startsWith('You') ? 'item said mine' : 'item said'}>
      <Head who={who} at={item.at} />
      <LongText text={item.text} {...scene} />
      {item.files === undefined ? null : <p className="note">{fileWords(item.files)}</p>}
      {fate === null ? null : <p className="note">{fate}</p>}
    </article>
  );
}

function Step({ line }: { line: ToolLine }): ReactNode {
  const why = line.change === 'failed' && line.detail !== null ? `: ${oneLine(headOf(line.detail))}` : '';
  return (
    <li className={`step ${line.change}`}>
      {oneLine(line.title ?? line.name)} <span className="note">({STEP[line.change]})</span>
      {why.slice(0, 300)}
    </li>
  );
}

function ToolsView({ item }: { item: Tools }): ReactNode {
  const good = item.calls.filter(line => line.change === 'completed');
  const folded = item.calls.every(line => line.change !== 'started') && good.length > FOLD;
  const open = folded ? item.calls.filter(line => line.change !== 'completed') : item.calls;
  return (
    <div className="item tools">
      {folded ? (
        <details>
          <summary>{good.length} steps done</summary>
          <ul>
            {good.map((line, at) => (
              <Step key={at} line={line} />
            ))}
          </ul>
        </details>
      ) : null}
      {open.length === 0 ? null : (
        <ul>
          {open.map((line, at) => (
            <Step key={at} line={line} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The id of the element that holds the words of a pause, for what refers to them. */
export function wordsIdOf(pause: string): string {
  return `words-${pause}`;
}

function AskedView({ item, ...scene }: Scene & { item: Asked }): ReactNode {
  const { pause, closed } = item;
  if (pause.kind === 'card') return <CardItem card={pause} closed={closed} {...scene} />;
  const more = besides(pause);
  return (
    <article className={closed === null ? 'item asked open' : 'item asked'}>
      <p className="who">
        <span>{HEADING[pause.kind]}</span> <span className="note">{pause.id}</span>
      </p>
      <div id={wordsIdOf(pause.id)}>
        <LongText text={pause.text} draw={markdown} {...scene} />
        {more === '' ? null : <div className="words plain">{cleaned(more)}</div>}
      </div>
      {closed === null ? null : <p className="closing">{closing(pause, closed, scene.me)}</p>}
    </article>
  );
}

/** A card in the transcript: while it is open its text stands in the panel below, later it is there for whoever wants it. */
function CardItem({
  card,
  closed,
  desk,
  me,
}: Scene & { card: CardPause; closed: Asked['closed'] }): ReactNode {
  const [open, setOpen] = useState(false);
  const title = oneLine(titleOf(card));
  return (
    <article className={closed === null ? 'item asked open' : 'item asked'}>
      <p className="who">
        <span>{HEADING.card}</span>{' '}
        <span className="note">{`${card.id}, version ${card.shown.version}`}</span>
      </p>
      <p>{title}</p>
      {closed === null ? (
        <p className="note">{oneLine(versionWords(card))}</p>
      ) : (
        <>
          <p className="closing">{closing(card, closed, me)}</p>
          <details onToggle={event => setOpen(event.currentTarget.open)}>
            <summary>The text of version {card.shown.version}</summary>
            {open ? <Version desk={desk} shown={card.shown} title={title} /> : null}
          </details>
        </>
      )}
    </article>
  );
}

function Version({
  desk,
  shown,
  title,
}: {
  desk: Desk;
  shown: CardPause['shown'];
  title: string;
}): ReactNode {
  return <Body held={useVersion(desk, shown)} label={`Text of ${title}, version ${shown.version}`} />;
}

function RecalledView({ item, ...scene }: Scene & { item: Recalled }): ReactNode {
  const { pause, kind, text, closed } = item;
  const named: Readonly<Record<string, string>> = HEADING;
  return (
    <article className="item asked">
      <p className="who">
        <span>{named[kind] ?? HEADING.question}</span> <span className="note">{pause}</span>
      </p>
      <LongText text={text} draw={markdown} {...scene} />
      {closed === null ? null : <p className="closing">{closing(null, closed, scene.me)}</p>}
    </article>
  );
}

/** One item of the transcript. It is drawn again only when it or its scene is another. */
export const ItemView = memo(function ItemView({ item, ...scene }: Scene & { item: Item }): ReactNode {
  switch (item.is) {
    case 'said':
      return <SaidView item={item} {...scene} />;
    case 'replied':
      return (
        <article className="item replied">
          <Head who={speaker(item.by, scene.me)} at={item.at} />
          <LongText text={item.text} draw={markdown} {...scene} />
        </article>
      );
    case 'narrated':
      return (
        <div className="item narrated">
          <LongText text={item.text} draw={markdown} {...scene} />
        </div>
      );
    case 'tools':
      return <ToolsView item={item} />;
    case 'asked':
      return <AskedView item={item} {...scene} />;
    case 'recalled':
      return <RecalledView item={item} {...scene} />;
    case 'told':
      return (
        <p className={`item told ${item.severity}`}>
          {item.severity === 'info' ? '' : `${item.severity}: `}
          {cleaned(item.text)}
        </p>
      );
  }
});
