import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Desk } from './desk.ts';
import { fragmentOf } from './place.ts';
import { oneLine } from './text.ts';

interface Props {
  readonly rows: readonly ConversationRow[];
  readonly open: ConversationId | null;
  readonly desk: Desk;
}

const STATE: Readonly<Record<ConversationRow['state'], string | null>> = {
  idle: null,
  working: 'works',
  waiting: 'waits for you',
};

/** The conversations as links, the latest first. Where there is little room the list opens by a button. */
export function ConversationList({ rows, open, desk }: Props): ReactNode {
  const [shown, setShown] = useState(false);
  const waiting = rows.filter(row => row.state === 'waiting').length;
  return (
    <nav className={shown ? 'list shown' : 'list'} aria-label="Conversations">
      <button
        type="button"
        className="toggle chip"
        aria-expanded={shown}
        aria-controls="conversations"
        onClick={() => setShown(!shown)}
      >
        Conversations
        {waiting === 0 ? null : <span className="badge">{waiting} waiting</span>}
      </button>
      <div id="conversations" className="drawer">
        <ul>
          {rows.map(row => (
            <li key={row.id}>
              <a
                href={fragmentOf(row.id)}
                aria-current={row.id === open ? 'page' : undefined}
                onClick={() => setShown(false)}
              >
                <span className="name">{oneLine(row.title)}</span>
                <span className="note">
                  {row.isDefault ? 'default · ' : ''}
                  {row.scope.kind === 'global' ? 'global' : oneLine(row.scope.path)}
                </span>
                {STATE[row.state] === null ? null : (
                  <span className={row.state === 'waiting' ? 'badge' : 'badge quiet'}>
                    {STATE[row.state]}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
        <button
          type="button"
          className="chip"
          onClick={() => {
            setShown(false);
            void desk.create();
          }}
        >
          New conversation
        </button>
      </div>
    </nav>
  );
}
