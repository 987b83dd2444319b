/** A ticket that a bot handed over, as the person was told of it last. */
export interface WatchedTicket {
  /** Its id on the board, `HB-6`. */
  readonly ticket: string;
  /** Whose board it is on: the directory of the turn that named it; `null` when that turn had none. */
  readonly workspace: string | null;
  /** `null` until the board has been looked at. */
  readonly title: string | null;
  /** `null` until the board has been looked at. */
  readonly state: string | null;
  /** How many lines of the ticket's history have been told. */
  readonly seen: number;
}

/** What the board says of one watched ticket: what is new since the last look. */
export interface TicketLook {
  readonly ticket: string;
  readonly workspace: string | null;
  /** How it stands, with the number of lines of its history; `null` when there is no such ticket. */
  readonly found: { readonly title: string; readonly state: string; readonly seen: number } | null;
  /** The moves that were not told yet, oldest first. Nothing at the first look. */
  readonly moves: readonly { readonly change: string; readonly from: string; readonly to: string }[];
}

/** At most so many tickets are watched in one conversation: every reply to a surface carries them. */
export const WATCHED_KEPT = 64;

/** A number of a board, with or without its letters. */
const TICKET = /^(?:HB-)?([1-9]\d{0,14})$/i;

/** The id as boards write it; `null` when it can be none. */
function ticketNamed(text: string): string | null {
  const number = TICKET.exec(text.trim())?.[1];
  return number === undefined ? null : `HB-${number}`;
}

/** The watch list as it is kept. One that an earlier version wrote holds ids alone. */
export function watchedIn(stored: readonly (WatchedTicket | string)[]): WatchedTicket[] {
  return stored.flatMap(one => {
    if (typeof one !== 'string') return [one];
    const ticket = ticketNamed(one);
    return ticket === null ? [] : [fresh(ticket, null)];
  });
}

/**
 * The watch list after a turn named tickets, the latest last. What can be no ticket is left out, one that is watched
 * already keeps what was told of it, and above the bound those that are done go first, then the oldest.
 */
export function withWatched(
  watched: readonly WatchedTicket[],
  named: readonly string[],
  workspace: string | null,
): WatchedTicket[] {
  const list = [...watched];
  for (const ticket of named.map(ticketNamed)) {
    if (ticket === null) continue;
    const at = list.findIndex(one => one.ticket === ticket && one.workspace === workspace);
    const [known] = at < 0 ? [] : list.splice(at, 1);
    list.push(known ?? fresh(ticket, workspace));
  }
  while (list.length > WATCHED_KEPT) {
    list.splice(
      Math.max(
        0,
        list.findIndex(one => one.state === 'done'),
      ),
      1,
    );
  }
  return list;
}

function fresh(ticket: string, workspace: string | null): WatchedTicket {
  return { ticket, workspace, title: null, state: null, seen: 0 };
}
