import type { EntryOf } from '../entry.ts';
import type { TicketLook, WatchedTicket } from '../watched.ts';
import type { Draft } from './draft.ts';

/**
 * The board was looked at: what is new of the watched tickets is told and remembered, in one commit, so that no crash
 * tells a move twice or leaves it out. A ticket that is not there is watched no longer. A look that is older than what
 * was told changes nothing.
 */
export function looked(draft: Draft, entry: EntryOf<'looked'>): void {
  for (const look of entry.tickets) {
    const { watched } = draft.state;
    const at = watched.findIndex(one => one.ticket === look.ticket && one.workspace === look.workspace);
    const known = watched[at];
    if (known === undefined) continue;
    if (look.found === null) {
      watched.splice(at, 1);
      continue;
    }
    if (known.state !== null && look.found.seen <= known.seen) continue;
    watched[at] = { ...known, ...look.found };
    tell(draft, known, look, look.found);
  }
}

function tell(
  draft: Draft,
  known: WatchedTicket,
  { ticket, workspace, moves }: TicketLook,
  { title, state }: NonNullable<TicketLook['found']>,
): void {
  const about = {
    type: 'ticket',
    ticket,
    title,
    watched: true,
    ...(workspace === null ? {} : { workspace }),
  } as const;
  if (known.state === null) draft.emit({ ...about, state, change: 'watched' });
  else for (const { change, from, to } of moves) draft.emit({ ...about, state: to, from, change });
}
