import { assentWords, fromWords, keptWords, titleOf, versionWords } from '@hearth/client/card-words.ts';
import { whatAMessageDoes } from '@hearth/client/ways.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import { isDrafting } from '@hearth/protocol/pause.ts';
import type { ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { Actions } from './actions.tsx';
import type { PanelProps } from './pause-panel.tsx';
import { PANEL_NOTE, pressed } from './pressed.ts';
import { oneLine } from './text.ts';
import { Body, Earlier, Findings, useVersion } from './version-view.tsx';

/**
 * An artifact under review: its text, and beside it what was found, the field for words and the actions. What is decided
 * is the version that is drawn. Whatever changes, the focus goes to the heading and never to a button.
 */
export function CardPanel({ card, ...rest }: PanelProps & { card: CardPause }): ReactNode {
  const { others, desk, busy, words, onAnswered } = rest;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const held = useVersion(desk, card.shown);
  const title = oneLine(titleOf(card));
  const more = others === 0 ? '' : `, ${others} more after it`;
  const { version } = card.shown;
  const drawn = useRef(version);
  useEffect(() => {
    // The button that had the focus is gone with its version.
    if (drawn.current !== version && document.activeElement === document.body) heading.current?.focus();
    drawn.current = version;
  }, [version]);
  const feedback = held.is === 'here' ? held.version.feedback : null;
  const notes = [fromWords(card), feedback === null ? '' : `asked for with: “${feedback}”`, keptWords(card)];
  return (
    <section className="panel card" aria-labelledby={id} data-pause={card.id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        For review: {title} <span className="note">{`${card.id}${more}`}</span>
      </h2>
      <p className="standing" role="status">
        {oneLine(versionWords(card))}
      </p>
      {notes
        .filter(note => note !== '')
        .map(note => (
          <p key={note} className="note">
            {oneLine(note)}
          </p>
        ))}
      <div className="sides">
        <Body held={held} label={`Text of ${title}, version ${version}`} />
        <div className="side">
          <Findings findings={card.findings} />
          <Actions
            pause={card}
            desk={desk}
            busy={busy}
            words={words}
            onTaken={action => {
              if (action.confirms || action.stops === true) onAnswered();
              else heading.current?.focus();
            }}
          />
        </div>
      </div>
      <Before card={card} desk={desk} />
      <p className="note" id={PANEL_NOTE}>
        {busy ? 'Sending your decision…' : oneLine(noteOf(card))}
      </p>
    </section>
  );
}

function noteOf(card: CardPause): string {
  const typed = whatAMessageDoes(card);
  const words = isDrafting(card) ? '' : ' Words beside a confirmation make it a revision.';
  return `${assentWords(card)} ${typed.charAt(0).toUpperCase()}${typed.slice(1)}.${words}`.trim();
}

/** Earlier versions, for whoever wants to compare; the whole text of the one under review stays above. */
function Before({ card, desk }: { card: CardPause; desk: PanelProps['desk'] }): ReactNode {
  const [chosen, setChosen] = useState<number | null>(null);
  if (card.earlier.length === 0) return null;
  return (
    <details className="earlier">
      <summary>Earlier versions and what changed</summary>
      <ul className="chips" aria-label="Earlier versions">
        {card.earlier.toReversed().map(version => (
          <li key={version}>
            <button
              type="button"
              className="chip small"
              aria-pressed={chosen === version}
              onClick={pressed(() => setChosen(chosen === version ? null : version))}
            >
              Version {version}
            </button>
          </li>
        ))}
      </ul>
      {chosen === null ? null : <Earlier desk={desk} shown={card.shown} version={chosen} />}
    </details>
  );
}
