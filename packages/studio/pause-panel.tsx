import type { Row, Way } from '@hearth/client/ways.ts';
import { retryWords, rowsOf, whatAMessageDoes } from '@hearth/client/ways.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { CardPanel } from './card-panel.tsx';
import type { Desk } from './desk.ts';
import { InputPanel } from './input-panel.tsx';
import { wordsIdOf } from './item-view.tsx';
import { oneLine } from './text.ts';
import { useNow } from './use-now.ts';
import { PANEL_NOTE, pressed } from './pressed.ts';
import { HEADING } from './words.ts';

/*
 * The ways in which the shown pause can be answered, as buttons. Only pressing one decides, and what is decided is the
 * pause as it was drawn: no key, no default and no message does. The second press of a double click is for whatever
 * stood there before, so it is left out.
 */

/** What every panel of a pause needs. */
export interface PanelProps {
  /** How many other pauses wait behind it. */
  readonly others: number;
  readonly desk: Desk;
  readonly busy: boolean;
  /** What is typed beside the pause. */
  readonly words: string;
  /** The pause was answered from here; the focus needs a place. */
  readonly onAnswered: () => void;
}

interface Props extends PanelProps {
  readonly pause: Pause;
}

/** What is open, and how it can be answered. */
export function PausePanel(props: Props): ReactNode {
  const { pause, ...rest } = props;
  // Whoever types beside a card goes on typing when another version comes.
  if (pause.kind === 'card') return <CardPanel key={pause.id} card={pause} {...rest} />;
  if (pause.kind === 'input') return <InputPanel key={pause.id} input={pause} {...rest} />;
  return <Ways key={pause.id} {...props} />;
}

function Ways({ pause, others, desk, busy, onAnswered }: Props): ReactNode {
  const [typing, setTyping] = useState<number | null>(null);
  const heading = useId();
  const rows = rowsOf(pause);
  const way = typing === null ? null : (rows[typing]?.way ?? null);
  const take = async (chosen: Way, at: number): Promise<void> => {
    if (chosen.is === 'type') return setTyping(at);
    if (busy) return;
    if (await desk.decide(pause, chosen.act)) onAnswered();
  };
  const more = others === 0 ? '' : `, ${others} more after it`;
  return (
    <section
      className="panel"
      aria-labelledby={heading}
      aria-describedby={wordsIdOf(pause.id)}
      data-pause={pause.id}
    >
      <h2 id={heading}>
        {HEADING[pause.kind]} <span className="note">{`${pause.id}${more}`}</span>
      </h2>
      {way?.is === 'type' ? (
        <Answer
          way={way}
          label={rows[typing ?? 0]?.label ?? ''}
          busy={busy}
          onBack={() => setTyping(null)}
          onAct={async act => {
            if (await desk.decide(pause, act)) onAnswered();
          }}
        />
      ) : (
        <ul className="chips">
          {rows.map((row, at) => (
            <li key={at}>
              <Chip row={row} busy={busy} onTake={chosen => void take(chosen, at)} />
            </li>
          ))}
        </ul>
      )}
      <Wait pause={pause} desk={desk} />
      <p className="note" id={PANEL_NOTE}>
        {busy ? 'Sending your answer…' : `Only these buttons answer; ${whatAMessageDoes(pause)}.`}
      </p>
    </section>
  );
}

/** From when another attempt makes sense; the buttons are there all the time. */
function Wait({ pause, desk }: Pick<Props, 'pause' | 'desk'>): ReactNode {
  const { timers } = desk.client;
  const now = useNow(timers, retryWords(pause, timers.now()) !== null);
  const words = retryWords(pause, now);
  return words === null ? null : <p>{words}</p>;
}

function Chip({ row, busy, onTake }: { row: Row; busy: boolean; onTake: (way: Way) => void }): ReactNode {
  const { way } = row;
  const detail = row.detail === null ? null : <span className="detail">{oneLine(row.detail)}</span>;
  return (
    <button
      type="button"
      className="chip"
      // It stays focusable while it cannot be taken, so that the focus does not fall off the page.
      aria-disabled={busy || way === null}
      onClick={pressed(() => {
        if (way !== null && !busy) onTake(way);
      })}
    >
      {oneLine(row.label)}
      {detail}
    </button>
  );
}

interface AnswerProps {
  readonly way: Extract<Way, { is: 'type' }>;
  readonly label: string;
  readonly busy: boolean;
  readonly onBack: () => void;
  readonly onAct: (act: Exclude<ReturnType<Extract<Way, { is: 'type' }>['make']>, string>) => Promise<void>;
}

/** Words that are an answer, in a field of their own: the composer never answers. */
function Answer({ way, label, busy, onBack, onAct }: AnswerProps): ReactNode {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const field = useId();
  const send = (): void => {
    if (busy) return;
    const act = way.make(text);
    if (typeof act === 'string') setFault(act);
    else if (text.trim() === '') setFault('There is nothing to send yet.');
    else void onAct(act);
  };
  return (
    <div className="answer">
      <label htmlFor={field}>
        {oneLine(label).replace(/…$/, '')}: {oneLine(way.hint)}
      </label>
      <textarea
        id={field}
        rows={2}
        value={text}
        autoFocus
        aria-describedby={`${field}-fault`}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') onBack();
        }}
      />
      <p id={`${field}-fault`} className="fault" role="alert">
        {fault}
      </p>
      <div className="chips">
        <button type="button" className="chip strong" aria-disabled={busy} onClick={pressed(send)}>
          Send as the answer
        </button>
        <button type="button" className="chip" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}
