import { TicketState } from '@hearth/protocol/ticket.ts';
import type { BoardTicket } from './board-reading.ts';
import type { Memory } from './memory.ts';
import { numbered, unranged } from './numbers.ts';
import { fold, stem, telling } from './words.ts';

/*
 * Which tickets some words mean: ids, places in the list shown last, "it" and "them", the obsolete ones, all of a kind,
 * or words of a title. Ids that the words only mention ("as a duplicate of HB-5") are not meant.
 */

/** Words to resolve, and what they may refer to. */
export interface Spoken {
  /** Folded words after the verb. */
  readonly plain: string;
  /** What was written, for titles. */
  readonly text: string;
  /** Ids named earlier in the same message. */
  readonly earlier: readonly string[];
  /** The only state that tickets named by a kind or a title may be in: what is reopened is done. */
  readonly from?: TicketState;
  /** The numbered list that was just shown; told only where bare numbers name tickets. */
  readonly numbered?: readonly string[];
}

/** How the tickets were named. Only `ids` is explicit; `some` are several that a title fits, `unclear` ones must be named. */
export interface Targets {
  readonly how: 'ids' | 'place' | 'pronoun' | 'obsolete' | 'all' | 'title' | 'some' | 'unclear' | 'none';
  readonly ids: readonly string[];
}

const none: Targets = { how: 'none', ids: [] };
const id = String.raw`(?:hb ?|# ?|(?:tickets?|issues?|taches?|cards?|cartes?|number|numero|numeros) (?:hb ?|# ?|n |no |number |numero )?)0*(\d+)\b`;
const glue = String.raw`(?: (?:,|and|et|&|or|ou|plus|the|le))+ `;
const run = new RegExp(`${id}(?:${glue}(?:hb ?|# ?|ticket |issue )?\\d+\\b| (?:hb ?|# ?)\\d+\\b)*`);
const except =
  /\b(?:except|excluding|besides|without|minus|but|other than|apart from|aside from|sauf|hormis|excepte|a part|mais pas|a l exception|en dehors|autres? que|sans)\b/;
const every = /\b(?:all|every|everything|each|tous|toutes|tout|chaque|entire|whole)\b/;
const ofTheseWords =
  /\b(?:all|each|tous|toutes) (?:of )?(?:them|these|those|three|two|trois|deux|les trois|les deux|ceux|ces|3|2)\b|\b(?:them|these|those|les|ceux ci|ceux la|celles ci|celles la|lui) (?:all|tous|toutes)\b(?! les (?!deux|trois)[a-z])/;
const allOf = /\b(?:all|each|tous|toutes)(?: of)?(?: the| les)?(?: tickets)? ?$/;
const obsoleteWords =
  /\b(?:obsoletes?|outdated|stale|already (?:done|fixed|implemented|shipped)|deja (?:faite?s?|finie?s?|terminee?s?|corrigee?s?)|perimee?s?)\b/;
const plural =
  /\b(?:them|these|those|both|all three|les deux|les trois|ceux ci|ceux la|celles ci|ces tickets|ces taches)\b/;
const singular =
  /\b(?:it|(?:that|this) (?:one|ticket|issue|task)|celui ci|celui la|celle ci|celle la|ce ticket|cette tache)\b/;
const pick =
  /\b(?:your|the|ton|ta|votre|le|ce) (?:pick|choice|recommendation|suggestion|choix|recommandation|favori)\b/;

const places: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|1st|premiere?|1er|1ere)\b/, 0],
  [/\b(?:second|2nd|deuxieme|seconde|2e|2eme)\b/, 1],
  [/\b(?:third|3rd|troisieme|3e|3eme)\b/, 2],
  [/\b(?:fourth|4th|quatrieme)\b/, 3],
  [/\b(?:fifth|5th|cinquieme)\b/, 4],
  [/\b(?:last|derniere?)\b/, -1],
];
const firstFew =
  /\b(?:first|premieres?|premiers) (two|three|deux|trois|2|3)\b|\b(?:deux|trois|2|3) (?:premiers|premieres)\b/;

