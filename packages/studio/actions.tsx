import type { Acted } from '@hearth/client/card-actions.ts';
import { actionsNow, actOf, classOf } from '@hearth/client/card-actions.ts';
import type { Action } from '@hearth/protocol/pause.ts';
import type { ReactNode } from 'react';
import { useId, useRef, useState } from 'react';
import type { Desk } from './desk.ts';
import { pressed } from './pressed.ts';
import { oneLine } from './text.ts';

interface Props {
  readonly pause: Acted;
  readonly desk: Desk;
  readonly busy: boolean;
  readonly words: string;
  /** An action was taken from here. */
  readonly onTaken: (action: Action) => void;
}

/**
 * The actions of a card or an input, confirming first and stopping last, with one field for words. The buttons are new with
 * each version, so that no press which began on an old one ends on a new one; the field and its words stay.
 */
export function Actions({ pause, desk, busy, words, onTaken }: Props): ReactNode {
  const [missing, setMissing] = useState<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const field = useId();
  const shown = actionsNow(pause).filter(action => action.button);
  const worded = shown.some(action => action.needs === 'feedback');
  const take = async (action: Action): Promise<void> => {
    if (busy || !action.enabled) return;
    if (action.needs === 'feedback' && words.trim() === '') {
      setMissing(`Say first what to change, then choose “${oneLine(action.label)}”.`);
      return box.current?.focus();
    }
    setMissing(null);
    // A stop needs no words, and they would not be read.
    const act = actOf(action, classOf(action) === 'stops' ? '' : words);
    if (await desk.decide(pause, act)) onTaken(action);
  };
  const version = pause.kind === 'card' ? pause.shown.version : 0;
  return (
    <>
      {worded ? (
        <div className="answer">
          <label htmlFor={field}>Your words, for whoever drafts it</label>
          <textarea
            id={field}
            ref={box}
            rows={2}
            value={words}
            aria-describedby={`${field}-fault`}
            onChange={event => {
              setMissing(null);
              desk.note(pause.id, event.target.value);
            }}
          />
          <p id={`${field}-fault`} className="fault" role="alert">
            {missing}
          </p>
        </div>
      ) : null}
      <ul className="chips" aria-label="Actions" key={version}>
        {shown.map(action => (
          <li key={action.name} className={classOf(action)}>
            <button
              type="button"
              className={classOf(action) === 'confirms' ? 'chip strong' : 'chip'}
              aria-disabled={busy || !action.enabled}
              aria-describedby={action.enabled ? undefined : `${field}-${action.name}`}
              onClick={pressed(() => void take(action))}
            >
              {oneLine(action.label)}
              {action.enabled || action.why === undefined ? null : (
                <span className="detail" id={`${field}-${action.name}`}>
                  {oneLine(action.why)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
