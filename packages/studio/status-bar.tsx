import { stateWords, ticketsShown } from '@hearth/client/tickets.ts';
import type { Model } from '@hearth/client/view.ts';
import type { ReactNode } from 'react';
import type { Desk } from './desk.ts';
import { Rules } from './rules.tsx';
import { RunFigures } from './run-figures.tsx';
import type { Sheet } from './sheet.ts';
import { oneLine } from './text.ts';
import { useNow } from './use-now.ts';
import { answering, doing, placeOf } from './words.ts';

interface Props {
  readonly model: Model;
  readonly backend: Sheet['backend'];
  readonly desk: Desk;
}

/** How many watched tickets are shown. */
const TICKETS = 6;

/** What goes on, who answers, where the work happens; the tickets that are watched; and the queue, each message of which can be taken back. */
export function StatusBar({ model, backend, desk }: Props): ReactNode {
  const { turn, queue, watched, rules } = model.now;
  const tickets = ticketsShown(watched, TICKETS);
  const now = useNow(desk.client.timers, turn?.status === 'running');
  const place = placeOf(model, desk.workspace);
  const parts = [answering(model, backend), place === '' ? '' : `in ${place}`].filter(part => part !== '');
  return (
    <footer className="status">
      {queue.length === 0 ? null : (
        <ul className="queue" aria-label="Queued messages">
          {queue.map(row => (
            <li key={row.message}>
              <span className="head">
                {row.delivery === 'steer' ? 'To the running turn' : 'Queued'}: {oneLine(row.head)}
              </span>
              <button
                type="button"
                className="chip small"
                aria-label={`Take back: ${oneLine(row.head)}`}
                onClick={() => void desk.unsend(row.message)}
              >
                Take back
              </button>
            </li>
          ))}
        </ul>
      )}
      <Rules rules={rules} desk={desk} />
      {tickets.shown.length === 0 ? null : (
        <ul className="tickets" aria-label="Watched tickets">
          {tickets.shown.map(one => (
            <li key={`${one.workspace ?? ''} ${one.ticket}`}>
              <span className="ticket-id">{one.ticket}</span>{' '}
              <span className={`ticket-state ${one.state}`}>{stateWords(one.state)}</span>{' '}
              <span className="head">{oneLine(one.title)}</span>
            </li>
          ))}
          {tickets.more === 0 ? null : <li className="note">{tickets.more} more</li>}
        </ul>
      )}
      <p>
        <strong>{doing(model, now)}</strong>
        {turn?.status === 'running' ? (
          <button type="button" className="chip small" onClick={() => void desk.operating.interrupt()}>
            Interrupt
          </button>
        ) : null}
        {parts.map(part => (
          <span key={part} className="note">
            {part}
          </span>
        ))}
      </p>
      <RunFigures model={model} desk={desk} />
    </footer>
  );
}
