import type { BoardTicket } from './board-reading.ts';
import type { Phrases } from './phrases.ts';
import { fold, telling } from './words.ts';

/*
 * What a list is narrowed to besides state and label: an owner, none, or words of the title. What cannot be told from
 * the board is named, so that nobody takes a whole list for a narrowed one.
 */

/** The tickets left, what they are narrowed to, and the words by which they cannot be narrowed. */
export interface Narrowed {
  readonly tickets: readonly BoardTicket[];
  readonly to: readonly string[];
  readonly cannot: string | null;
}

const nobody =
  /\b(?:unassigned|not assigned|without (?:an |any )?(?:owner|assignee)|no (?:owner|assignee)|ownerless|nobody s|sans (?:responsable|proprietaire)|non assignee?s?|pas assignee?s?|a personne)\b/;
const mine =
  /\b(?:my(?! (?:board|backlog|list|project)\b)|mine|assigned to me|mes|les miens|assignee?s? a moi)\b/;
const topic =
  /\b(?:(?<!how |what )about|mentioning|mention|containing|concerning|regarding|related to|that speak of|(?<=(?:tickets|issues|tasks|taches) )(?:on|sur)|au sujet (?:de|du|des|d)|a propos (?:de|du|des|d)|concernant|contenant|qui (?:parlent?|traitent?) (?:de|du|des|d)|qui concernent?)\b (?!hold\b)([^,.;:?!]+)/;
const ownedBy =
  /\b(?:assigned to|owned by|belong(?:s|ing)? to|assignee?s? a|appartenant a|confiee?s? a|attribuee?s? a)\b (?!me\b|moi\b|personne\b|nobody\b)([a-z0-9]+(?: [a-z0-9]+)?)/;
const whose = /\b(?:tickets|issues|tasks|taches) (?:of|by|from|de|d|du) ([^,.;:?!]+)/;
const time =
  /\b(?:(?:created|updated|changed|closed|opened|older|newer|since|before|after|crees?|creees?|modifiee?s?|depuis|avant|apres) [^,.;:?!]+|oldest|newest|latest|most recent|recent|recently|last (?:week|month|year)|this (?:week|month)|today|yesterday|plus (?:anciens?|vieux|recents?)|recents?|hier|aujourd hui|cette semaine|la semaine derniere)/;
const boardWords =
  /^(?:(?:the|this|my|our|le|la|l|ce|mon|notre|de|du|en|a) ?)*(?:board|boards|backlog|inbox|list|project|projet|tableau|liste|review|hold|cours|faire|it|them|that|now|page|screen|ecran)?(?: (?:now|please|stp|svp))*$/;

/** Narrows tickets to what the words ask for; `plain` are folded words. */
export function narrowed(plain: string, tickets: readonly BoardTicket[], words: Phrases): Narrowed {
  const owned = byOwner(plain, tickets, words);
  const about = topic.exec(plain)?.[1] ?? '';
  const wanted = boardWords.test(about) ? [] : telling(about);
  const person = whose.exec(plain)?.[1] ?? '';
  const unknown =
    owned === null && !boardWords.test(person) && telling(person).length > 0 ? person.trim() : null;
  const among = owned?.tickets ?? tickets;
  return {
    tickets: among.filter(({ title }) => wanted.every(word => telling(title).includes(word))),
    to: [...(owned?.to ?? []), ...(wanted.length > 0 ? [words.listAbout(about.trim())] : [])],
    cannot: mine.exec(plain)?.[0] ?? time.exec(plain)?.[0] ?? unknown,
  };
}

function byOwner(
  plain: string,
  tickets: readonly BoardTicket[],
  words: Phrases,
): Omit<Narrowed, 'cannot'> | null {
  if (nobody.test(plain))
    return { tickets: tickets.filter(({ owner }) => owner === null), to: [words.listUnowned] };
  const owners = [...new Set(tickets.flatMap(({ owner }) => owner ?? []))];
  const named = owners.find(one => ` ${plain} `.includes(` ${plainly(one)} `));
  const owner = named ?? ownedBy.exec(plain)?.[1];
  return owner === undefined
    ? null
    : { tickets: tickets.filter(one => one.owner === owner), to: [words.listOwner(owner)] };
}

function plainly(text: string): string {
  return fold(text.normalize('NFC'))
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}
