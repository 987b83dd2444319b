import type { BoardTicket } from './board-reading.ts';

/*
 * Tickets that are named by numbers alone, and ranges of them. A bare number counts only where the tickets of an order
 * are named, and only when there is such a ticket: "3 tickets" and "30 minutes" name none.
 */

const word = String.raw`(?:the|le|la|tickets?|issues?|tasks?|taches?|number|numero|numeros|no|n)`;
const unit = String.raw`(?:minutes?|mins?|h|hours?|heures?|days?|jours?|weeks?|semaines?|points?|pts|tickets?|issues?|tasks?|taches?|things?|ones|of|de|des|first|last|premiere?s?|dernieres?|derniers|times|fois|labels?|\.)`;
const bare = new RegExp(
  String.raw`^(?:${word} )*(\d{1,6}(?:(?: (?:,|and|et|&|the|le|la))* \d{1,6})*)(?= |$)(?! ${unit}\b)`,
);

/** What some words name by a bare number at their beginning; `null` when they name nothing so. */
export type Numbered = { readonly how: 'ids' | 'place'; readonly ids: readonly string[] } | null;

/**
 * Reads bare numbers. `listed` is the numbered list that was just shown: numbers within it are its places, others are ids
 * of the board.
 */
export function numbered(plain: string, board: readonly BoardTicket[], listed: readonly string[]): Numbered {
  const numbers = [...(bare.exec(plain)?.[1]?.matchAll(/\d+/g) ?? [])].map(match => Number(match[0]));
  if (numbers.length === 0) return null;
  const places = numbers.flatMap(number => listed[number - 1] ?? []);
  if (places.length === numbers.length) return { how: 'place', ids: [...new Set(places)] };
  const ids = numbers.map(number => `HB-${number}`);
  return ids.every(id => board.some(ticket => ticket.id === id))
    ? { how: 'ids', ids: [...new Set(ids)] }
    : null;
}

const mark = String.raw`(?:hb ?|# ?)`;
const said = new RegExp(
  String.raw`\b(?:${mark}|tickets ${mark}?|issues ${mark}?|numeros )0*(\d{1,6}) (?:to|through|thru|a|au|jusqu a|jusqu au) (?:(?:the|le|ticket) )?(${mark})?0*(\d{1,6})\b`,
  'g',
);
const dashed = /\bHB[-_ ]?0*(\d{1,6})\s*(?:-|–|—|\.{2,3}|…)\s*HB[-_ ]?0*(\d{1,6})\b/gi;

/** Folded words in which each range, such as "HB-1 to HB-4", is replaced by the ids of the board's tickets within it. */
export function unranged(plain: string, text: string, board: readonly BoardTicket[]): string {
  let words = plain;
  for (const [, from = '', to = ''] of text.matchAll(dashed)) {
    words = words.replace(new RegExp(`\\bhb ?0*${from} (?:\\. )*hb ?0*${to}\\b`), `hb ${from} to hb ${to}`);
  }
  return words.replaceAll(said, (whole: string, from: string, marked: string | undefined, to: string) => {
    if (marked === undefined && !/^(?:tickets|issues|numeros)/.test(whole)) return whole;
    const [low, high] = [Number(from), Number(to)].sort((a, b) => a - b);
    const ids = board
      .map(ticket => Number(/\d+$/.exec(ticket.id)?.[0]))
      .filter(number => number >= (low ?? 0) && number <= (high ?? 0))
      .sort((a, b) => a - b);
    return ids.length === 0 ? whole : ids.map(number => `hb ${number}`).join(' , ');
  });
}