/** Ids in the order named, each once, as `HB-4`. */
export function idsIn(plain: string): string[] {
  return [...new Set([...plain.matchAll(new RegExp(id, 'g'))].map(match => `HB-${match[1]}`))];
}

/** The first unbroken run of ids: `HB-4, HB-5 and 6`. */
export function firstIds(plain: string): string[] {
  const words = run.exec(plain)?.[0] ?? '';
  return [...new Set([...words.matchAll(/\d+/g)].map(match => `HB-${Number(match[0])}`))];
}

/** Resolves the words. `titleWords` is how many words of a title must be said: one is enough where nothing else is named, `all` allows no other. */
export function targets(
  spoken: Spoken,
  board: readonly BoardTicket[],
  memory: Memory,
  titleWords: number | 'all' = 1,
): Targets {
  const { from } = spoken;
  const plain = unranged(spoken.plain, spoken.text, board);
  const among = from === undefined ? board : board.filter(ticket => ticket.state === from);
  const kind = (words: string) => (from === undefined ? ofKind(words, board) : labelled(words, among, board));
  const spared = except.exec(plain);
  const named = spared === null ? plain : plain.slice(0, spared.index);
  const left = (ids: readonly string[]) => {
    const out = spared === null ? [] : idsIn(plain.slice(spared.index));
    return spared !== null && out.length === 0 ? [] : ids.filter(one => !out.includes(one));
  };
  const byNumber = spoken.numbered === undefined ? null : numbered(named, board, spoken.numbered);
  if (byNumber !== null) return { how: byNumber.how, ids: left(byNumber.ids) };
  const ids = firstIds(named);
  if (ids.length > 0) {
    // "all tickets that HB-4 blocks" means neither all nor HB-4: nothing is guessed.
    const before = named.slice(0, run.exec(named)?.index ?? 0).replace(allOf, '');
    if (every.test(before)) return { how: 'unclear', ids: [] };
    const out = spared === null ? [] : idsIn(plain.slice(spared.index));
    return { how: 'ids', ids: ids.filter(one => !out.includes(one)) };
  }
  if (obsoleteWords.test(named))
    return { how: 'obsolete', ids: left(memory.obsolete.map(one => one.ticket)) };
  const these = ofTheseWords.exec(named)?.[0];
  if (these !== undefined) {
    const few = /two|deux|2/.test(these) ? 2 : /three|trois|3/.test(these) ? 3 : memory.listed.length;
    return { how: 'pronoun', ids: left(memory.listed.slice(0, few)) };
  }
  if (every.test(named)) return { how: 'all', ids: left(kind(named).map(ticket => ticket.id)) };
  if (/\b(?:tickets|issues|tasks|taches)\b/.test(named) && hasKind(named, board)) {
    return { how: 'all', ids: left(kind(named).map(ticket => ticket.id)) };
  }
  const place = placed(named, memory.listed);
  if (place !== null) return { how: 'place', ids: place };
  if (pick.test(named) && memory.pick !== null) return { how: 'pronoun', ids: [memory.pick] };
  const direct = pronoun(
    /^(?:it|them|this|that|these|those|both|le|la|les|l)\b(?: (?:one|ones|ticket|tickets))?/.exec(
      named,
    )?.[0] ?? '',
    spoken,
    memory,
  );
  const bare =
    /^(?:le|la|les|l)(?: [a-z]+)/.test(named) &&
    !/^(?:le|la|les|l) (?:en|a|au|car|parce|comme|pour|dans|stp|svp|s il|puisque)\b/.test(named);
  if (direct !== null && !bare) return direct;
  const title = byTitle(spoken, among, titleWords);
  if (title !== null) return title;
  return pronoun(named, spoken, memory) ?? none;
}

function placed(plain: string, listed: readonly string[]): string[] | null {
  const few = firstFew.exec(plain);
  if (few !== null) return listed.slice(0, /two|deux|2/.test(few[0]) ? 2 : 3);
  const found = places.filter(([words]) => words.test(plain)).map(([, at]) => listed.at(at));
  return found.length === 0 ? null : [...new Set(found.flatMap(one => one ?? []))];
}

