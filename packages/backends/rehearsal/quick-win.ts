import type { BoardTicket } from './board-reading.ts';
import { fold } from './words.ts';

/*
 * Whether a ticket is blocked, and whether it is small. Both are read off the board's own words and nothing else, so
 * every answer can be given its reason.
 */

/** Why a ticket is on a shortlist, for a phrase in the person's language. */
export type Reason =
  | { readonly is: 'size_label' | 'priority_label'; readonly label: string }
  | { readonly is: 'small_word'; readonly word: string }
  | { readonly is: 'no_size' | 'unblocked' | 'ready' | 'in_review' };

const blockedLabel = /^(blocked|blocker-waiting|waiting|on[-_ ]hold|bloque|en[-_ ]attente|stuck)$/;
const blockedText =
  /\b(?:blocked (?:by|on|until)|waiting (?:for|on)|depends on|needs|requires|bloquee? par|depend de|en attente de|attend|apres)\b([^.;\n]*)/g;
const blockedOutright = /\b(?:blocked (?:by|on|until)|waiting (?:for|on)|bloquee? par|en attente de)\b/;

/**
 * Whether something keeps the ticket from being worked on: its state, a label, or words such as "blocked by". Words that
 * name tickets block only while one of these is open; a ticket that the board does not know counts as open.
 */
export function isBlocked(ticket: BoardTicket, board: readonly BoardTicket[]): boolean {
  if (ticket.state === 'blocked' || ticket.labels.some(label => blockedLabel.test(fold(label)))) return true;
  for (const text of [ticket.title, ticket.body]) {
    for (const match of fold(text.normalize('NFC')).matchAll(blockedText)) {
      const named = [...(match[1] ?? '').matchAll(/\bhb-?(\d+)/g)].map(id => `HB-${id[1]}`);
      const open = named.some(id => board.find(one => one.id === id)?.state !== 'done' && id !== ticket.id);
      if (open || (named.length === 0 && blockedOutright.test(match[0]))) return true;
    }
  }
  return false;
}

const smallLabel =
  /^((size|effort|estimate|taille)[-:/ ]*)?(xs|s|small|tiny|trivial|easy|quick|quick[-_ ]?wins?|petite?|facile|rapide|minor|mineur|good[-_ ]first[-_ ]issue|low[-_ ]hanging([-_ ]fruit)?|typo|docs?|documentation|1|2|30 ?m(in)?|1 ?h)$/;
const largeLabel =
  /^((size|effort|estimate|taille)[-:/ ]*)?(l|xl|xxl|large|big|huge|epic|epique|gros(se)?|complex|complexe|hard|difficile|spike|research|refonte|migration|5|8|13|21|34)$/;
const smallText =
  /\b(typos?|rename|wording|tooltip|spelling|broken link|one[- ]liner|bump|favicon|placeholder|coquilles?|renommer|libelle|faute de frappe|orthographe|lien (casse|mort)|few minutes|quelques minutes|(15|20|30) ?min(utes)?|1 ?h(our)?|une heure|an hour|half an hour|trivial|quick win)\b/;
const largeText =
  /\b(rewrit\w+|redesign\w*|re-?architect\w*|architecture|migrat\w+|migrer|refactor\w*|refaire|refonder|epic|rework\w*|overhaul\w*|rebuild|replatform|from the ground up|from scratch|multi-?tenan\w+|refonte|reecri\w+|repenser|chantier|plusieurs (jours|semaines)|several (days|weeks)|(two|three|few) (days|weeks)|support for multiple|end-to-end encryption)\b/;

/** A title that speaks of everything at once. */
const largeTitle =
  /\b(whole|entire|all|every|everything|everywhere|complete|tout|toute|tous|toutes|entier|entiere|chaque|ensemble|partout)\b/;

/** Story points, in a label or in the text: from five on large, up to two small, between them neither. */
const points = /(?:^|[^\d.])(\d+) ?(?:story[- ]?)?(?:points?|pts?)\b|\b(?:points?|pts|sp)[-:= /]*(\d+)\b/;
const LARGE_POINTS = 5;
const SMALL_POINTS = 2;

/** Words above which a ticket is too long to be called small by a guess. */
const SHORT_WORDS = 60;
/** Checklist items above which a ticket is a project. */
const SMALL_STEPS = 3;

/** How clearly a ticket is small, highest first, and by what; `null` when it is not. */
export interface Smallness {
  readonly clear: number;
  readonly reasons: readonly Reason[];
}

/**
 * Reads the size off the labels first, then off telling words. Something large is never small, and being short is no
 * evidence: what tells no size is a guess, below all others.
 */
export function smallness(ticket: BoardTicket): Smallness | null {
  const labels = ticket.labels.map(label => ({ label, folded: fold(label.normalize('NFC')) }));
  if (labels.some(({ folded }) => largeLabel.test(folded) || pointed(folded) === 'large')) return null;
  const named = labels.find(({ folded }) => smallLabel.test(folded) || pointed(folded) === 'small');
  if (named !== undefined) return { clear: 3, reasons: [{ is: 'size_label', label: named.label }] };
  const text = fold(`${ticket.title}\n${ticket.body}`.normalize('NFC'));
  if (largeText.test(text) || largeTitle.test(fold(ticket.title.normalize('NFC')))) return null;
  if (pointed(text) === 'large') return null;
  const steps = ticket.body.match(/^\s*([-*]|\d+[.)])\s/gm)?.length ?? 0;
  const words = text.match(/\S+/g)?.length ?? 0;
  if (steps > SMALL_STEPS || words > SHORT_WORDS) return null;
  const word =
    smallText.exec(text)?.[0] ?? (pointed(text) === 'small' ? points.exec(text)?.[0].trim() : undefined);
  if (word !== undefined) return { clear: 2, reasons: [{ is: 'small_word', word }] };
  return { clear: 0, reasons: [{ is: 'no_size' }] };
}

function pointed(text: string): 'small' | 'large' | null {
  const match = points.exec(text);
  if (match === null) return null;
  const number = Number(match[1] ?? match[2]);
  if (number >= LARGE_POINTS) return 'large';
  return number <= SMALL_POINTS ? 'small' : null;
}

/** A quick win is open, not begun, unblocked and small; `null` otherwise. */
export function quickWin(ticket: BoardTicket, board: readonly BoardTicket[]): Smallness | null {
  if (!['inbox', 'backlog', 'ready'].includes(ticket.state) || isBlocked(ticket, board)) return null;
  const small = smallness(ticket);
  return small === null ? null : { clear: small.clear, reasons: [...small.reasons, { is: 'unblocked' }] };
}
