import type { WatchedTicket } from '@hearth/protocol/view.ts';

/* How surfaces show the tickets that a conversation watches. The transcript tells each move; this is how they stand now. */

/** A ticket's state as people read it. */
export function stateWords(state: string): string {
  return state.replaceAll('_', ' ');
}

/** The watched tickets that are to be shown: those that are not done, the latest first, and how many more there are. */
export function ticketsShown(
  watched: readonly WatchedTicket[],
  most: number,
): { readonly shown: readonly WatchedTicket[]; readonly more: number } {
  const open = watched.filter(one => one.state !== 'done').toReversed();
  return { shown: open.slice(0, most), more: Math.max(0, open.length - most) };
}

/** The watched tickets in one line, `HB-6 in progress, HB-7 review`; empty when all are done. */
export function ticketLine(watched: readonly WatchedTicket[], most: number): string {
  const { shown, more } = ticketsShown(watched, most);
  const words = shown.map(one => `${one.ticket} ${stateWords(one.state)}`);
  return [...words, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}