function pronoun(words: string, spoken: Spoken, memory: Memory): Targets | null {
  if (plural.test(words) || /^les$/.test(words)) {
    return { how: 'pronoun', ids: spoken.earlier.length > 1 ? spoken.earlier : memory.listed };
  }
  if (!singular.test(words) && !/^(?:le|la|l|this|that)$/.test(words)) return null;
  const one = spoken.earlier.at(-1) ?? memory.focus;
  return { how: 'pronoun', ids: one === null ? [] : [one] };
}

/** The board's states as people name them. */
export const stateWords: readonly (readonly [TicketState, RegExp])[] = [
  ['inbox', /\b(?:inbox|boite de reception|a trier)\b/],
  ['backlog', /\bbacklog\b/],
  ['ready', /\b(?:ready|todo|to do|prete?s?|a faire)\b/],
  ['in_progress', /\b(?:in progress|doing|wip|en cours|en progression)\b/],
  ['review', /\b(?:review|revue|relecture|a relire)\b/],
  ['blocked', /\b(?:blocked|on hold|bloquee?s?|en attente)\b/],
  ['done', /\b(?:done|closed|finished|completed?|faite?s?|finie?s?|terminee?s?|fermee?s?|clos)\b/],
];

/** The open tickets of the state and the labels that the words name; all open ones when they name none. */
export function ofKind(plain: string, board: readonly BoardTicket[]): BoardTicket[] {
  const states = stateWords.filter(([, words]) => words.test(plain)).map(([state]) => state);
  return labelled(
    plain,
    board.filter(ticket => (states.length === 0 ? ticket.state !== 'done' : states.includes(ticket.state))),
    board,
  );
}

/** Those of some tickets that have a label which the words name; all of them when they name none. */
function labelled(plain: string, some: readonly BoardTicket[], board: readonly BoardTicket[]): BoardTicket[] {
  const labels = labelsIn(plain, board);
  return some.filter(ticket => labels.length === 0 || ticket.labels.some(label => labels.includes(label)));
}

function hasKind(plain: string, board: readonly BoardTicket[]): boolean {
  return stateWords.some(([, words]) => words.test(plain)) || labelsIn(plain, board).length > 0;
}

/** Labels of the board that the words name, in singular or plural. */
export function labelsIn(plain: string, board: readonly BoardTicket[]): string[] {
  const said = ` ${plain.split(' ').map(stem).join(' ')} `;
  const all = new Set(board.flatMap(ticket => ticket.labels));
  return [...all].filter(label => {
    const words = (fold(label.normalize('NFC')).match(/[a-z0-9]+/g) ?? []).map(stem);
    return (
      words.length > 0 &&
      !TicketState.options.some(state => state === label) &&
      said.includes(` ${words.join(' ')} `)
    );
  });
}

function byTitle(spoken: Spoken, board: readonly BoardTicket[], titleWords: number | 'all'): Targets | null {
  const [head = ''] = spoken.text.split(/:\s| because | since | car | parce que /, 1);
  const exact = board.filter(
    ticket => fold(head).includes(fold(ticket.title)) && telling(ticket.title).length > 1,
  );
  if (exact.length === 1) return { how: 'title', ids: exact.map(ticket => ticket.id) };
  const said = telling(head);
  const open = board.filter(ticket => ticket.state !== 'done');
  const scored = (open.length === 0 ? board : open)
    .map(ticket => ({ ticket, score: telling(ticket.title).filter(word => said.includes(word)).length }))
    .filter(({ score }) => score >= (titleWords === 'all' ? Math.max(1, said.length) : titleWords))
    .sort((a, b) => b.score - a.score);
  const best = scored.filter(({ score }) => score === scored[0]?.score).map(({ ticket }) => ticket.id);
  if (best.length === 0) return null;
  return { how: best.length === 1 ? 'title' : 'some', ids: best.slice(0, 3) };
}
